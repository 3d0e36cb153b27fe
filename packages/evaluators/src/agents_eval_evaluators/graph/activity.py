"""How the work was spread over agents."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.agent_graph import agent_graph
from agents_eval_evaluators.graph.call_entropy import entropy
from agents_eval_evaluators.scoring import figures, silent

UNITS: Final = (("activity_entropy", "share"), ("activity_balance", "share"))
ACTS: Final = frozenset({"chat", "message", "execute_tool", "handoff", "retrieval", "plan"})


def activity_entropy(steps: Sequence[int]) -> float:
    """Return the entropy of steps over agents, divided by its largest value: 1 where all did as much.

    Raises:
        UndefinedMetricError: Fewer than two agents, or none that did anything.

    >>> activity_entropy([5, 5]), activity_entropy([9, 0])
    (1.0, 0.0)
    """
    if len(steps) < 2 or not any(steps):  # noqa: PLR2004  one agent has nobody to share with
        raise UndefinedMetricError("activity_entropy", because="fewer than two agents")
    return entropy(steps) / log2(len(steps))


def activity_balance(steps: Sequence[int]) -> float:
    """Return 1 where all agents did as much, 0 where one did everything: how far the largest share is from 1.

    Raises:
        UndefinedMetricError: Fewer than two agents, or none that did anything.

    >>> activity_balance([3, 1]), activity_balance([2, 2])
    (0.5, 1.0)
    """
    if len(steps) < 2 or not any(steps):  # noqa: PLR2004  one agent has nobody to share with
        raise UndefinedMetricError("activity_balance", because="fewer than two agents")
    equal = 1 / len(steps)
    return (1 - max(steps) / sum(steps)) / (1 - equal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """Measures `activity_entropy` and `activity_balance` over the working agents that the trace names.

    A step is a message, a model request, a tool call or a hand-off.
    """

    name: str = "activity"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Count the steps of each agent."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        steps = steps_by_agent(run.trace)
        if len(steps) < 2:  # noqa: PLR2004  a team
            return silent(self, "not_applicable", "one agent has nobody to share work with", UNITS)
        if not any(steps.values()):
            return silent(self, "not_measured", "the trace shows no step of any agent", UNITS)
        counts = tuple(steps.values())
        return Evaluation(measures=figures(UNITS, (activity_entropy(counts), activity_balance(counts))))


def steps_by_agent(trace: Trace) -> dict[str, int]:
    """Return how many steps each working agent made, those that did nothing included, in order of appearance."""
    steps = dict.fromkeys(agent_graph(trace).agents, 0)
    steps |= {
        agent.id: 0 for agent in trace.agents if agent.role in ("worker", "orchestrator") and agent.id not in steps
    }
    for span in trace.spans:
        if span.operation in ACTS and span.agent_id in steps:
            steps[span.agent_id] += 1
    return steps
