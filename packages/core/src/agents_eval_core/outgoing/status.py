"""What the status of an answer means: a body to read, a place to go to, a reason to wait, or the end."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from agents_eval_core.errors import NetworkError

OK: Final = 200
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
TOO_MANY: Final = 429
FORBIDDEN: Final = 403
PASSING: Final = frozenset({408, TOO_MANY, 500, 502, 503, 504})
SECONDS: Final = re.compile(r"[0-9]{1,9}")

Headers = Mapping[str, str]


class TryAgainError(Exception):
    """An attempt that failed in a way that may pass; `seconds` is how long the host wants to be left alone."""

    def __init__(
        self, reason: str, *, seconds: float | None = None, outcome: type[NetworkError] = NetworkError
    ) -> None:
        super().__init__(reason)
        self.seconds = seconds
        self.outcome = outcome


def require_ok(status: int, headers: Headers, now: datetime) -> None:
    """Do nothing for an answer that has what was asked for.

    Raises:
        TryAgainError: The host has trouble that may pass, or wants fewer requests.
        NetworkError: Any other status.

    >>> require_ok(404, {}, datetime(2026, 1, 1, tzinfo=UTC))
    Traceback (most recent call last):
    agents_eval_core.errors.NetworkError: it answered 404 Not Found
    """
    if status == OK:
        return
    said = f"it answered {status} {_phrase(status)}".rstrip()
    if status in PASSING or (status == FORBIDDEN and _is_limited(headers)):
        raise TryAgainError(said, seconds=_wanted_wait(headers, now))
    raise NetworkError(said)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds that a `Retry-After` header asks for, or None where it asks for nothing that makes sense.

    References:
        RFC 9110, section 10.2.3.

    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> retry_after("7", noon), retry_after("Thu, 01 Jan 2026 12:01:00 GMT", noon), retry_after("soon", noon)
    (7.0, 60.0, None)
    """
    text = (value or "").strip()
    if SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _wanted_wait(headers: Headers, now: datetime) -> float | None:
    """Return how long the host wants to be left alone, by `Retry-After`, else by the rate limit that GitHub states."""
    asked = retry_after(headers.get("retry-after"), now)
    reset = headers.get("x-ratelimit-reset", "")
    if asked is None and headers.get("x-ratelimit-remaining") == "0" and re.fullmatch(r"[0-9]{1,12}", reset):
        return max(1.0, float(reset) - now.timestamp())
    return asked


def _is_limited(headers: Headers) -> bool:
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
