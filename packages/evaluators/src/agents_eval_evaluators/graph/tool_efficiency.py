"""The share of tool calls that brought something: neither failures left standing nor repeats."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.graph.calls import Call, same_result, tool_calls
from agents_eval_evaluators.graph.failed_calls import unrecovered
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


@lru_cache(maxsize=512)
def only_reads(name: str) -> bool:
    """Whether a tool's name says that it changes nothing: it begins or ends with a word for reading.

    >>> [only_reads(name) for name in ("read_section", "paper_search", "WebFetch", "write_file")]
    [True, True, True, False]
    """
    parts = _NAME_PART.findall(name)
    return bool(parts) and not _READING.isdisjoint((parts[0].lower(), parts[-1].lower()))


def repeats(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the calls that an agent had made before with equal arguments and equal result, and nothing changed since.

    Something may have changed when, in between, a different call succeeded whose tool does not by its name only read.
    A trace that records the arguments of no call shows no repeats: nobody knows.
    """
    found: list[Call] = []
    last: dict[tuple[str | None, str], tuple[Call, int]] = {}
    changes: Counter[str] = Counter()
    total = 0
    for call in calls:
        others = total - changes[call.key]
        same = (call.span.agent_id, call.key)
        before = last.get(same)
        if before is not None and before[1] == others and same_result(before[0], call):
            found.append(call)
        last[same] = (call, others)
        if not call.has_failed and not only_reads(call.tool.name):
            changes[call.key] += 1
            total += 1
    return tuple(found)


def tool_efficiency(calls: int, wasted: int) -> float:
    """Return the share of calls that are neither unrecovered failures nor repeats.

    Args:
        calls: How many tool calls there were, delegations excluded.
        wasted: How many of them are in `unrecovered` or in `repeats`.

    Raises:
        UndefinedMetricError: No tool was called, so there is no share.

    >>> tool_efficiency(4, 2)
    0.5
    """
    if not calls:
        raise UndefinedMetricError("tool_efficiency", because="no tool was called")
    return 1 - wasted / calls


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEfficiency:
    """Scores a run by `tool_efficiency`."""

    name: str = "tool_efficiency"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("tool_efficiency",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Score the tool calls; without any, say what that means for the case."""
        if run.trace is None:
            return unmeasured(self, "not_measured", "the run has no trace")
        calls = tool_calls(run.trace)
        if not calls:
            return self._without_calls(run)
        failures, repeated = unrecovered(calls), repeats(calls)
        failed = sum(call.has_failed for call in calls)
        wasted = {id(call): call.span.id for call in (*failures, *repeated)}
        return measured(
            self,
            tool_efficiency(len(calls), len(wasted)),
            explanation=_explanation(len(calls), failed, len(failures), len(repeated)),
            measures=(
                Measure(name="tool_calls", value=len(calls), unit="calls"),
                Measure(name="failed_calls", value=failed, unit="calls"),
                Measure(name="unrecovered_failures", value=len(failures), unit="calls"),
                Measure(name="repeated_calls", value=len(repeated), unit="calls"),
            ),
            span_ids=dict.fromkeys(wasted.values()),
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
