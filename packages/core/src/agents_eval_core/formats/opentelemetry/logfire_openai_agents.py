"""How Logfire writes what the OpenAI Agents SDK and the OpenAI client do.

Names are templates, and the filled text is `logfire.msg`, which becomes the span's name. `Task` and `Turn` are `other`:
their usage repeats that of the requests below them. A hand-off is a span of its own; the tool call by which the model
asked for it, where there is one beside it, is the same thing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.json_text.json_values import as_record, as_records, as_text, parsed
from agents_eval_core.formats.opentelemetry.genai_messages import HISTORIES, take_said, texts_of, unread_events
from agents_eval_core.formats.opentelemetry.otel_status import ending
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.formats.opentelemetry.span_of_record import span_of
from agents_eval_core.formats.opentelemetry.taken_attributes import take_count, take_text, take_tool
from agents_eval_core.trace import Operation, ToolUse, Usage

TEMPLATES: Final[Mapping[str, Operation]] = {
    "OpenAI Agents trace": "invoke_workflow",
    "Agent run": "invoke_agent",
    "Function": "execute_tool",
    "Handoff": "handoff",
    "Responses API with {gen_ai.request.model!r}": "chat",
    "Responses API": "chat",
    "Chat completion with {gen_ai.request.model!r}": "chat",
    "Chat Completion with {request_data[model]!r}": "chat",
}
LEFT_IN_THE_FILE: Final = (*HISTORIES, "request_data", "logfire.msg_template", "logfire.msg", "logfire.span_type")
TRANSFER: Final = "transfer_to_"


def openai_agents_draft(raw: RawSpan) -> SpanDraft:
    """Return what a record says.

    >>> draft = openai_agents_draft(RawSpan(trace_id="t", id="a", name="Handoff", attributes={
    ...     "logfire.msg_template": "Handoff: {from_agent} → {to_agent}", "from_agent": "a", "to_agent": "b"}))
    >>> draft.span.operation, draft.agent_name, draft.delegate_name
    ('handoff', 'a', 'b')
    """
    rest = raw.attributes
    end = ending(raw)
    operation = _operation(rest)
    name = as_text(rest.get("logfire.msg")) or raw.name
    text = _take_said(raw) if operation == "chat" else None
    for key in LEFT_IN_THE_FILE:
        rest.pop(key, None)
    agent_name = _take_agent(rest, operation)
    delegate_name = take_text(rest, "to_agent") if operation == "handoff" else None
    span = span_of(
        raw,
        operation,
        end,
        name=name,
        tool=_take_tool(rest, name) if operation == "execute_tool" else None,
        model=take_text(rest, "gen_ai.response.model", "gen_ai.request.model") if operation == "chat" else None,
        usage=_take_usage(rest) if operation == "chat" else None,
        text=text,
    )
    return SpanDraft(
        span=span,
        started=raw.started,
        agent_name=agent_name,
        delegate_name=delegate_name,
        unread=unread_events(raw.events),
    )


def openai_agents_settled(drafts: Sequence[SpanDraft]) -> Sequence[SpanDraft]:
    """Return the drafts without tool calls that a hand-off beside them tells of again."""
    handed = {draft.span.parent_id for draft in drafts if draft.span.operation == "handoff"}
    return [draft for draft in drafts if not (_is_transfer(draft.span.tool) and draft.span.parent_id in handed)]


def _is_transfer(tool: ToolUse | None) -> bool:
    return tool is not None and tool.name.startswith(TRANSFER)


def _operation(rest: dict[str, Any]) -> Operation:
    template = str(rest.get("logfire.msg_template", ""))
    if rest.get("gen_ai.operation.name") == "chat":
        del rest["gen_ai.operation.name"]
        return "chat"
    return TEMPLATES.get(template) or TEMPLATES.get(template.partition(":")[0], "other")


def _take_agent(rest: dict[str, Any], operation: Operation) -> str | None:
    match operation:
        case "invoke_agent":
            return take_text(rest, "name")
        case "handoff":
            return take_text(rest, "from_agent")
        case _:
            return take_text(rest, "agent_name")


def _take_tool(rest: dict[str, Any], name: str) -> ToolUse:
    return take_tool(rest, name, name=("name",), call_id="call_id", arguments="input", result="output")


def _take_said(raw: RawSpan) -> str | None:
    rest = raw.attributes
    said = take_said(rest, raw.events)
    if said is None:
        said = "\n".join(_texts(rest)) or None
    for key in ("input", "output", "response_data"):
        rest.pop(key, None)
    return said


def _texts(rest: Mapping[str, Any]) -> Iterator[str]:
    answer = as_record(as_record(parsed(rest.get("response_data"))).get("message"))
    for message in [answer, *as_records(parsed(rest.get("output")))]:
        yield from texts_of(message.get("content"))


def _take_usage(rest: dict[str, Any]) -> Usage | None:
    told = as_record(parsed(rest.pop("usage", None)))
    details = as_record(told.get("input_tokens_details"))
    input_tokens, output_tokens = (take_count(rest, f"gen_ai.usage.{side}_tokens") for side in ("input", "output"))
    usage = Usage(
        input_tokens=take_count(told, "input_tokens") if input_tokens is None else input_tokens,
        output_tokens=take_count(told, "output_tokens") if output_tokens is None else output_tokens,
        cached_tokens=take_count(details, "cached_tokens"),
    )
    return known_usage(usage)
