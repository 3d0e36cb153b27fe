"""Claude Code's own telemetry (`CLAUDE_CODE_ENHANCED_TELEMETRY_BETA`): the spans that its command line exports.

A tool call is up to three records: the call, the wait for a permission, the execution. They become one span. A
sub-agent has no record of its own: the execution of the `Agent` call, below which its requests stand, is its
invocation. Agents of one kind are told apart by their `agent_id`.

`input_tokens` are the tokens that were neither read from the cache nor written to it; with those they make the input.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.json_text.json_values import as_json, as_text
from agents_eval_core.formats.opentelemetry.genai_messages import unread_events
from agents_eval_core.formats.opentelemetry.otel_status import Ending, ending
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.formats.opentelemetry.span_of_record import span_of
from agents_eval_core.formats.opentelemetry.taken_attributes import take_cost, take_count, take_text
from agents_eval_core.trace import Operation, Role, Span, ToolUse, Usage

OPERATIONS: Final[Mapping[str, Operation]] = {
    "interaction": "invoke_agent",
    "llm_request": "chat",
    "tool": "execute_tool",
}
PARTS_OF_A_CALL: Final = ("tool.execution", "tool.blocked_on_user")
TYPE: Final = "span.type"
MAIN_AGENT: Final = "claude-code"
DELEGATING: Final = ("Agent", "Task")
HOUSEKEEPING: Final = ("compact", "title", "summar", "warmup", "topic", "quota")
KNOWN_EVENTS: Final = ("gen_ai.request.attempt", "tool.output")


def claude_code_draft(raw: RawSpan) -> SpanDraft:
    """Return what a record says by itself.

    >>> draft = claude_code_draft(RawSpan(trace_id="t", id="a", name="claude_code.llm_request", ended=1, attributes={
    ...     "span.type": "llm_request", "model": "m", "input_tokens": 2, "cache_read_tokens": 40}))
    >>> draft.span.usage.input_tokens, draft.span.usage.cached_tokens
    (42, 40)
    """
    rest = raw.attributes
    end = _ending(raw)
    operation: Operation = OPERATIONS.get(str(rest.get(TYPE)), "other")
    rest.pop("gen_ai.operation.name", None)
    source = str(rest.get("query_source_safe", ""))
    role: Role | None = "system" if any(word in source for word in HOUSEKEEPING) else None
    span = span_of(
        raw,
        operation,
        end,
        tool=_take_tool(raw) if operation == "execute_tool" else None,
        model=take_text(rest, "gen_ai.request.model", "model") if operation == "chat" else None,
        usage=take_usage(rest) if operation == "chat" else None,
    )
    return SpanDraft(
        span=span,
        started=raw.started,
        agent_name=MAIN_AGENT if operation == "invoke_agent" else (source if role else None),
        agent_role=role,
        delegate_name=_delegate(span),
        unread=unread_events([event for event in raw.events if event.name not in KNOWN_EVENTS]),
    )


def claude_code_settled(drafts: Sequence[SpanDraft]) -> Sequence[SpanDraft]:
    """Return the drafts, the records of one tool call as one span, and sub-agents as agents."""
    calls = {draft.span.id: draft for draft in drafts if draft.span.tool is not None}
    keys = _agent_ids(drafts)
    settled: dict[str, SpanDraft] = {}
    moved: dict[str, str] = {}
    for draft in drafts:
        call = calls.get(draft.span.parent_id or "")
        if call is None or draft.span.attributes.get(TYPE) not in PARTS_OF_A_CALL:
            settled.setdefault(draft.span.id, draft)
            continue
        whole = settled.get(call.span.id, call)
        settled[call.span.id] = replace(whole, span=_joined(whole.span, draft.span))
        if call.delegate_name is not None and draft.span.id in keys:
            settled[draft.span.id] = _invocation(draft, call.delegate_name, keys[draft.span.id])
        else:
            moved[draft.span.id] = call.span.id
    return [_under(draft, moved) for draft in settled.values()]


def _under(draft: SpanDraft, moved: Mapping[str, str]) -> SpanDraft:
    """Return a draft under the span that its parent became a part of."""
    parent = moved.get(draft.span.parent_id or "")
    return draft if parent is None else replace(draft, span=replace(draft.span, parent_id=parent))


def _agent_ids(drafts: Sequence[SpanDraft]) -> Mapping[str, str]:
    """Return, by the record they stand under, the ids of the sub-agents that made requests or calls."""
    own = {draft.span.id: draft.span.attributes.get("agent_id") for draft in drafts}
    found: dict[str, str] = {}
    for draft in drafts:
        agent_id = as_text(own[draft.span.id])
        if agent_id and draft.span.parent_id and own.get(draft.span.parent_id) != agent_id:
            found.setdefault(draft.span.parent_id, agent_id)
    return found


def _invocation(execution: SpanDraft, name: str, agent_id: str) -> SpanDraft:
    span = replace(execution.span, operation="invoke_agent", name=f"invoke_agent {name}")
    return replace(execution, span=span, agent_name=name, agent_key=agent_id)


def _joined(call: Span, part: Span) -> Span:
    """Return a tool call with what one of its other records says."""
    call = replace(call, source_span_ids=(*call.source_span_ids, part.id))
    if part.attributes.get(TYPE) == "tool.blocked_on_user":
        return _decided(call, part.attributes)
    status = {"status": part.status, "status_source": part.status_source}
    return replace(call, **status, error_type=part.error_type, error_text=part.error_text)


def _decided(call: Span, about: Mapping[str, Any]) -> Span:
    call = replace(call, attributes={**call.attributes, "decision": about.get("decision")})
    if about.get("decision") != "reject":
        return call
    return replace(call, status="error", status_source="inferred", error_type="denied", error_text=None)


def _ending(raw: RawSpan) -> Ending:
    """Return how a record ended; a call alone does not know, only its execution does."""
    kind, success = raw.attributes.get(TYPE), raw.attributes.get("success")
    if kind == "tool":
        return Ending("unknown", "inferred")
    if isinstance(success, bool) and not raw.code:
        error_text = as_text(raw.attributes.get("error"))
        return Ending("ok" if success else "error", "declared", _error_type(raw), error_text)
    end = ending(raw)
    return Ending(end.status, end.source, _error_type(raw) or end.error_type, end.error_text)


def _error_type(raw: RawSpan) -> str | None:
    return as_text(raw.attributes.get("error_class")) or as_text(raw.attributes.get("error.type"))


def _take_tool(raw: RawSpan) -> ToolUse:
    rest = raw.attributes
    output = next((event.attributes for event in raw.events if event.name == "tool.output"), None)
    return ToolUse(
        name=take_text(rest, "tool_name", "gen_ai.tool.name") or raw.name,
        call_id=take_text(rest, "gen_ai.tool.call.id", "tool_use_id"),
        arguments={"file_path": rest["file_path"]} if isinstance(rest.get("file_path"), str) else None,
        result=_output(output) if output is not None else None,
    )


def _output(output: Mapping[str, Any]) -> str:
    for name in ("output", "content"):
        if isinstance(output.get(name), str):
            return output[name]
    return as_json(dict(output))


def _delegate(span: Span) -> str | None:
    if span.tool is None or span.tool.name not in DELEGATING:
        return None
    return as_text(span.attributes.get("subagent_type")) or "general-purpose"


def take_usage(rest: dict[str, Any]) -> Usage | None:
    """Take what a request took, by the names that spans and events have; what was written to the cache stays too."""
    fresh, cached, written = (
        take_count(rest, name) for name in ("input_tokens", "cache_read_tokens", "cache_creation_tokens")
    )
    if written is not None:
        rest["cache_creation_tokens"] = written
    return known_usage(
        Usage(
            input_tokens=None if fresh is None else fresh + (cached or 0) + (written or 0),
            output_tokens=take_count(rest, "output_tokens"),
            cached_tokens=cached,
            cost_usd=take_cost(rest, "cost_usd"),
        )
    )
