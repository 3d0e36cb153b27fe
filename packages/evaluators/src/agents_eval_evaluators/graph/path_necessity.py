"""How many of the ways that work took among agents led to nothing that came out (UPR)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.agent_graph import Pair, agent_graph
from agents_eval_evaluators.graph.information_diversity import own_texts
from agents_eval_evaluators.graph.telling import each_telling, telling
from agents_eval_evaluators.scoring import process_finding, silent

UPR: Final = (("unnecessary_path_ratio", "share"),)
REACHED: Final = 3


def paths(nodes: Sequence[str], edges: Sequence[Pair]) -> Mapping[str, int]:
    """Return for each last agent how many paths lead to it from the first; links back to who was reached are left out.

    >>> paths("abcd", [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "a")])
    {'d': 2}
    """
    order: dict[str, int] = {}
    onward: dict[str, list[str]] = {node: [] for node in nodes}
    for giver, receiver in edges:
        order.setdefault(giver, len(order))
        order.setdefault(receiver, len(order))
        if order[giver] < order[receiver] and receiver not in onward[giver]:
            onward[giver].append(receiver)
    ways = dict.fromkeys(order, 0)
    reached = {node for others in onward.values() for node in others}
    for node in order:
        ways[node] += node not in reached
        for other in onward[node]:
            ways[other] += ways[node]
    return {node: ways[node] for node in order if not onward[node]}


def unnecessary_path_ratio(ways: Mapping[str, int], necessary: Sequence[str]) -> float:
    """Return 1 - necessary paths / paths, by their last agents.

    Raises:
        UndefinedMetricError: There is no path.

    >>> unnecessary_path_ratio({"b": 1, "c": 3}, ["b"])
    0.75
    """
    total = sum(ways.values())
    if not total:
        raise UndefinedMetricError("unnecessary_path_ratio", because="no agent turned to another")
    return 1 - sum(ways[node] for node in necessary) / total


@dataclass(frozen=True, slots=True, kw_only=True)
class PathNecessity:
    """Measures a run by `unnecessary_path_ratio`.

    A path is necessary where something of what its last agent said reaches the final output: three telling words (or
    all, where it has fewer) that the task does not have.
    """

    name: str = "path_necessity"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Follow the paths to their last agents."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UPR)
        graph = agent_graph(run.trace)
        if len(graph.agents) < 2:  # noqa: PLR2004  a team
            return silent(self, "not_applicable", "one agent is no path", UPR)
        if not graph.has_receivers:
            return silent(self, "not_measured", "the trace does not say who gave work to whom", UPR)
        if not run.text.strip():
            return silent(self, "not_measured", "there is no output that anything could reach", UPR)
        ways = paths(graph.agents, [(one.giver, one.receiver) for one in graph.links if one.kind != "answers"])
        if not ways:
            return silent(self, "not_measured", "no agent turned to another", UPR)
        needed = tuple(_necessary(run, run.trace, ways))
        measure = Measure(name=UPR[0][0], value=unnecessary_path_ratio(ways, needed), unit="share")
        return Evaluation(
            measures=(measure,), findings=tuple(_dead(run.trace, [one for one in ways if one not in needed]))
        )


def _necessary(run: Run, trace: Trace, ways: Mapping[str, int]) -> Iterator[str]:
    said, task, final = own_texts(trace), telling(run.case.prompt), telling(run.text)
    for agent in ways:
        if _reaches(said.get(agent, ""), task, final):
            yield agent


def _reaches(text: str, task: frozenset[str], final: frozenset[str]) -> bool:
    low = text.lower()
    if not any(word in low for word in final - task):
        return False
    brought: set[str] = set()
    reached: set[str] = set()
    for word in each_telling(low):
        if word not in task:
            brought.add(word)
            if word in final:
                reached.add(word)
                if len(reached) == REACHED:
                    return True
    return bool(reached) and len(reached) == len(brought)


def _dead(trace: Trace, agents: Sequence[str]) -> Iterator[Finding]:
    for agent in agents:
        given = [link.span.id for link in agent_graph(trace).links if agent in (link.giver, link.receiver)]
        sentence = f"Nothing that {trace.agent_name(agent)} said can be found in the final output."
        yield process_finding("dead_branch", "info", sentence, given)
