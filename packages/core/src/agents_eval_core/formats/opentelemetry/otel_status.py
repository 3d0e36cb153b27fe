"""How a span ended, as OpenTelemetry says it."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.trace import Status

OK: Final = 1
ERROR: Final = 2
NOTHING: Final[Mapping[str, Any]] = {}


class Ending(Struct, frozen=True):
    """A status, who says so, and the error."""

    status: Status
    source: Literal["declared", "inferred"]
    error_type: str | None = None
    error_text: str | None = None


def ending(raw: RawSpan) -> Ending:
    """Return how a span ended.

    The codes OK and ERROR are declared. OpenTelemetry leaves the code unset where nothing is known to have gone wrong,
    so an unset code is inferred: `error` if the span has an `exception` event or an `error.type`, else `ok` if the span
    ended, else `unknown`. The error's type is the class name without its module, so that it is the same whoever
    reports it; a call that was cancelled because a sibling crashed has `CancelledError` and can be told from a failure
    of its own.

    >>> ending(RawSpan(trace_id="t", id="a", name="chat", ended=1)).status
    'ok'
    """
    exception = _exception(raw) if raw.events else NOTHING
    error_type = exception.get("exception.type") or raw.attributes.get("error.type")
    if raw.code == ERROR or (raw.code != OK and error_type):
        return Ending(
            status="error",
            source="declared" if raw.code == ERROR else "inferred",
            error_type=str(error_type).rpartition(".")[2] if error_type else None,
            error_text=str(exception.get("exception.message") or raw.message) or None,
        )
    if raw.code == OK:
        return Ending(status="ok", source="declared")
    return Ending(status="unknown" if raw.ended is None else "ok", source="inferred")


def _exception(raw: RawSpan) -> Mapping[str, Any]:
    return next((event.attributes for event in reversed(raw.events) if event.name == "exception"), NOTHING)
