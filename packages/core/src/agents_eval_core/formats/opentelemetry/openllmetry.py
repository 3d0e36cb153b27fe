"""OpenLLMetry (Traceloop): `traceloop.*` on workflows, agents, tools and tasks, `gen_ai.*` and `llm.*` on requests.

The messages are flattened (`gen_ai.prompt.0.content`, `gen_ai.completion.0.content`) or, since 0.40, those of the GenAI
conventions; of them the answer's text is kept and the rest remains in the file.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.json_text.json_values import as_record, parsed
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

KINDS: Final[Mapping[str, Operation]] = {
    "workflow": "invoke_workflow",
    "agent": "invoke_agent",
    "tool": "execute_tool",
}
REQUESTS: Final = ("chat", "completion")
LEFT_IN_THE_FILE: Final = ("gen_ai.prompt.", "gen_ai.completion.", "llm.prompts.", "llm.completions.")
SAID: Final = ("gen_ai.completion.", "llm.completions.")


def openllmetry_draft(raw: RawSpan) -> SpanDraft:
    """Return what a record says; a task of the program, and a request for embeddings, are `other`.

    >>> openllmetry_draft(RawSpan(trace_id="t", id="a", name="search.tool", attributes={
    ...     "traceloop.span.kind": "tool", "traceloop.entity.name": "search"})).span.tool.name
    'search'
    """
    rest = raw.attributes
    end = ending(raw)
    operation = _take_operation(rest)
    text = _take_text(raw) if operation == "chat" else None
    for name in HISTORIES:
        rest.pop(name, None)
    entity = take_text(rest, "traceloop.entity.name") if operation in ("invoke_agent", "execute_tool") else None
    agent_name = take_text(rest, "gen_ai.agent.name")
    if operation == "invoke_agent":
        agent_name = agent_name or entity or raw.name.removesuffix(".agent")
    span = span_of(
        raw,
        operation,
        end,
        tool=_take_tool(rest, entity or raw.name.removesuffix(".tool")) if operation == "execute_tool" else None,
        model=_take_model(rest) if operation == "chat" else None,
        usage=_take_usage(rest, operation),
        text=text,
    )
    return SpanDraft(span=span, started=raw.started, agent_name=agent_name, unread=unread_events(raw.events))


def _take_operation(rest: dict[str, Any]) -> Operation:
    kind = rest.get("traceloop.span.kind")
    if isinstance(kind, str) and kind in KINDS:
        del rest["traceloop.span.kind"]
        rest.pop("gen_ai.operation.name", None)
        return KINDS[kind]
    if rest.get("llm.request.type") in REQUESTS or rest.get("gen_ai.operation.name") in REQUESTS:
        rest.pop("llm.request.type", None)
        rest.pop("gen_ai.operation.name", None)
        return "chat"
    return "other"


def _take_text(raw: RawSpan) -> str | None:
    rest = raw.attributes
    flat = "\n".join(_flat_texts(rest))
    for key in [key for key in rest if key.startswith(LEFT_IN_THE_FILE)]:
        del rest[key]
    return flat or take_said(rest, raw.events)


def _flat_texts(rest: Mapping[str, Any]) -> Iterator[str]:
    for key, value in rest.items():
        if key.startswith(SAID) and key.endswith(".content") and isinstance(value, str) and value:
            yield value


def _take_model(rest: dict[str, Any]) -> str | None:
    return take_text(rest, "gen_ai.response.model", "gen_ai.request.model", "llm.response.model", "llm.request.model")


def _take_tool(rest: dict[str, Any], name: str) -> ToolUse:
    is_own = "traceloop.entity.input" in rest or "traceloop.entity.output" in rest
    tool = take_tool(
        rest,
        name,
        name=("gen_ai.tool.name",),
        call_id="gen_ai.tool.call.id",
        arguments="traceloop.entity.input" if is_own else "gen_ai.tool.call.arguments",
        result="traceloop.entity.output" if is_own else "gen_ai.tool.call.result",
    )
    return replace(tool, arguments=_called_with(tool.arguments))


def _called_with(given: Any) -> Any:
    """Return the arguments of a function from what its decorator wrote: those by name if there are no others.

    >>> _called_with({"args": [], "kwargs": {"q": "a"}}), _called_with({"args": ["a"], "kwargs": {}})
    ({'q': 'a'}, {'args': ['a'], 'kwargs': {}})
    """
    record = as_record(given)
    if record.get("args") == [] and "kwargs" in record:
        return record["kwargs"]
    return parsed(record["input_str"]) if "input_str" in record else given


def _take_usage(rest: dict[str, Any], operation: Operation) -> Usage | None:
    usage = Usage(
        input_tokens=take_count(
            rest, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens"
        ),
        output_tokens=take_count(
            rest, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens"
        ),
        cached_tokens=take_count(rest, "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.cache_read.input_tokens"),
        cost_usd=take_cost(rest, "gen_ai.usage.cost"),
        scope="subtree" if operation in ("invoke_agent", "invoke_workflow") else "self",
    )
    return known_usage(usage)
