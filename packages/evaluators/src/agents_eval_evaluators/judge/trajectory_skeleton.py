"""The steps of a run as a judge reads them: all of them in order, each cut short, long runs in the middle."""

import json
from collections.abc import Sequence
from typing import Any, Final

from agents_eval_core.trace import Trace
from agents_eval_core.trajectory import Handoff, Message, Step, ToolCall, trajectory

STEP_CHARACTERS: Final = 240
MOST_STEPS: Final = 120


def trajectory_skeleton(trace: Trace) -> str:
    """Return the steps of a trace as numbered lines; what is left out is said.

    >>> from agents_eval_core.trace import Agent, Source, Span, ToolUse
    >>> print(trajectory_skeleton(Trace(id="t", source=Source(format="native"), agents=(Agent(id="a", name="ann"),),
    ...     spans=(Span(id="1", seq=0, operation="execute_tool", name="read", agent_id="a", status="ok",
    ...         tool=ToolUse(name="read", arguments={"section": 2}, result="Results.")),))))
    1. ann calls read {"section": 2} -> ok: Results.
    """
    lines = [f"{number}. {_line(step, trace)}" for number, step in enumerate(trajectory(trace), start=1)]
    return "\n".join(_without_middle(lines))


def _without_middle(lines: Sequence[str]) -> Sequence[str]:
    if len(lines) <= MOST_STEPS:
        return lines
    half = MOST_STEPS // 2
    return [*lines[:half], f"[{len(lines) - MOST_STEPS} steps left out]", *lines[-half:]]


def _line(step: Step, trace: Trace) -> str:
    who = trace.agent_name(step.agent_id)
    match step:
        case Message():
            return f"{who} says: {_short(step.text)}"
        case ToolCall():
            return f"{who} calls {step.name} {_short(step.arguments)} -> {step.status}: {_short(step.result)}"
        case Handoff():
            to = trace.agent_name(step.to_agent_id)
            return f"{who} hands to {to}: {_short(step.request)} -> {step.status}: {_short(step.answer)}"


def _short(value: Any) -> str:
    if value is None:
        return "(not recorded)"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    return text if len(text) <= STEP_CHARACTERS else f"{text[:STEP_CHARACTERS]} [{len(text)} characters]"
