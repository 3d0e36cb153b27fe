"""OpenInference: the conventions of Phoenix and of the instrumentations for smolagents, LangChain, CrewAI and others.

`LLM` is a `chat`, `AGENT` an `invoke_agent`, `TOOL` an `execute_tool`, `RETRIEVER` a `retrieval`, others are `other`.
The messages (`llm.input_messages.…`) and, of an `LLM`, the repeated request and answer (`input.value`, `output.value`)
remain in the file, except for what the model said. Tokens of an `AGENT` repeat those of the calls below it: `subtree`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import force_setattr, replace

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.json_text.json_values import as_record, as_text, parsed
from agents_eval_core.formats.opentelemetry.genai_messages import unread_events
from agents_eval_core.formats.opentelemetry.otel_status import ending
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.formats.opentelemetry.span_of_record import span_of
from agents_eval_core.formats.opentelemetry.taken_attributes import (
    take_cost,
    take_count,
    take_text,
    take_tool,
)
from agents_eval_core.trace import Operation, ToolUse, Usage

KIND: Final = "openinference.span.kind"
OPERATIONS: Final[Mapping[str, Operation]] = {
    "LLM": "chat",
    "AGENT": "invoke_agent",
    "TOOL": "execute_tool",
    "RETRIEVER": "retrieval",
}
SAID: Final = "llm.output_messages."
LEFT_IN_THE_FILE: Final = ("llm.input_messages.", SAID, "llm.prompts.", "llm.choices.")
REPEATED_BY_CHATS: Final = ("input.value", "input.mime_type", "output.value", "output.mime_type")
MANAGED: Final = "smolagents.managed_agents."


def openinference_draft(raw: RawSpan) -> SpanDraft:
    """Return what a record says.

    >>> draft = openinference_draft(RawSpan(trace_id="t", id="a", name="x", attributes={
    ...     "openinference.span.kind": "TOOL", "tool.name": "search", "input.value": '{"q": "a"}'}))
    >>> draft.span.tool
    ToolUse(name='search', call_id=None, arguments={'q': 'a'}, result=None)
    """
    rest = raw.attributes
    end = ending(raw)
    kind = str(rest.get(KIND)).upper()
    operation: Operation = OPERATIONS.get(kind, "other")
    if operation != "other":
        del rest[KIND]
    text = _take_said(rest) if operation == "chat" else None
    agent_name = take_text(rest, "agent.name")
    if operation == "invoke_agent":
        agent_name = agent_name or raw.name.removesuffix(".run")
    span = span_of(
        raw,
        operation,
        end,
        tool=_take_tool(rest, raw.name) if operation == "execute_tool" else None,
        model=take_text(rest, "llm.model_name") if operation == "chat" else None,
        usage=_take_usage(rest, operation),
        text=text,
    )
    return SpanDraft(span=span, started=raw.started, agent_name=agent_name, unread=unread_events(raw.events))


def openinference_settled(drafts: Sequence[SpanDraft]) -> Sequence[SpanDraft]:
    """Return the drafts, agents of smolagents with the names their manager has for them.

    Its spans only give the class of an agent; an agent below one that manages exactly one other is that other. The step
    in which it was called, having no span for the call, is the hand-off.
    """
    known = {draft.span.id: draft for draft in drafts}
    renamed: dict[str, SpanDraft] = {}
    for draft in drafts:
        manager = _manager(draft, known) if draft.span.operation == "invoke_agent" else None
        if manager is None:
            continue
        names = _managed_by(manager)
        name = names[0] if len(names) == 1 else draft.agent_name
        renamed[draft.span.id] = replace(draft, agent_name=name)
        step = known[draft.span.parent_id or ""]
        if step.span.operation in ("other", "handoff"):
            force_setattr(step.span, "operation", "handoff")
            renamed[step.span.id] = replace(step, delegate_name=name)
    return [renamed.get(draft.span.id, draft) for draft in drafts]


def _manager(draft: SpanDraft, known: Mapping[str, SpanDraft]) -> SpanDraft | None:
    """Return the agent that called another from its code; None where a tool call stands between, or there is none."""
    above, seen = known.get(draft.span.parent_id or ""), {draft.span.id}
    while above is not None and above.span.id not in seen and above.span.operation in ("other", "handoff"):
        seen.add(above.span.id)
        above = known.get(above.span.parent_id or "")
    is_manager = above is not None and above.span.operation == "invoke_agent" and above.span.id not in seen
    return above if is_manager and above is not None and _managed_by(above) else None


def _managed_by(manager: SpanDraft) -> Sequence[str]:
    about = manager.span.attributes
    return [str(value) for key, value in about.items() if key.startswith(MANAGED) and key.endswith(".name")]


def _take_said(rest: dict[str, Any]) -> str | None:
    """Take the text of an answer, and leave the histories in the file."""
    texts = "\n".join(_texts(rest))
    is_plain = rest.get("output.mime_type", "text/plain") == "text/plain"
    answered = any(key.startswith(SAID) for key in rest)
    if not answered and is_plain:
        texts = as_text(rest.get("output.value")) or ""
    for key in [key for key in rest if key.startswith(LEFT_IN_THE_FILE)]:
        del rest[key]
    for key in REPEATED_BY_CHATS:
        rest.pop(key, None)
    return texts or None


def _texts(rest: Mapping[str, Any]) -> Iterator[str]:
    for key, value in rest.items():
        if not key.startswith(SAID) or not isinstance(value, str):
            continue
        is_content = key.endswith(".message.content")
        is_part = key.endswith(".message_content.text")
        if value and (is_content or (is_part and rest.get(f"{key[:-5]}.type", "text") == "text")):
            yield value


def _take_tool(rest: dict[str, Any], span_name: str) -> ToolUse:
    rest.pop("input.mime_type", None)
    rest.pop("output.mime_type", None)
    asked = "input.value" if "input.value" in rest else "tool_call.function.arguments"
    tool = take_tool(
        rest,
        span_name,
        name=("tool.name", "tool_call.function.name"),
        call_id="tool_call.id",
        arguments=asked,
        result="output.value",
    )
    return replace(tool, arguments=_called_with(tool.arguments))


def _called_with(arguments: Any) -> Any:
    """Return the arguments by name where smolagents has them beside an empty list of those by place.

    >>> _called_with({"args": [], "kwargs": {"q": "a"}, "sanitize_inputs_outputs": True})
    {'q': 'a'}
    """
    record = as_record(arguments)
    if record.get("args") == [] and "kwargs" in record:
        return parsed(record["kwargs"])
    return arguments


def _take_usage(rest: dict[str, Any], operation: Operation) -> Usage | None:
    usage = Usage(
        input_tokens=take_count(rest, "llm.token_count.prompt"),
        output_tokens=take_count(rest, "llm.token_count.completion"),
        cached_tokens=take_count(rest, "llm.token_count.prompt_details.cache_read"),
        cost_usd=take_cost(rest, "llm.cost.total"),
        scope="subtree" if operation in ("invoke_agent", "other") else "self",
    )
    return known_usage(usage)
