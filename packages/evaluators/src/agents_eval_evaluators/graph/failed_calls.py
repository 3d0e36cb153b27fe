"""Calls that failed: which were made good, which were not, and which were only tried again."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.calls import Call, tool_calls
from agents_eval_evaluators.scoring import figures, graded, process_finding, silent

UNITS: Final = (("unrecovered_calls", "calls"), ("recovered_calls", "calls"), ("repeated_failures", "calls"))


def unrecovered(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the failed calls that no later success made good.

    One success of a tool makes good one failure, the nearest that had ended before it, of the same tool by the same
    agent; a success that ran at the same time makes nothing good. Whether another tool served instead cannot be told
    from names and is not credited.
    """
    waiting: dict[tuple[str | None, str], _Failures] = {}
    for call in calls:
        mine = waiting.get(same := (call.span.agent_id, call.tool.name))
        if call.has_failed:
            waiting.setdefault(same, _Failures()).add(call)
        elif mine is not None:
            mine.make_good(call)
    left = {id(call) for mine in waiting.values() for call in mine.left()}
    return tuple(call for call in calls if id(call) in left)


class _Failures:
    """Failures that nothing made good yet: those that may still be running, by when they end, and the ended ones."""

    __slots__ = ("_ended", "_running")

    def __init__(self) -> None:
        self._running: list[tuple[datetime, int, Call]] = []
        self._ended: list[Call] = []

    def add(self, failure: Call) -> None:
        if failure.span.ended_at is None:
            self._ended.append(failure)
        else:
            heappush(self._running, (failure.span.ended_at, failure.span.seq, failure))

    def make_good(self, success: Call) -> None:
        while self._running and success.began_after(self._running[0][2]):
            self._ended.append(heappop(self._running)[2])
        if self._ended:
            self._ended.pop()

    def left(self) -> Iterator[Call]:
        yield from self._ended
        yield from (failure for _, _, failure in self._running)


def calls_after_failures(calls: Sequence[Call], alike: Callable[[Call], Hashable]) -> Iterator[Call]:
    """Yield the calls that began when an earlier one like them had failed and none had succeeded since.

    Calls that ran at the same time say nothing about one another, in whatever order they are recorded.
    """
    standing: dict[Hashable, Call] = {}
    for call in calls:
        failure = standing.get(alike(call))
        follows = failure is not None and call.began_after(failure)
        if follows:
            yield call
        if call.has_failed:
            standing[alike(call)] = call
        elif follows:
            del standing[alike(call)]


def repeated_failures(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the failed calls that an agent had made before, unchanged, and that had failed then too.

    It makes no difference what was done between, as long as the same call did not succeed.
    """
    following = calls_after_failures(calls, lambda call: (call.span.agent_id, call.key))
    return tuple(call for call in following if call.has_failed)


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
    version: str = "1"
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
        counts = (len(left), len(failed) - len(left), len(again))
        return Evaluation(
            scores=graded(
                self,
                {"recovery": recovery(len(failed), len(left))},
                explanation=f"{len(failed)} calls failed, {len(failed) - len(left)} were made good later",
                span_ids=(call.span.id for call in failed),
            ),
            measures=figures(UNITS, counts),
            findings=tuple(_findings(run.trace, left, again)),
        )

    def _without_failures(self, calls: Sequence[Call]) -> Evaluation:
        if all(call.span.status == "unknown" for call in calls):
            return silent(self, "not_measured", "the trace does not say whether calls failed", UNITS)
        return silent(self, "not_applicable", "no call failed").changed(measures=_NONE_FAILED)


_NONE_FAILED: Final = tuple(Measure(name=name, value=0, unit=unit) for name, unit in UNITS)


def _last(calls: Sequence[Call]) -> Call:
    """Return the call that ended last, or, where times are missing, was recorded last."""
    ended = [(call.span.ended_at, call.span.seq, call) for call in calls if call.span.ended_at is not None]
    return max(ended)[2] if len(ended) == len(calls) else calls[-1]


def _findings(trace: Trace, left: Sequence[Call], again: Sequence[Call]) -> Iterator[Finding]:
    if left:
        last = _last(left)
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
