"""How deep and how wide work was delegated."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.scoring import figures, silent

UNITS: Final = (("mean_delegation_depth", "edges"), ("delegation_width", "agents"))


def delegation_levels(trace: Trace) -> Mapping[str, int]:
    """Return for each working agent how many times work was handed on before it first reached it; 0 for who began.

    Handing work back to an agent that had it before changes nothing.
    """
    graph = agent_graph(trace)
    levels: dict[str, int] = {}
    for link in graph.links:
        if link.kind in ("gives", "tells"):
            above = levels.setdefault(link.giver, 0)
            levels.setdefault(link.receiver, above + 1)
    return {agent: levels.get(agent, 0) for agent in graph.agents}


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationShape:
    """Measures the mean depth of delegated agents and the width: the most agents on one level below the first.

    The largest depth is `delegation_depth` of `counts`.
    """

    name: str = "delegation_shape"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Measure depth and width."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        graph = agent_graph(run.trace)
        if len(graph.agents) < 2:  # noqa: PLR2004  a team
            return silent(self, "not_applicable", "one agent has nobody to delegate to", UNITS)
        below = [level for level in delegation_levels(run.trace).values() if level]
        if not below:
            return silent(self, "not_measured", "the trace does not say who gave work to whom", UNITS)
        width = max(below.count(level) for level in set(below))
        return Evaluation(measures=figures(UNITS, (fsum(below) / len(below), width)))
