"""How a provider is reached now: what the environment says about its place and its key."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from agents_eval_agents.providers.row import ProviderRow

DISTRIBUTION: Final = "agents-eval-agents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The place and the key; the key is never shown."""

    base_url: str
    key: str | None = field(default=None, repr=False)


def access_to(row: ProviderRow, environment: Mapping[str, str] = os.environ) -> Access:
    """Return how a provider is reached; parts that are missing are empty, see `absence_of`.

    >>> access_to(ProviderRow(name="x", prefix="x", key="X_KEY", base_url="https://x.test"), {"X_KEY": "secret"})
    Access(base_url='https://x.test')
    """
    said = environment.get(row.base_url_variable, "").strip() if row.base_url_variable else ""
    keys = (environment.get(name, "").strip() for name in row.key_variables)
    return Access(base_url=(said or row.base_url).rstrip("/"), key=next((key for key in keys if key), None))


def absence_of(row: ProviderRow, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return what is missing before a provider can be asked at all, and how to get it, or None.

    >>> absence_of(ProviderRow(name="x", prefix="x", key="X_KEY", base_url="https://x.test"), {})
    'no key; set X_KEY'
    """
    access = access_to(row, environment)
    if not _is_importable(row.module):
        return f"its library {row.module} is not installed; pip install '{DISTRIBUTION}[{row.extra}]'"
    if not access.base_url:
        return f"nobody said where it is; set {row.base_url_variable}"
    if row.retired and access.base_url == row.base_url:
        return f"{row.retired}; name another provider, or set {row.base_url_variable} where it still runs"
    if access.key is None and "key_is_optional" not in row.quirks:
        return f"no key; set {' or '.join(row.key_variables)}"
    return _unsafe(row, access)


def is_local(base_url: str) -> bool:
    """Whether a place is on this machine.

    >>> is_local("http://127.0.0.1:11434/v1"), is_local("https://api.openai.com/v1")
    (True, False)
    """
    host = urlsplit(base_url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _unsafe(row: ProviderRow, access: Access) -> str | None:
    place = urlsplit(access.base_url)
    if place.scheme not in {"http", "https"} or not place.hostname:
        return f"{row.base_url_variable} is no web address; give one such as https://host/v1"
    if place.username or place.password:
        return f"{row.base_url_variable} holds a name or password; give the key in {row.key} instead"
    if place.scheme == "http" and access.key and not is_local(access.base_url):
        return f"{row.base_url_variable} would send the key unencrypted; give an https address"
    return None


def _is_importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
