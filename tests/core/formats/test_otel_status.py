import pytest

from agents_eval_core.formats.opentelemetry.otel_status import ending
from agents_eval_core.formats.opentelemetry.raw_span import RawEvent, RawSpan


def ended(code: int, *, exception: str | None = None, error_type: str | None = None, end: int | None = 1) -> RawSpan:
    about = {"exception.type": exception, "exception.message": "it broke"}
    return RawSpan(
        trace_id="t",
        id="a",
        name="a",
        code=code,
        message="said",
        ended=end,
        attributes={"error.type": error_type} if error_type else {},
        events=[RawEvent(name="exception", attributes=about)] if exception else [],
    )


@pytest.mark.parametrize(
    ("raw", "status", "source", "error_type", "error_text"),
    [
        (ended(1), "ok", "declared", None, None),
        (ended(1, exception="ValueError"), "ok", "declared", None, None),
        (ended(2), "error", "declared", None, "said"),
        (ended(2, exception="ValueError"), "error", "declared", "ValueError", "it broke"),
        (ended(2, error_type="timeout"), "error", "declared", "timeout", "said"),
        (ended(0), "ok", "inferred", None, None),
        (ended(0, end=None), "unknown", "inferred", None, None),
        (ended(0, exception="ValueError"), "error", "inferred", "ValueError", "it broke"),
        (ended(0, error_type="_OTHER"), "error", "inferred", "_OTHER", "said"),
    ],
)
def test_the_status_is_declared_or_inferred(
    raw: RawSpan, status: str, source: str, error_type: str | None, error_text: str | None
) -> None:
    end = ending(raw)
    assert (end.status, end.source, end.error_type, end.error_text) == (status, source, error_type, error_text)


def test_the_error_type_is_the_class_without_its_module() -> None:
    assert ending(ended(2, exception="asyncio.exceptions.CancelledError")).error_type == "CancelledError"
    assert ending(ended(2, exception="pydantic_ai.exceptions.ToolRetryError")).error_type == "ToolRetryError"


def test_the_last_of_several_exceptions_counts() -> None:
    events = [RawEvent(name="exception", attributes={"exception.type": name}) for name in ("First", "Last")]
    assert ending(RawSpan(trace_id="t", id="a", name="a", code=2, events=events)).error_type == "Last"
