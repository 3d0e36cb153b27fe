"""How much runs through each agent: betweenness and degree, without NetworkX and equal to it."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.graph.agent_graph import Pair, agent_graph
from agents_eval_evaluators.scoring import figures, silent

UNITS: Final = (("most_betweenness", "share"), ("most_degree_centrality", "share"))
LEAST_AGENTS: Final = 3


def betweenness(nodes: Sequence[str], edges: Iterable[Pair]) -> Mapping[str, float]:
    """Return for each node the share of shortest directed paths between others that lead through it (Brandes 2001).

    Equal to NetworkX's `betweenness_centrality` of the directed graph, normalised.

    Raises:
        UndefinedMetricError: Fewer than three nodes: no path can lead through one.

    >>> betweenness("abc", [("a", "b"), ("b", "c")])
    {'a': 0.0, 'b': 0.5, 'c': 0.0}
    """
    count = len(nodes)
    if count < LEAST_AGENTS:
        raise UndefinedMetricError("betweenness", because="fewer than three agents")
    following: dict[str, list[str]] = {node: [] for node in nodes}
    for giver, receiver in edges:
        following[giver].append(receiver)
    through = dict.fromkeys(nodes, 0.0)
    for source in nodes:
        if following[source]:
            _add_paths_from(source, following, through)
    return {node: value / ((count - 1) * (count - 2)) for node, value in through.items()}


def _add_paths_from(source: str, following: Mapping[str, Sequence[str]], through: dict[str, float]) -> None:
    distance, paths = {source: 0}, {source: 1}
    before: dict[str, list[str]] = {}
    order, waiting = list[str](), deque([source])
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for other in following[node]:
            if other not in distance:
                distance[other] = distance[node] + 1
                paths[other] = 0
                waiting.append(other)
            if distance[other] == distance[node] + 1:
                paths[other] += paths[node]
                before.setdefault(other, []).append(node)
    depends = dict.fromkeys(order, 0.0)
    for node in reversed(order[1:]):
        for previous in before[node]:
            depends[previous] += paths[previous] / paths[node] * (1 + depends[node])
        through[node] += depends[node]


def degree_centrality(nodes: Sequence[str], edges: Iterable[Pair]) -> Mapping[str, float]:
    """Return for each node the share of the other nodes that it is linked with, in whatever direction.

    Equal to NetworkX's `degree_centrality` of the undirected graph.

    Raises:
        UndefinedMetricError: Fewer than two nodes.

    >>> degree_centrality("abc", [("a", "b"), ("b", "a")])
    {'a': 0.5, 'b': 0.5, 'c': 0.0}
    """
    if len(nodes) < LEAST_AGENTS - 1:
        raise UndefinedMetricError("degree_centrality", because="fewer than two agents")
    linked = neighbours(nodes, edges)
    return {node: len(others) / (len(nodes) - 1) for node, others in linked.items()}


def neighbours(nodes: Sequence[str], edges: Iterable[Pair]) -> Mapping[str, set[str]]:
    """Return the nodes that each node is linked with, in whatever direction."""
    linked: dict[str, set[str]] = {node: set() for node in nodes}
    for giver, receiver in edges:
        linked[giver].add(receiver)
        linked[receiver].add(giver)
    return linked


@dataclass(frozen=True, slots=True, kw_only=True)
class Centrality:
    """Measures `betweenness` and `degree_centrality` of each agent, as `<agent>.<figure>`, and the largest of each."""

    name: str = "centrality"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Measure how central the agents are."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        graph = agent_graph(run.trace)
        if len(graph.agents) < LEAST_AGENTS:
            return silent(self, "not_applicable", "nobody can be between fewer than three agents", UNITS)
        between = betweenness(graph.agents, graph.edges)
        degree = degree_centrality(graph.agents, graph.edges)
        of_each = [
            Measure(name=f"{run.trace.agent_name(agent)}.{name}", value=values[agent], unit="share")
            for agent in graph.agents
            for name, values in (("betweenness", between), ("degree_centrality", degree))
        ]
        largest = (max(between.values()), max(degree.values()))
        return Evaluation(measures=(*figures(UNITS, largest), *of_each))
