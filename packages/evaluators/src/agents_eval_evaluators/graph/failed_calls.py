"""Calls that failed: which were made good, which were not, and which were only tried again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.scoring import graded, process_finding, silent

UNITS: Final = (("unrecovered_calls", "calls"), ("recovered_calls", "calls"), ("repeated_failures", "calls"))


def unrecovered(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the failed calls that no later success made good.

    One success of a tool makes good one failure, the nearest before it of the same tool by the same agent. Whether
    another tool served instead cannot be told from names and is not credited.
    """
    waiting: dict[tuple[str | None, str], list[Call]] = {}
    for call in calls:
        mine = waiting.setdefault((call.span.agent_id, call.tool.name), [])
        if call.has_failed:
            mine.append(call)
        elif mine:
            mine.pop()
    left = {id(call) for mine in waiting.values() for call in mine}
    return tuple(call for call in calls if id(call) in left)


def repeated_failures(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the failed calls that an agent had made before, unchanged, and that had failed then too.

    It makes no difference what was done between, as long as the same call did not succeed.
    """
    failing: set[tuple[str | None, str]] = set()
    found: list[Call] = []
    for call in calls:
        same = (call.span.agent_id, call.key)
        if not call.has_failed:
            failing.discard(same)
        elif same in failing:
            found.append(call)
        else:
            failing.add(same)
    return tuple(found)


def recovery(failed: int, left: int) -> float:
    """Return the share of failed calls that were made good.

    Raises:
        UndefinedMetricError: No call failed, so there was nothing to make good.

    >>> recovery(4, 1)
    0.75
    """
    if not failed:
        raise UndefinedMetricError("recovery", because="no call failed")
    return (failed - left) / failed


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCalls:
    """Scores a run by `recovery`, with the unrecovered and the repeated failures as findings."""

    name: str = "failed_calls"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("recovery",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look at what became of the failed calls."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        calls = tool_calls(run.trace)
        if not calls:
            return silent(self, "not_applicable", "no tool was called", UNITS)
        failed = [call for call in calls if call.has_failed]
        if not failed:
            return self._without_failures(calls)
        left, again = unrecovered(calls), repeated_failures(calls)
        figures = (len(left), len(failed) - len(left), len(again))
        return Evaluation(
            scores=graded(
                self,
                {"recovery": recovery(len(failed), len(left))},
                explanation=f"{len(failed)} calls failed, {len(failed) - len(left)} were made good later",
                span_ids=(call.span.id for call in failed),
            ),
            measures=tuple(
                Measure(name=name, value=value, unit=unit) for (name, unit), value in zip(UNITS, figures, strict=True)
            ),
            findings=tuple(_findings(run.trace, left, again)),
        )

    def _without_failures(self, calls: Sequence[Call]) -> Evaluation:
        if all(call.span.status == "unknown" for call in calls):
            return silent(self, "not_measured", "the trace does not say whether calls failed", UNITS)
        return silent(self, "not_applicable", "no call failed").changed(measures=_NONE_FAILED)


_NONE_FAILED: Final = tuple(Measure(name=name, value=0, unit=unit) for name, unit in UNITS)


def _findings(trace: Trace, left: Sequence[Call], again: Sequence[Call]) -> Iterator[Finding]:
    if left:
        last = left[-1]
        sentence = (
            f"{len(left)} failed call{' was' if len(left) == 1 else 's were'} never made good; the last is "
            f"{last.tool.name} by {trace.agent_name(last.span.agent_id)}"
            f"{f' ({last.span.error_type})' if last.span.error_type else ''}."
        )
        yield process_finding("unrecovered_calls", "warning", sentence, (call.span.id for call in left))
    if again:
        sentence = (
            f"A call that had failed was made again unchanged {len(again)} time{'' if len(again) == 1 else 's'} and "
            f"failed again ({', '.join(dict.fromkeys(call.tool.name for call in again))})."
        )
        yield process_finding("repeated_failures", "warning", sentence, (call.span.id for call in again))
