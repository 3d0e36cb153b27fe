"""What each agent took: tokens, cost and time. Facts, no grades."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Span, Trace, Usage
from agents_eval_evaluators.graph.clock import Stretch, seconds_outside, stretches

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
    spans: dict[str, list[Span]] = {}
    for span in trace.spans:
        if span.agent_id is not None:
            spans.setdefault(span.agent_id, []).append(span)
    names = Counter(trace.agent_name(agent_id) for agent_id in spans)
    above = _agents_above(trace)
    times = own_seconds(trace, above)
    usages = {agent_id: _usage(own, trace, above) for agent_id, own in spans.items()}
    return {
        _told_apart(trace.agent_name(agent_id), agent_id, names): {**usages[agent_id], "seconds": times.get(agent_id)}
        for agent_id in spans
    }


def _told_apart(name: str, agent_id: str, names: Mapping[str, int]) -> str:
    return name if names[name] == 1 else f"{name} ({agent_id})"


def _agents_above(trace: Trace) -> Sequence[frozenset[str | None]]:
    """Return for each span the agents of the spans above it."""
    by_id: dict[str | None, frozenset[str | None]] = {}
    found: list[frozenset[str | None]] = []
    for span in trace.spans:
        parent = span.parent_id
        if parent is None or parent not in trace.span_by_id:
            agents: frozenset[str | None] = frozenset()
        elif parent in by_id:
            over = trace.span_by_id[parent].agent_id
            agents = by_id[parent] if over in by_id[parent] else by_id[parent] | {over}
        else:  # a span that stands before its parent
            agents = frozenset(one.agent_id for one in trace.ancestors(span))
        by_id[span.id] = agents
        found.append(agents)
    return found


def own_seconds(trace: Trace, above: Sequence[frozenset[str | None]]) -> Mapping[str, float]:
    """Return for each agent how long one of its spans ran and no span of another agent beneath them did."""
    own: dict[str, list[Stretch]] = {}
    others: dict[str | None, list[Stretch]] = {}
    for span, stretch, agents in zip(trace.spans, stretches(trace), above, strict=True):
        if span.agent_id is not None and stretch is not None:
            own.setdefault(span.agent_id, []).append(stretch)
            for agent_id in agents:
                if agent_id is not None and agent_id != span.agent_id:
                    others.setdefault(agent_id, []).append(stretch)
    return {agent_id: seconds_outside(times, others.get(agent_id, ())) for agent_id, times in own.items()}


def _usage(own: Sequence[Span], trace: Trace, above: Sequence[frozenset[str | None]]) -> dict[str, float | int | None]:
    known = [span.usage for span in own if span.usage is not None and span.usage.scope == "self"]
    missing = any(span.usage is None and span.operation == "chat" for span in own)
    if not known:
        known = list(_branch_totals(own, trace, above))
        missing = False
    return {name: None if missing else _sum([figure(usage) for usage in known]) for name, figure in _FIGURES.items()}


def _branch_totals(own: Sequence[Span], trace: Trace, above: Sequence[frozenset[str | None]]) -> Iterator[Usage]:
    totals = {span.id: span for span in own if span.usage is not None and span.usage.scope == "subtree"}
    if not totals or _others_worked_below(totals, own[0].agent_id, trace, above):
        return
    for span in totals.values():
        if span.usage is not None and span.parent_id not in totals:
            yield span.usage


def _others_worked_below(
    totals: Mapping[str, Span], agent_id: str | None, trace: Trace, above: Sequence[frozenset[str | None]]
) -> bool:
    return any(
        any(over.id in totals for over in trace.ancestors(span))
        for span, agents in zip(trace.spans, above, strict=True)
        if span.agent_id not in (None, agent_id) and agent_id in agents
    )


def _sum(figures: Sequence[float | None]) -> float | int | None:
    known = [figure for figure in figures if figure is not None]
    if not known or len(known) < len(figures):
        return None
    return sum(known) if all(isinstance(figure, int) for figure in known) else fsum(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageByAgent:
    """Measures a run by `usage_by_agent`; the measures are named `<agent>.<figure>`."""

    name: str = "usage_by_agent"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Measure what each agent took: no times without a clock, and nothing paid without a language model."""
        if run.trace is None:
            return Evaluation()
        known: dict[str, float | int | None] = {}
        if run.trace.clock == "none":
            known["seconds"] = None
        if not run.system.has_language_model:
            known |= {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
        return Evaluation(
            measures=tuple(
                Measure(name=f"{agent}.{name}", value=value, unit=UNITS[name])
                for agent, figures in usage_by_agent(run.trace).items()
                for name, value in {**figures, **known}.items()
            )
        )
