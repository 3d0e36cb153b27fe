"""URLs that may be asked for: only those that every reader of URLs would read in the same way."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from agents_eval_core.errors import RefusedError

LONGEST: Final = 2048
SHOWN: Final = 120
DEFAULT_PORT: Final = ":443"
SHAPE: Final = re.compile(r"https://(?P<host>[^/?]*)(?P<target>[/?].*)?")
# What RFC 3986 lets stand in a path and a query, and nothing else: no space, control, backslash, quote or Unicode.
TARGET: Final = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*")
HIDDEN: Final = re.compile(r"%(?:[01][0-9A-Fa-f]|2[Ee]|2[Ff]|5[Cc]|7[Ff])")
DOTS: Final = re.compile(r"/\.{1,2}(?:[/?]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedUrl:
    """An `https` URL of an allowed host, on the default port; the target is its path and query."""

    host: str
    target: str

    def __str__(self) -> str:
        return f"https://{self.host}{self.target}"


def checked_url(url: str, hosts: AbstractSet[str]) -> CheckedUrl:
    """Return a URL in its parts, if it may be asked for.

    The host must be one of the allowed names, letter for letter. So there is no need to know the tricks by which a
    name or number means another host: other spellings, numbers in any base, Unicode, a dot at the end, are refused.

    Raises:
        RefusedError: It may not; says why, without repeating credentials.

    >>> checked_url("https://api.github.com/repos?page=2", {"api.github.com"})
    CheckedUrl(host='api.github.com', target='/repos?page=2')
    >>> checked_url("https://api.github.com.example.org/", {"api.github.com"})
    Traceback (most recent call last):
    agents_eval_core.errors.RefusedError: 'https://api.github.com.example.org/' is not asked for: its host is not one \
of api.github.com
    """
    problem = _problem(url)
    match = SHAPE.fullmatch(url) if problem is None else None
    if match is None:
        raise _refused(url, problem or "it is no https URL")
    host, target = match["host"].removesuffix(DEFAULT_PORT), match["target"] or "/"
    problem = _host_problem(host, hosts) or _target_problem(target)
    if problem is not None:
        raise _refused(url, problem)
    return CheckedUrl(host=host, target=target if target.startswith("/") else f"/{target}")


def followed_url(base: CheckedUrl, location: str, hosts: AbstractSet[str]) -> CheckedUrl:
    """Return where a redirect leads, checked like a URL that was asked for.

    Raises:
        RefusedError: It leads to where no request may go.

    >>> str(followed_url(CheckedUrl(host="api.github.com", target="/repos/a"), "b?page=2", {"api.github.com"}))
    'https://api.github.com/repos/b?page=2'
    """
    problem = _problem(location)
    if problem is not None:
        raise _refused(location, f"{base} leads there, and {problem}")
    try:
        return checked_url(urljoin(str(base), location), hosts)
    except ValueError as unreadable:
        raise _refused(location, f"{base} leads there, and it is no URL: {unreadable}") from unreadable


def _problem(url: str) -> str | None:
    if len(url) > LONGEST:
        return f"it has more than {LONGEST:,} characters"
    if not url.isascii() or not url.isprintable() or " " in url:
        return "it has characters that no URL has: white space, a control character or a letter beyond ASCII"
    if "\\" in url:
        return "it has a backslash, which some take for a slash"
    return None


def _host_problem(host: str, hosts: AbstractSet[str]) -> str | None:
    if "@" in host:
        return "it has credentials, or a host that stands behind an @"
    if host in hosts:
        return None
    if re.fullmatch(r"[^\[\]:]*:[0-9]*", host) and host.partition(":")[0] in hosts:
        return "it names a port; only the default one is used"
    return f"its host is not one of {', '.join(sorted(hosts))}"


def _target_problem(target: str) -> str | None:
    if not TARGET.fullmatch(target):
        return "its path or query has a character that must be written as %XX, or a fragment"
    if HIDDEN.search(target):
        return "it hides a control character, a dot, a slash or a backslash as %XX"
    if DOTS.search(target):
        return "its path has . or .. as a part"
    return None


def _refused(url: str, problem: str) -> RefusedError:
    return RefusedError(f"{_shown(url)} is not asked for: {problem}")


def _shown(url: str) -> str:
    """Return the URL as it can be shown: short, in ASCII, without what may be credentials."""
    return ascii(re.sub(r"//.*@", "//...@", url[:LONGEST].replace("\\", "/"), flags=re.DOTALL)[:SHOWN])
