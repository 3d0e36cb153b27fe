"""Who or what took most of a run's time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.graph.critical_path import Work, work
from agents_eval_evaluators.graph.per_trace import per_trace
from agents_eval_evaluators.scoring import process_finding, silent

BOTTLENECK: Final = (("largest_agent_time_share", "share"), ("largest_tool_time_share", "share"))
NOBODY: Final = ("one agent worked alone", "no tool call has a time of its own")
LIMIT: Final = 0.4
Owner = Callable[[Span], str | None]


@per_trace
def by_beginning(trace: Trace) -> tuple[Work, ...]:
    """Return the same pieces of work in the order in which they began."""
    return tuple(sorted(work(trace), key=lambda one: one.start))


def seconds_by(pieces: Sequence[Work], owner: Callable[[Span], str | None]) -> Mapping[str, float]:
    """Return how much time each owner's pieces cover, overlaps once.

    Args:
        pieces: In the order in which they began.
        owner: Whose piece it is; None is nobody's.
    """
    covered: dict[str, float] = {}
    until: dict[str, float] = {}
    for start, end, span in pieces:
        who = owner(span)
        if who is not None:
            last = until.get(who, start)
            if end > last:
                covered[who] = covered.get(who, 0.0) + end - max(start, last)
                until[who] = end
            else:
                covered.setdefault(who, 0.0)
    return covered


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
        agents = frozenset(agent_graph(run.trace).agents)
        started = by_beginning(run.trace)
        team: Owner = lambda span: span.agent_id if len(agents) > 1 and span.agent_id in agents else None  # noqa: E731
        owners: tuple[tuple[str, Owner], ...] = (("agent", team), ("tool", _tool))
        found = [self._largest(at, seconds_by(started, owner), elapsed) for at, (_, owner) in enumerate(owners)]
        return Evaluation(
            measures=tuple(measure for measure, _ in found),
            findings=tuple(
                _bottleneck(
                    f"agent {run.trace.agent_name(who)}" if kind == "agent" else f"tool {who}",
                    measure.value,
                    [piece.span.id for piece in pieces if owner(piece.span) == who],
                )
                for (measure, who), (kind, owner) in zip(found, owners, strict=True)
                if who is not None and isinstance(measure.value, float) and measure.value > LIMIT
            ),
        )

    def _largest(self, place: int, seconds: Mapping[str, float], elapsed: float) -> tuple[Measure, str | None]:
        name, unit = BOTTLENECK[place]
        if not seconds:
            return silent(self, "not_applicable", NOBODY[place], ((name, unit),)).measures[0], None
        owner = max(seconds, key=lambda each: seconds[each])
        return Measure(name=name, value=min(1.0, seconds[owner] / elapsed), unit=unit), owner


def _tool(span: Span) -> str | None:
    return span.tool.name if span.tool is not None and not span.to_agent_id else None


def _bottleneck(who: str, share: float, span_ids: Sequence[str]) -> Finding:
    return process_finding("bottleneck", "info", f"The {who} was at work for {share:.0%} of the run's time.", span_ids)
