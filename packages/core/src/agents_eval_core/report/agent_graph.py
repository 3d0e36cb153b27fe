"""Who handed work to whom and which tools were called, counted: the graph that people look at."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from agents_eval_core.report.trace_skeleton import shown_text
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard
from agents_eval_core.trace import Role, Span, Trace

EdgeKind = Literal["delegates", "handoff", "message", "calls"]
NAME: Final = 60  # characters of a name that are told
VERBS: Final[dict[EdgeKind, str]] = {
    "delegates": "gives work to",
    "handoff": "hands over to",
    "message": "writes to",
    "calls": "calls",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """An agent or a tool. The id is `agent:<id>` or `tool:<name>`, as in `Trace.to_networkx`."""

    id: str
    kind: Literal["agent", "tool"]
    label: str
    role: Role | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """All that went from one node to another in one way.

    Attributes:
        span_ids: The steps, in the order in which they began.
        order: Their places in the trace.
        failed: How many of them failed.
    """

    source: str
    target: str
    kind: EdgeKind
    span_ids: tuple[str, ...]
    order: tuple[int, ...]
    failed: int

    @property
    def count(self) -> int:
        """How many steps it stands for."""
        return len(self.span_ids)

    def until(self, place: int) -> int:
        """Return how many of its steps began up to a place in the trace, that one included."""
        return sum(step <= place for step in self.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGraph:
    """Agents and tools, and what went between them, in the order of its first step."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    def told(self) -> Iterator[str]:
        """Yield the graph as sentences, one an edge, for those who cannot see it."""
        labels = {node.id: shown_text(node.label, NAME) for node in self.nodes}
        for edge in self.edges:
            times = "once" if edge.count == 1 else f"{edge.count} times"
            failed = f", {edge.failed} of them failed" if edge.failed else ""
            yield f"{labels[edge.source]} {VERBS[edge.kind]} {labels[edge.target]} {times}{failed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStep:
    """One step of the graph in time: its place in the trace, and what happened, in words."""

    order: int
    span_id: str
    words: str


def graph_steps(graph: AgentGraph) -> tuple[GraphStep, ...]:
    """Return the steps of a graph in the order in which they began."""
    labels = {node.id: shown_text(node.label, NAME) for node in graph.nodes}
    steps = (
        GraphStep(order=order, span_id=span, words=f"{labels[edge.source]} {VERBS[edge.kind]} {labels[edge.target]}")
        for edge in graph.edges
        for order, span in zip(edge.order, edge.span_ids, strict=True)
    )
    return tuple(sorted(steps, key=lambda step: step.order))


def agent_graph(trace: Trace) -> AgentGraph:
    """Return who did what with whom, counted.

    >>> from agents_eval_core.trace import Agent, Source, ToolUse
    >>> call = Span(id="a", seq=0, operation="execute_tool", name="", agent_id="m", tool=ToolUse(name="read"))
    >>> trace = Trace(id="t", source=Source(format="native"), agents=(Agent(id="m", name="manager"),), spans=(call,))
    >>> list(agent_graph(trace).told())
    ['manager calls read once']
    """
    nodes = {
        f"agent:{agent.id}": GraphNode(id=f"agent:{agent.id}", kind="agent", label=agent.name, role=agent.role)
        for agent in trace.agents
    }
    steps: dict[tuple[str, str, EdgeKind], list[Span]] = {}
    for span in trace.spans:
        end = _end(span)
        if end is None:
            continue
        target, kind = end
        source = f"agent:{span.agent_id}"
        for known in (source, target):
            nodes.setdefault(known, _unlisted(known))
        steps.setdefault((source, target, kind), []).append(span)
    edges = (_edge(ends, spans) for ends, spans in steps.items())
    return AgentGraph(nodes=tuple(nodes.values()), edges=tuple(edges))


def _end(span: Span) -> tuple[str, EdgeKind] | None:
    """Return where a step leads, by which kind of edge; None where it leads nowhere."""
    if span.agent_id is None:
        return None
    if span.to_agent_id is not None:
        kinds: dict[str, EdgeKind] = {"execute_tool": "delegates", "handoff": "handoff"}
        return f"agent:{span.to_agent_id}", kinds.get(span.operation, "message")
    if span.operation == "execute_tool" and span.tool is not None:
        return f"tool:{span.tool.name}", "calls"
    return None


def _unlisted(node_id: str) -> GraphNode:
    kind, _, label = node_id.partition(":")
    return GraphNode(id=node_id, kind="tool" if kind == "tool" else "agent", label=label)


def _edge(ends: tuple[str, str, EdgeKind], spans: list[Span]) -> GraphEdge:
    source, target, kind = ends
    return GraphEdge(
        source=source,
        target=target,
        kind=kind,
        span_ids=tuple(span.id for span in spans),
        order=tuple(span.seq for span in spans),
        failed=sum(span.status == "error" for span in spans),
    )


def node_link(graph: AgentGraph) -> dict[str, Any]:
    """Return the graph in the node-link form that `networkx.node_link_graph(data, edges="edges")` reads."""
    return {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [
            {"id": node.id, "kind": node.kind, "label": node.label, **({"role": node.role} if node.role else {})}
            for node in graph.nodes
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "key": edge.kind,
                "kind": edge.kind,
                "count": edge.count,
                "failed": edge.failed,
                "span_ids": list(edge.span_ids),
                "order": list(edge.order),
            }
            for edge in graph.edges
        ],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGraphJson:
    """Writes the graph of a run's agents and tools as node-link JSON."""

    name: str = "graph-json"
    file_name: str = "graph.json"

    def render(self, run: Run, scorecard: Scorecard) -> str:  # noqa: ARG002  the port hands it to every view
        """Return the graph; without a trace it has no nodes."""
        graph = AgentGraph(nodes=(), edges=()) if run.trace is None else agent_graph(run.trace)
        return json.dumps(node_link(graph), ensure_ascii=False, indent=1) + "\n"
