"""What the end of a run waited for, and who or what took most of its time."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from agents_eval_core.ports import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.graph.per_trace import per_trace
from agents_eval_evaluators.scoring import process_finding, silent

PATH: Final = (("critical_path_seconds", "s"), ("critical_path_steps", "steps"), ("parallelism", "ratio"))
BOTTLENECK: Final = (("largest_agent_time_share", "share"), ("largest_tool_time_share", "share"))
NOBODY: Final = ("one agent worked alone", "no tool call has a time of its own")
LIMIT: Final = 0.4


class Work(NamedTuple):
    """A span without spans below it, in seconds from the beginning of the trace."""

    start: float
    end: float
    span: Span


@per_trace
def work(trace: Trace) -> tuple[Work, ...]:
    """Return the timed spans without timed spans below them, by their ends; none that ends before it begins."""
    timed = [span for span in trace.spans if span.started_at is not None and span.ended_at is not None]
    if trace.clock == "none" or not timed:
        return ()
    above = {span.parent_id for span in timed}
    zero = min(span.started_at for span in timed if span.started_at is not None)
    found: list[Work] = []
    for span in timed:
        if span.id not in above and span.started_at is not None and span.ended_at is not None:
            start, end = (span.started_at - zero).total_seconds(), (span.ended_at - zero).total_seconds()
            if end >= start:
                found.append(Work(start, end, span))
    return tuple(sorted(found, key=lambda one: (one.end, one.span.seq)))


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


def seconds_by(pieces: Sequence[Work], owners: Sequence[str | None]) -> Mapping[str, float]:
    """Return how much time each owner's pieces cover, overlaps once."""
    covered: dict[str, float] = {}
    until: dict[str, float] = {}
    for piece, owner in sorted(zip(pieces, owners, strict=True), key=lambda pair: pair[0].start):
        if owner is not None:
            start = max(piece.start, until.get(owner, piece.start))
            covered[owner] = covered.get(owner, 0.0) + max(0.0, piece.end - start)
            until[owner] = max(piece.end, until.get(owner, piece.end))
    return covered


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
        busy = seconds_by(pieces, ["" for _ in pieces])[""]
        total = sum(piece.end - piece.start for piece in pieces)
        measures = (
            Measure(name=PATH[0][0], value=sum(piece.end - piece.start for piece in path), unit="s"),
            Measure(name=PATH[1][0], value=len(path), unit="steps"),
        )
        if not busy:
            nothing = silent(self, "not_measured", "nothing took any time on the trace's clock", PATH[2:]).measures
            return Evaluation(measures=(*measures, *nothing))
        return Evaluation(measures=(*measures, Measure(name=PATH[2][0], value=total / busy, unit="ratio")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bottleneck:
    """Measures the largest share of the run's time that one agent, or one tool, was at work; a finding above 40 %."""

    name: str = "bottleneck"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look for who or what took most of the time."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", BOTTLENECK)
        pieces, elapsed = work(run.trace), run.trace.elapsed_seconds
        if not pieces or not elapsed or elapsed < 0:
            return silent(self, "not_measured", "the trace has no times", BOTTLENECK)
        agents = agent_graph(run.trace).agents
        by_agent = [piece.span.agent_id if piece.span.agent_id in agents else None for piece in pieces]
        by_tool = [piece.span.tool.name if piece.span.tool and not piece.span.to_agent_id else None for piece in pieces]
        found = (
            self._largest(0, seconds_by(pieces, by_agent if len(agents) > 1 else [None] * len(pieces)), elapsed),
            self._largest(1, seconds_by(pieces, by_tool), elapsed),
        )
        return Evaluation(
            measures=tuple(measure for measure, _ in found),
            findings=tuple(
                _bottleneck(
                    f"agent {run.trace.agent_name(owner)}" if owners is by_agent else f"tool {owner}",
                    measure.value,
                    [piece.span.id for piece, each in zip(pieces, owners, strict=True) if each == owner],
                )
                for (measure, owner), owners in zip(found, (by_agent, by_tool), strict=True)
                if owner is not None and isinstance(measure.value, float) and measure.value > LIMIT
            ),
        )

    def _largest(self, place: int, seconds: Mapping[str, float], elapsed: float) -> tuple[Measure, str | None]:
        name, unit = BOTTLENECK[place]
        if not seconds:
            return silent(self, "not_applicable", NOBODY[place], ((name, unit),)).measures[0], None
        owner = max(seconds, key=lambda each: seconds[each])
        return Measure(name=name, value=min(1.0, seconds[owner] / elapsed), unit=unit), owner


def _bottleneck(who: str, share: float, span_ids: Sequence[str]) -> Finding:
    return process_finding("bottleneck", "info", f"The {who} was at work for {share:.0%} of the run's time.", span_ids)
