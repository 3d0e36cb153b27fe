"""The ordered steps of a trace: what was said, which tools were called, and who handed work to whom."""

from dataclasses import dataclass
from typing import Any, Final, cast

from agents_eval_core.trace import Span, Status, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something an agent said."""

    span_id: str
    agent_id: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool an agent called, with what came back."""

    span_id: str
    agent_id: str | None
    name: str
    arguments: Any
    result: str | None
    status: Status
    error_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """Work that one agent gave to another, and the answer where there was one."""

    span_id: str
    agent_id: str | None
    to_agent_id: str
    request: Any
    answer: str | None
    status: Status


Step = Message | ToolCall | Handoff
TRAJECTORY: Final = "trajectory"


def trajectory(trace: Trace) -> tuple[Step, ...]:
    """Return the steps of a trace in the order in which they began.

    >>> from agents_eval_core.trace import Source, ToolUse
    >>> trace = Trace(id="t", source=Source(format="native"), spans=(Span(
    ...     id="a", seq=0, operation="execute_tool", name="read", agent_id="m", tool=ToolUse(name="read")),))
    >>> [step.name for step in trajectory(trace)]
    ['read']
    """
    held = vars(trace)  # several metrics ask, and a trace never changes; the steps go when the trace goes
    if TRAJECTORY not in held:
        held[TRAJECTORY] = tuple(step for span in trace.spans if (step := _step(span)) is not None)
    return cast("tuple[Step, ...]", held[TRAJECTORY])


def _step(span: Span) -> Step | None:
    if span.is_delegation and span.to_agent_id is not None:
        return Handoff(
            span_id=span.id,
            agent_id=span.agent_id,
            to_agent_id=span.to_agent_id,
            request=span.tool.arguments if span.tool else span.text,
            answer=span.tool.result if span.tool else None,
            status=span.status,
        )
    if span.operation == "execute_tool" and span.tool is not None:
        return ToolCall(
            span_id=span.id,
            agent_id=span.agent_id,
            name=span.tool.name,
            arguments=span.tool.arguments,
            result=span.tool.result,
            status=span.status,
            error_type=span.error_type,
        )
    if span.operation in ("chat", "message") and span.text:
        return Message(span_id=span.id, agent_id=span.agent_id, text=span.text)
    return None
