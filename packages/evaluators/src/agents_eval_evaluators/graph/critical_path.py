"""What the end of a run waited for."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.clock import seconds, stretches
from agents_eval_evaluators.graph.per_trace import per_trace
from agents_eval_evaluators.scoring import silent

PATH: Final = (("critical_path_seconds", "s"), ("critical_path_steps", "steps"), ("parallelism", "ratio"))


class Work(NamedTuple):
    """A span without spans below it, in seconds from the beginning of the trace."""

    start: float
    end: float
    span: Span


@per_trace
def work(trace: Trace) -> tuple[Work, ...]:
    """Return the timed spans without timed spans below them, by their ends; none that ends before it begins."""
    if trace.clock == "none":
        return ()
    timed = [(span, times) for span, times in zip(trace.spans, stretches(trace), strict=True) if times is not None]
    above = {span.parent_id for span, _ in timed}
    found = [Work(start, end, span) for span, (start, end) in timed if end >= start and span.id not in above]
    found.sort(key=lambda one: one.end)
    return tuple(found)


def critical_path(pieces: Sequence[Work]) -> tuple[Work, ...]:
    """Return the pieces of work that the end waited for, the last first.

    Going back from the piece that ended last: before each comes the one that ended last before it began.

    Args:
        pieces: By their ends.
    """
    ends = [piece.end for piece in pieces]
    path: list[Work] = []
    place = len(pieces) - 1
    while place >= 0:
        path.append(pieces[place])
        place = min(bisect_right(ends, pieces[place].start), place) - 1
    return tuple(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalPath:
    """Measures the critical path: its seconds of work, its steps, and all work over the time it covers."""

    name: str = "critical_path"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Follow the path back from the end."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", PATH)
        pieces = work(run.trace)
        if not pieces:
            return silent(self, "not_measured", "the trace has no times", PATH)
        path = critical_path(pieces)
        busy = seconds(piece[:2] for piece in pieces)
        total = sum(piece.end - piece.start for piece in pieces)
        measures = (
            Measure(name=PATH[0][0], value=sum(piece.end - piece.start for piece in path), unit="s"),
            Measure(name=PATH[1][0], value=len(path), unit="steps"),
        )
        if not busy:
            nothing = silent(self, "not_measured", "nothing took any time on the trace's clock", PATH[2:]).measures
            return Evaluation(measures=(*measures, *nothing))
        return Evaluation(measures=(*measures, Measure(name=PATH[2][0], value=total / busy, unit="ratio")))
