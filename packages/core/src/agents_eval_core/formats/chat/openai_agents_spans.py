"""What the OpenAI Agents SDK exports as tracing: traces and their spans with a typed `span_data`.

`agent` is an `invoke_agent`, `generation` and `response` a `chat`, `function` an `execute_tool`, `handoff` a `handoff`;
guardrails and all others are `other`. The SDK declares errors; a span that ended without one was fine.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.formats.building.failure_text import error_type_in
from agents_eval_core.formats.building.span_draft import SpanDraft, trace_of_drafts
from agents_eval_core.formats.building.unix_time import nanoseconds_of
from agents_eval_core.formats.chat.chat_messages import usage_of
from agents_eval_core.formats.chat.content_parts import result_of, text_of
from agents_eval_core.formats.json_text.json_values import as_list, as_moment, as_record, as_records, as_text, parsed
from agents_eval_core.trace import Operation, Source, Span, ToolUse, Trace

OPERATIONS: Final[Mapping[str, Operation]] = {
    "agent": "invoke_agent",
    "generation": "chat",
    "response": "chat",
    "function": "execute_tool",
    "handoff": "handoff",
}
TRACE: Final = "trace"
SPAN: Final = "trace.span"
UNDERSTOOD: Final = frozenset(("type", "name", "input", "output", "usage", "model", "from_agent", "to_agent"))


def is_export(value: Any) -> bool:
    """Whether a value is an exported trace or span.

    >>> is_export({"object": "trace.span", "id": "span_1", "trace_id": "trace_1", "span_data": {"type": "agent"}})
    True
    """
    record = as_record(value)
    kind = record.get("object")
    return (kind == SPAN and "span_data" in record) or (kind == TRACE and "workflow_name" in record)


def traces_of_exports(
    values: Iterator[Any], source: Source, longest_text: int | None, miss: Callable[[str, str], None]
) -> Iterator[Trace]:
    """Yield the exported traces, in the order in which they are first seen."""
    heads: dict[str, dict[str, Any]] = {}
    drafts: dict[str, dict[str, SpanDraft]] = {}
    for number, value in enumerate(values):
        for record in _flat(value):
            record_id = as_text(record.get("id"))
            if record_id is None or not is_export(record):
                miss("entry that is no trace or span", f"entry {number}")
            elif record["object"] == TRACE:
                heads[record_id] = record
            else:
                spans = drafts.setdefault(as_text(record.get("trace_id")) or "?", {})
                if record_id in spans:
                    miss("repeated span", f"entry {number}")
                spans[record_id] = _draft(record, record_id, longest_text)
    for trace_id, found in drafts.items():
        yield _trace(trace_id, heads.get(trace_id, {}), found, source)


def _flat(value: Any) -> Iterator[dict[str, Any]]:
    record = as_record(value)
    yield {key: one for key, one in record.items() if key != "spans"}
    yield from as_records(record.get("spans"))


def _trace(trace_id: str, head: Mapping[str, Any], drafts: Mapping[str, SpanDraft], source: Source) -> Trace:
    if trace_id in drafts:
        return trace_of_drafts(trace_id, list(drafts.values()), source, unread={"span with the id of its trace": 1})
    root = Span(
        id=trace_id,
        seq=0,
        operation="invoke_workflow",
        name=f"invoke_workflow {head.get('workflow_name', '')}".rstrip(),
        status_source="inferred",
        attributes={key: head[key] for key in ("group_id", "metadata") if head.get(key)},
    )
    starts = [draft.started for draft in drafts.values() if draft.started is not None]
    top = SpanDraft(span=root, started=min(starts) if starts else None)
    return trace_of_drafts(trace_id, [top, *drafts.values()], source, unread={})


def _draft(record: Mapping[str, Any], span_id: str, longest_text: int | None) -> SpanDraft:
    data = as_record(record.get("span_data"))
    kind, name = str(data.get("type")), as_text(data.get("name"))
    operation: Operation = OPERATIONS.get(kind, "other")
    started, ended = as_moment(record.get("started_at")), as_moment(record.get("ended_at"))
    error = as_record(record.get("error"))
    error_text = as_text(error.get("message"))
    said = text_of([error_text or "", as_text(as_record(error.get("data")).get("error")) or ""]) or ""
    span = Span(
        id=span_id,
        seq=0,
        operation=operation,
        name=" ".join(part for part in (operation if operation != "other" else kind, name) if part),
        parent_id=as_text(record.get("parent_id")) or as_text(record.get("trace_id")),
        started_at=started,
        ended_at=ended,
        status="error" if error else "unknown" if ended is None else "ok",
        error_type=error_type_in(said) if error else None,
        error_text=error_text,
        tool=_tool(data) if operation == "execute_tool" else None,
        model=as_text(data.get("model")) if operation == "chat" else None,
        usage=usage_of(data.get("usage")) if operation == "chat" else None,
        text=_said(data.get("output")) if operation == "chat" else None,
        source_span_ids=(span_id,),
        attributes=_rest(data, error),
    )
    return SpanDraft(
        span=cut_span(span, longest_text),
        started=None if started is None else nanoseconds_of(started),
        agent_name=name if operation == "invoke_agent" else None,
        delegate_name=as_text(data.get("to_agent")) if operation == "handoff" else None,
    )


def _tool(data: Mapping[str, Any]) -> ToolUse:
    return ToolUse(
        name=as_text(data.get("name")) or "?",
        arguments=parsed(data.get("input")),
        result=result_of(data.get("output")),
    )


def _said(output: Any) -> str | None:
    """Return the text of a model call's output: messages with contents, or items with parts."""
    texts = [text for message in as_list(output) if (text := text_of(as_record(message).get("content")))]
    return "\n".join(texts) or None


def _rest(data: Mapping[str, Any], error: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in data.items() if key not in UNDERSTOOD and value is not None}
    return {**rest, "error.data": error["data"]} if error.get("data") else rest
