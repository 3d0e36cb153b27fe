"""OpenTelemetry's semantic conventions for generative AI, old and new, and PydanticAI's use of them (formats 2 to 6).

One record becomes one span. What is used leaves `attributes`; what is not stays there under its own name, with these
exceptions, which remain in the file only: the repeated message histories (`gen_ai.input.messages`,
`pydantic_ai.all_messages`, `gen_ai.output.messages`, of which the assistant's text is kept, and what older versions
have in their place) and `logfire.json_schema`, which describes other attributes. Events that are neither exceptions
nor messages are counted as unread.

Usage is read from `chat` spans, each its own. An agent's totals (`gen_ai.aggregated_usage.*`) stay attributes, since
they repeat its chats; where an agent span has `gen_ai.usage.*` itself, its usage has the scope `subtree`. Figures of a
request that had not ended (`gen_ai.usage.partial.*`, Claude Agent SDK) stay attributes too: the agent has the total.
"""

from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.json_text.json_values import as_text
from agents_eval_core.formats.opentelemetry.genai_messages import HISTORIES, take_said, unread_events
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

OPERATIONS: Final[Mapping[str, Operation]] = {
    "chat": "chat",
    "text_completion": "chat",
    "generate_content": "chat",
    "completion": "chat",
    "invoke_agent": "invoke_agent",
    "execute_tool": "execute_tool",
    "invoke_workflow": "invoke_workflow",
    "retrieval": "retrieval",
    "plan": "plan",
}
USAGE: Final = frozenset(
    (
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "gen_ai.usage.cache_read.input_tokens",
        "operation.cost",
        "gen_ai.usage.cost",
    )
)
UNNAMED: Final = "agent"
OWN_USAGE: Final = ("chat", "embeddings")
TOOL_NAMES: Final = ("running tool", "running output function", "execute_tool ")


def genai_draft(raw: RawSpan) -> SpanDraft:
    """Return what the conventions say about a record; one that they do not know is an `other` span.

    >>> genai_draft(RawSpan(trace_id="t", id="a", name="chat m", attributes={
    ...     "gen_ai.operation.name": "chat", "gen_ai.response.model": "m", "gen_ai.usage.input_tokens": 3})).span.usage
    Usage(input_tokens=3, output_tokens=None, cached_tokens=None, cost_usd=None, scope='self')
    """
    rest = raw.attributes
    end = ending(raw)
    declared = rest.get("gen_ai.operation.name")
    operation: Operation = OPERATIONS.get(declared, "other") if isinstance(declared, str) else _inferred(rest, raw.name)
    if operation != "other":
        rest.pop("gen_ai.operation.name", None)
    text = take_said(rest, raw.events) if operation == "chat" else None
    for name in HISTORIES:
        rest.pop(name, None)
    agent_name = take_text(rest, "gen_ai.agent.name", "agent_name")
    tool, delegate_name = None, None
    if operation == "invoke_agent":
        agent_name = agent_name or raw.name.removeprefix("invoke_agent").strip() or UNNAMED
        rest.pop("gen_ai.output.messages", None)
    elif operation == "execute_tool":
        operation = "other" if _hands_in_the_answer(rest, raw.name) else operation
        delegate_name = take_text(rest, "agents_eval.delegate.to")
        tool = _tool(rest, raw.name)
    span = span_of(
        raw,
        operation,
        end,
        tool=tool,
        model=take_text(rest, "gen_ai.response.model", "gen_ai.request.model") if operation == "chat" else None,
        usage=_usage(rest, declared if declared in OWN_USAGE else operation),
        text=text,
    )
    return SpanDraft(
        span=span,
        started=raw.started,
        agent_name=agent_name,
        agent_key=as_text(rest.get("gen_ai.agent.id")),
        delegate_name=delegate_name,
        unread=unread_events(raw.events),
    )


def _inferred(rest: Mapping[str, Any], name: str) -> Operation:
    """Return the operation of a record that does not say it, as those of older versions."""
    if "agent_name" in rest and ("model_name" in rest or "all_messages_events" in rest):
        return "invoke_agent"
    if "mcp.method.name" in rest:
        return "other"
    if "tool_arguments" in rest or ("gen_ai.tool.name" in rest and name.startswith(TOOL_NAMES)):
        return "execute_tool"
    if "gen_ai.request.model" in rest and ("gen_ai.response.model" in rest or "gen_ai.completion" in rest):
        return "chat"
    return "other"


def _hands_in_the_answer(rest: Mapping[str, Any], span_name: str) -> bool:
    """Whether PydanticAI calls an output function here: the agent's answer, which looks like a tool call."""
    return str(rest.get("logfire.msg") or span_name).startswith("running output function")


def _tool(rest: dict[str, Any], span_name: str) -> ToolUse:
    is_old = "gen_ai.tool.call.arguments" not in rest and "gen_ai.tool.call.result" not in rest
    return take_tool(
        rest,
        span_name,
        name=("gen_ai.tool.name",),
        call_id="gen_ai.tool.call.id",
        arguments="tool_arguments" if is_old else "gen_ai.tool.call.arguments",
        result="tool_response" if is_old else "gen_ai.tool.call.result",
    )


def _usage(rest: dict[str, Any], operation: Any) -> Usage | None:
    if USAGE.isdisjoint(rest):
        return None
    return known_usage(
        Usage(
            input_tokens=take_count(rest, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
            output_tokens=take_count(rest, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
            cached_tokens=take_count(
                rest,
                "gen_ai.usage.cache_read.input_tokens",
                "gen_ai.usage.details.cache_read_tokens",
                "gen_ai.usage.cache_read_input_tokens",
            ),
            cost_usd=take_cost(rest, "operation.cost", "gen_ai.usage.cost"),
            scope="self" if operation in OWN_USAGE else "subtree",
        )
    )
