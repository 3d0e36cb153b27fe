"""How often work went to and fro between two agents."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.agent_graph import Link, agent_graph
from agents_eval_evaluators.scoring import figures, process_finding, silent

PASSES: Final = (("ping_pong", "share"), ("returned_passes", "passes"), ("longest_ping_pong", "passes"))
LONG: Final = 4
TEAM: Final = 3


def returned(passes: Sequence[Link]) -> tuple[Link, ...]:
    """Return the passes from a to b that come straight after one from b to a."""
    return tuple(
        after for before, after in pairwise(passes) if (after.giver, after.receiver) == (before.receiver, before.giver)
    )


def longest_exchange(passes: Sequence[Link]) -> tuple[Link, ...]:
    """Return the longest run of passes that go to and fro between the same two agents; the first of equal ones."""
    best: tuple[int, int] = (0, 0)
    start = 0
    for place, after in enumerate(passes):
        before = passes[place - 1] if place else None
        if before is None or (after.giver, after.receiver) != (before.receiver, before.giver):
            start = place
        if place + 1 - start > best[1] - best[0]:
            best = (start, place + 1)
    return tuple(passes[best[0] : best[1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class PingPong:
    """Measures `ping_pong`: the share of passes that go straight back, among those that could have gone elsewhere.

    A pass is a hand-off or message to another agent, or, where the trace names no receivers, the next agent's turn. A
    delegating call and its answer are one piece of work and no pass back.
    """

    name: str = "ping_pong"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Look at the order of the passes."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", PASSES)
        graph = agent_graph(run.trace)
        if len(graph.agents) < 2:  # noqa: PLR2004  a team
            return silent(self, "not_applicable", "one agent has nobody to pass work to", PASSES)
        passes = [link for link in graph.links if link.kind != "answers"]
        back, longest = returned(passes), longest_exchange(passes)
        counts = figures(PASSES[1:], (len(back), len(longest)))
        findings = tuple(_exchange(run.trace, longest)) if len(longest) >= LONG and len(graph.agents) >= TEAM else ()
        return Evaluation(measures=(self._share(len(back), len(passes), len(graph.agents)), *counts), findings=findings)

    def _share(self, back: int, passes: int, agents: int) -> Measure:
        if agents < TEAM:
            return silent(self, "not_applicable", "two agents can only pass to one another", PASSES[:1]).measures[0]
        if passes < 2:  # noqa: PLR2004  there and back
            return silent(self, "not_applicable", "fewer than two passes", PASSES[:1]).measures[0]
        return Measure(name="ping_pong", value=back / (passes - 1), unit="share")


def _exchange(trace: Trace, longest: Sequence[Link]) -> tuple[Finding, ...]:
    one, other = trace.agent_name(longest[0].giver), trace.agent_name(longest[0].receiver)
    sentence = f"{one} and {other} passed work to and fro {len(longest)} times in a row without anybody else."
    return (process_finding("ping_pong", "warning", sentence, (link.span.id for link in longest)),)
