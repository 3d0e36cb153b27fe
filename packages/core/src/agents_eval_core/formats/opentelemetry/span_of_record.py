"""The span of one record, after a convention took out of its attributes what it knows."""

from agents_eval_core.formats.building.unix_time import moment
from agents_eval_core.formats.opentelemetry.otel_status import Ending
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.trace import Operation, Span, ToolUse, Usage


def span_of(
    raw: RawSpan,
    operation: Operation,
    end: Ending,
    *,
    name: str | None = None,
    tool: ToolUse | None = None,
    model: str | None = None,
    usage: Usage | None = None,
    text: str | None = None,
) -> Span:
    """Return the span of one record, with what a convention took from its attributes and with the attributes left.

    How it ended was read before anything was taken; without a name it has the record's own.
    """
    return Span(
        id=raw.id,
        seq=0,
        operation=operation,
        name=raw.name if name is None else name,
        parent_id=raw.parent_id,
        started_at=moment(raw.started),
        ended_at=moment(raw.ended),
        status=end.status,
        status_source=end.source,
        error_type=end.error_type,
        error_text=end.error_text,
        tool=tool,
        model=model,
        usage=usage,
        text=text,
        source_span_ids=(raw.id,),
        attributes=raw.attributes,
    )
