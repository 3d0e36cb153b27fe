"""What each agent took: tokens, cost and time. Facts, no grades."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.ports import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Span, Trace, Usage
from agents_eval_evaluators.graph.intervals import Interval, seconds_outside

UNITS: Final[Mapping[str, str]] = {
    "input_tokens": "tokens",
    "output_tokens": "tokens",
    "cost_usd": "USD",
    "seconds": "s",
}
_FIGURES: Final[Mapping[str, Callable[[Usage], float | None]]] = {
    "input_tokens": lambda usage: usage.input_tokens,
    "output_tokens": lambda usage: usage.output_tokens,
    "cost_usd": lambda usage: usage.cost_usd,
}


def usage_by_agent(trace: Trace) -> Mapping[str, Mapping[str, float | int | None]]:
    """Return tokens, cost and own time of each agent that did something, by its name.

    Tokens and cost are sums over the agent's own requests; one request without a figure makes the sum unknown, because
    a part is no measurement. Where only totals of whole branches are given, they count for an agent under whom
    nobody else worked. Time is when one of the agent's spans ran and no span of another agent beneath it did.
    Agents that share a name are told apart by their ids.
    """
    spans = _spans_by_agent(trace)
    names = [trace.agent_name(agent_id) for agent_id in spans]
    beneath = _beneath(trace)
    return {
        name if names.count(name) == 1 else f"{name} ({agent_id})": {
            **_usage(own, beneath),
            "seconds": _own_seconds(own, beneath),
        }
        for name, (agent_id, own) in zip(names, spans.items(), strict=True)
    }


def _spans_by_agent(trace: Trace) -> dict[str, list[Span]]:
    gathered: dict[str, list[Span]] = {}
    for span in trace.spans:
        if span.agent_id is not None:
            gathered.setdefault(span.agent_id, []).append(span)
    return gathered


def _beneath(trace: Trace) -> Mapping[str, Sequence[Span]]:
    """Return, for each span, the spans of other agents beneath it."""
    others: dict[str, list[Span]] = {}
    for span in trace.spans:
        for above in trace.ancestors(span):
            if span.agent_id is not None and above.agent_id != span.agent_id:
                others.setdefault(above.id, []).append(span)
    return others


def _usage(own: Sequence[Span], beneath: Mapping[str, Sequence[Span]]) -> dict[str, float | int | None]:
    requests = [span for span in own if span.operation == "chat"]
    known = [span.usage for span in own if span.usage is not None and span.usage.scope == "self"]
    missing = any(span.usage is None for span in requests)
    if not known:
        known = list(_branch_totals(own, beneath))
        missing = False
    return {name: None if missing else _sum([figure(usage) for usage in known]) for name, figure in _FIGURES.items()}


def _branch_totals(own: Sequence[Span], beneath: Mapping[str, Sequence[Span]]) -> Iterator[Usage]:
    totals = {span.id: span for span in own if span.usage is not None and span.usage.scope == "subtree"}
    if any(beneath.get(span_id) for span_id in totals):
        return
    for span in totals.values():
        if span.usage is not None and span.parent_id not in totals:
            yield span.usage


def _sum(figures: Sequence[float | None]) -> float | int | None:
    known = [figure for figure in figures if figure is not None]
    if not known or len(known) < len(figures):
        return None
    return sum(known) if all(isinstance(figure, int) for figure in known) else fsum(known)


def _own_seconds(own: Sequence[Span], beneath: Mapping[str, Sequence[Span]]) -> float | None:
    inside = [interval for span in own if (interval := _interval(span)) is not None]
    if not inside:
        return None
    others = [interval for span in own for other in beneath.get(span.id, ()) if (interval := _interval(other))]
    return seconds_outside(inside, others)


def _interval(span: Span) -> Interval | None:
    if span.started_at is None or span.ended_at is None:
        return None
    return span.started_at, span.ended_at


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageByAgent:
    """Measures a run by `usage_by_agent`; the measures are named `<agent>.<figure>`."""

    name: str = "usage_by_agent"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Measure what each agent took; a trace without a clock has no times."""
        if run.trace is None:
            return Evaluation()
        has_clock = run.trace.clock != "none"
        return Evaluation(
            measures=tuple(
                Measure(
                    name=f"{agent}.{name}", value=value if has_clock or name != "seconds" else None, unit=UNITS[name]
                )
                for agent, figures in usage_by_agent(run.trace).items()
                for name, value in figures.items()
            )
        )
