"""The tool calls of a trace, each with a key that equal calls share."""

from typing import Any, Final, NamedTuple

import msgspec

from agents_eval_core.trace import Span, ToolUse, Trace
from agents_eval_evaluators.graph.per_trace import per_trace

JSON_BEGINS: Final = frozenset("{[ \n\t\r")
_encoder: Final = msgspec.json.Encoder(enc_hook=str, order="sorted")


class Call(NamedTuple):
    """A tool call of a trace.

    Attributes:
        span: Where it was made.
        tool: What was called.
        key: Equal for calls of one tool with equal arguments. Where the trace records the arguments of no call at all,
            every call has a key of its own: nobody knows which are equal.
    """

    span: Span
    tool: ToolUse
    key: str

    @property
    def has_failed(self) -> bool:
        """Whether the source, or the text of the result, says that it failed."""
        return self.span.status == "error"

    def began_after(self, earlier: "Call") -> bool:
        """Whether a call began when one recorded before it had ended; without times the record tells the order."""
        begun, ended = self.span.started_at, earlier.span.ended_at
        return begun is None or ended is None or begun >= ended


def normal(value: Any) -> Any:
    """Return a JSON value, parsed where it is the text of an object or list; anything else as it is.

    >>> normal('{"a": 1}') == {"a": 1}
    True
    >>> normal("two")
    'two'
    """
    if isinstance(value, str) and value[:1] in JSON_BEGINS:
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return value
    return value


def value_key(value: Any) -> str:
    """Return a text that equal values share, whatever the order of keys and the layout of JSON.

    >>> value_key({"b": 1, "a": [2]}) == value_key('{ "a": [2],  "b": 1 }')
    True
    """
    try:
        return _encoder.encode(normal(value)).decode()
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError):
        return repr(value)


def call_key(name: str, arguments: Any) -> str:
    """Return what equal calls share."""
    return f"{name} {value_key(arguments)}"


@per_trace
def tool_calls(trace: Trace) -> tuple[Call, ...]:
    """Return the tool calls in the order in which they began; delegations are none."""
    made = [
        (span, span.tool)
        for span in trace.spans
        if span.tool is not None and span.operation == "execute_tool" and span.to_agent_id is None
    ]
    if all(tool.arguments is None for _, tool in made):
        return tuple(Call(span, tool, f"{tool.name} #{span.seq}") for span, tool in made)
    return tuple(Call(span, tool, call_key(tool.name, tool.arguments)) for span, tool in made)


def same_result(one: Call, other: Call) -> bool:
    """Whether two calls came to the same: equal results, or none recorded of either, and both or neither failed."""
    first, second = one.tool.result, other.tool.result
    if one.has_failed != other.has_failed:
        return False
    if first == second:
        return True
    return _may_be_json(first) and _may_be_json(second) and value_key(first) == value_key(second)


def _may_be_json(text: str | None) -> bool:
    return bool(text) and text[:1] in JSON_BEGINS
