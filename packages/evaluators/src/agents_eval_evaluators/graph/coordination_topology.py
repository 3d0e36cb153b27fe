"""The shape in which agents worked together: alone, in a chain, a star, a tree, a mesh or a circle."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.graph.agent_graph import AgentGraph, Pair, agent_graph
from agents_eval_evaluators.graph.centrality import neighbours
from agents_eval_evaluators.scoring import silent

Topology = Literal["single", "unconnected", "chain", "star", "tree", "mesh", "cyclic"]
UNITS: Final = (
    ("coordination_topology", "class"),
    ("centralisation", "share"),
    ("reciprocity", "share"),
    ("density", "share"),
)
SMALL: Final = 3


def topology(nodes: Sequence[str], edges: Collection[Pair]) -> Topology:
    """Return the class of a directed graph, by the links without their direction.

    `single`: one node. `unconnected`: not all can be reached from one another. Without a circle: `star` where one of
    three or more nodes is linked with all others and turns to them or they to it, `chain` where no node has more than
    two links, else `tree`. With a circle: `cyclic` where three or more nodes are linked one way round, else `mesh`.

    Args:
        nodes: The agents.
        edges: Who turned to whom; an answer is an edge of its own and changes reciprocity, not the class.

    >>> topology("abc", [("a", "b"), ("b", "c")]), topology("abc", [("a", "b"), ("a", "c"), ("b", "a")])
    ('chain', 'star')
    >>> topology("abc", [("a", "b"), ("b", "c"), ("c", "a")])
    'cyclic'
    """
    if len(nodes) == 1:
        return "single"
    linked = neighbours(nodes, edges)
    if not nodes or len(_reached(nodes[0], linked)) < len(nodes):
        return "unconnected"
    links = sum(map(len, linked.values())) // 2
    if links >= len(nodes):
        return "cyclic" if _has_one_way_circle(edges) else "mesh"
    return _treelike(nodes, edges, linked)


def _treelike(nodes: Sequence[str], edges: Collection[Pair], linked: Mapping[str, set[str]]) -> Topology:
    most = max(nodes, key=lambda node: len(linked[node]))
    if len(nodes) >= SMALL and len(linked[most]) == len(nodes) - 1:
        gives = sum(giver == most for giver, _ in edges)
        takes = sum(receiver == most for _, receiver in edges)
        if len(nodes) > SMALL or len(nodes) - 1 in (gives, takes):
            return "star"
    return "chain" if len(linked[most]) < SMALL else "tree"


def _reached(start: str, linked: Mapping[str, Iterable[str]]) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        for other in linked[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _has_one_way_circle(edges: Collection[Pair]) -> bool:
    """Whether a circle is left among one-way links: links from where none leads in are taken off until that ends."""
    known = set(edges)
    left = {edge for edge in known if edge[::-1] not in known}
    while left:
        targets = {receiver for _, receiver in left}
        inner = {edge for edge in left if edge[0] in targets}
        if len(inner) == len(left):
            return True
        left = inner
    return False


def centralisation(degrees: Sequence[int]) -> float:
    """Return Freeman's centralisation of degrees: 1 for a star, 0 where all are equal.

    Raises:
        UndefinedMetricError: Fewer than three nodes.

    >>> centralisation([3, 1, 1, 1])
    1.0
    """
    count = len(degrees)
    if count < SMALL:
        raise UndefinedMetricError("centralisation", because="fewer than three agents")
    most = max(degrees)
    return sum(most - degree for degree in degrees) / ((count - 1) * (count - 2))


def reciprocity(edges: Collection[Pair]) -> float:
    """Return the share of directed links that also go the other way.

    Raises:
        UndefinedMetricError: There are no links.

    >>> reciprocity([("a", "b"), ("b", "a"), ("a", "c")])
    0.6666666666666666
    """
    if not edges:
        raise UndefinedMetricError("reciprocity", because="no agent turned to another")
    known = set(edges)
    return sum(edge[::-1] in known for edge in known) / len(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinationTopology:
    """Measures the class, Freeman's centralisation, reciprocity and density of the graph of agents.

    Who reports back and who does not is told apart by reciprocity: a star whose workers answer has 1, one that never
    returns has 0.
    """

    name: str = "coordination_topology"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Measure the shape."""
        if run.trace is None:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        graph = agent_graph(run.trace)
        count = len(graph.agents)
        if not count:
            return silent(self, "not_measured", "the trace does not say which agents acted", UNITS)
        shape = Measure(name="coordination_topology", value=topology(graph.agents, graph.edges), unit="class")
        if count == 1:
            alone = silent(self, "not_applicable", "one agent worked alone", UNITS[1:])
            return alone.changed(measures=(shape, *alone.measures))
        linked = neighbours(graph.agents, graph.edges)
        return Evaluation(
            measures=(
                shape,
                _centralisation(self, [len(others) for others in linked.values()]),
                _reciprocity(self, graph),
                Measure(name="density", value=len(graph.edges) / (count * (count - 1)), unit="share"),
            )
        )


def _centralisation(evaluator: CoordinationTopology, degrees: Sequence[int]) -> Measure:
    if len(degrees) < SMALL:
        return silent(evaluator, "not_applicable", "two agents have no centre", UNITS[1:2]).measures[0]
    return Measure(name="centralisation", value=centralisation(degrees), unit="share")


def _reciprocity(evaluator: CoordinationTopology, graph: AgentGraph) -> Measure:
    if not graph.has_answers:
        return silent(evaluator, "not_measured", "the trace records no results of calls", UNITS[2:3]).measures[0]
    if not graph.edges:
        return silent(evaluator, "not_applicable", "no agent turned to another", UNITS[2:3]).measures[0]
    return Measure(name="reciprocity", value=reciprocity(graph.edges), unit="share")
