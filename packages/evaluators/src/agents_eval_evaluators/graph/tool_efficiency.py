"""The share of tool calls that brought something: neither failures left standing nor repeats."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trajectory import ToolCall, trajectory
from agents_eval_evaluators.scoring import measured, unmeasured

_READING: Final = frozenset(
    {
        "calculate",
        "check",
        "count",
        "fetch",
        "find",
        "get",
        "glob",
        "grep",
        "inspect",
        "list",
        "look",
        "lookup",
        "ls",
        "open",
        "query",
        "read",
        "retrieve",
        "search",
        "show",
        "think",
        "view",
    }
)
_NAME_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def equal_call(call: ToolCall) -> str:
    """Return what two calls of a tool have in common when they are the same call, whatever their arguments' order."""
    return f"{call.name} {arguments_text(call.arguments)}"


def arguments_text(arguments: Any) -> str:
    """Return arguments as text in which the order of keys does not matter.

    >>> arguments_text({"b": 1, "a": [2]})
    '{"a": [2], "b": 1}'
    """
    return arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=True, default=str)


def only_reads(name: str) -> bool:
    """Whether a tool's name says that it changes nothing: it begins or ends with a word for reading.

    >>> [only_reads(name) for name in ("read_section", "paper_search", "WebFetch", "write_file")]
    [True, True, True, False]
    """
    parts = _NAME_PART.findall(name)
    return bool(parts) and not _READING.isdisjoint((parts[0].lower(), parts[-1].lower()))


def unrecovered_failures(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the failed calls that no later success made good.

    One success of a tool makes good one failure: the nearest before it of the same tool by the same agent. So a
    retry that works is no waste, but ninety-nine failures are not excused by one success. Whether another tool
    served instead cannot be told from names and is not credited. A status that is not known is no failure.
    """
    open_failures: dict[tuple[str | None, str], list[ToolCall]] = {}
    for call in calls:
        waiting = open_failures.setdefault((call.agent_id, call.name), [])
        if call.status == "error":
            waiting.append(call)
        elif waiting:
            waiting.pop()
    left = {id(call) for waiting in open_failures.values() for call in waiting}
    return tuple(call for call in calls if id(call) in left)


def repeats(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the calls that an agent had made before with equal arguments and equal result, and nothing changed since.

    Something may have changed when, in between, a different call succeeded whose tool does not by its name only read.
    A call whose result or arguments the trace does not hold is never a repeat: nobody knows.
    """
    found: list[ToolCall] = []
    last: dict[tuple[str | None, str], tuple[str, int]] = {}
    changes: list[str] = []
    for call in calls:
        same = equal_call(call)
        if call.result is not None and call.arguments is not None:
            before = last.get((call.agent_id, same))
            if before is not None and before[0] == call.result and not set(changes[before[1] :]) - {same}:
                found.append(call)
            last[call.agent_id, same] = (call.result, len(changes))
        if call.status != "error" and not only_reads(call.name):
            changes.append(same)
    return tuple(found)


def tool_efficiency(calls: Sequence[ToolCall]) -> float:
    """Return the share of calls that are neither unrecovered failures nor repeats.

    Args:
        calls: Tool calls in the order in which they began, delegations excluded.

    Raises:
        UndefinedMetricError: No tool was called, so there is no share.

    >>> def call(name, result="x", status="ok"):
    ...     return ToolCall(span_id="", agent_id="a", name=name, arguments={}, result=result, status=status,
    ...         error_type=None)
    >>> tool_efficiency([call("read"), call("read"), call("search"), call("search", "no network", "error")])
    0.5
    """
    if not calls:
        raise UndefinedMetricError("tool_efficiency", because="no tool was called")
    return 1 - len(_wasted(calls)) / len(calls)


def _wasted(calls: Sequence[ToolCall]) -> set[int]:
    wasted = (*unrecovered_failures(calls), *repeats(calls))
    return {id(call) for call in wasted}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEfficiency:
    """Scores a run by `tool_efficiency`."""

    name: str = "tool_efficiency"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("tool_efficiency",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Score the tool calls; without any, say what that means for the case."""
        if run.trace is None:
            return unmeasured(self, "not_measured", "the run has no trace")
        calls = [step for step in trajectory(run.trace) if isinstance(step, ToolCall)]
        if not calls:
            return self._without_calls(run)
        failures, repeated = unrecovered_failures(calls), repeats(calls)
        failed = sum(call.status == "error" for call in calls)
        return measured(
            self,
            tool_efficiency(calls),
            explanation=_explanation(len(calls), failed, len(failures), len(repeated)),
            measures=(
                Measure(name="tool_calls", value=len(calls), unit="calls"),
                Measure(name="failed_calls", value=failed, unit="calls"),
                Measure(name="unrecovered_failures", value=len(failures), unit="calls"),
                Measure(name="repeated_calls", value=len(repeated), unit="calls"),
            ),
            span_ids=dict.fromkeys(call.span_id for call in (*failures, *repeated)),
        )

    def _without_calls(self, run: Run) -> Evaluation:
        if run.system.tools_offered == ():
            return unmeasured(self, "not_applicable", "no tool was on offer")
        if run.case.needs_tools:
            return measured(self, 0.0, explanation="the task cannot be done without tools, and none was called")
        return unmeasured(self, "not_measured", "no tool was called, and the case does not say that tools are needed")


def _explanation(calls: int, failed: int, unrecovered: int, repeated: int) -> str:
    """Return what became of the calls.

    >>> _explanation(11, 2, 1, 0)
    '11 tool calls: 2 failed, of which 1 was never made good; none repeated what was known'
    """
    failures = f"{failed} failed, of which {unrecovered} {'was' if unrecovered == 1 else 'were'} never made good"
    repeats = f"{repeated} repeated what was known" if repeated else "none repeated what was known"
    return f"{calls} tool call{'' if calls == 1 else 's'}: {failures if failed else 'none failed'}; {repeats}"
