"""The graph of agents and tools as a drawing: agents from left to right as work was handed on, tools at the right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from agents_eval_core.report.agent_graph import AgentGraph, GraphEdge, GraphNode, agent_graph
from agents_eval_core.report.trace_skeleton import shown_text
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard

Theme = Literal["system", "light", "dark"]
WIDTH, HEIGHT = 150, 34  # of a node, in pixels
ACROSS, DOWN = 250, 62  # from one node to the next
MARGIN: Final = 24
LABEL: Final = 20  # characters that fit in a node
MOST_NODES: Final = 60  # more than that is no picture any more
LIGHT: Final = (
    "text{font:13px system-ui,sans-serif;fill:#1a1a1a}.n{fill:#e8f0fb;stroke:#1f5fa8;stroke-width:1.5}"
    ".t{fill:#f4f4f0;stroke:#767668}.e{fill:none;stroke:#5a5a5a;stroke-width:1.5}"
    ".f{stroke:#b3261e;stroke-dasharray:6 4}.c{font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".later{opacity:.2}.now{stroke:#1f5fa8;stroke-width:4}"
)
DARK: Final = (
    "text{fill:#ececec}.n{fill:#1d2f47;stroke:#8ab4f8}.t{fill:#2b2b27;stroke:#a5a595}"
    ".e{stroke:#b5b5b5}.f{stroke:#ff8a80}.c{stroke:#16181c}.now{stroke:#8ab4f8}"
)
STYLES: Final = {
    "system": f"{LIGHT}@media(prefers-color-scheme:dark){{{DARK}}}",
    "light": LIGHT,
    "dark": LIGHT + DARK,
}
ARROW: Final = (
    '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0 8 4 0 8z" fill="#767676"/></marker></defs>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    x: int
    y: int


def graph_svg(graph: AgentGraph, *, until: int | None = None, theme: Theme = "system") -> str:
    """Return the drawing as SVG that stands alone: no script, no outside reference.

    An edge says how often; a dashed one has failures and says how many. Beyond 60 nodes the least busy are left out,
    and a line below says so.

    Args:
        graph: What is drawn.
        until: Draws a moment: counts go up to the step of that place in the trace, its own edge is thick, and what is
            still to come is pale. None draws the whole.
        theme: The colours; by default those that the system of the reader prefers.
    """
    nodes, left_out = _busiest(graph)
    places = _places(nodes, graph.edges)
    edges = [edge for edge in graph.edges if edge.source in places and edge.target in places]
    width = max((place.x for place in places.values()), default=0) + WIDTH + MARGIN
    height = max((place.y for place in places.values()), default=0) + HEIGHT + MARGIN + (20 if left_out else 0)
    told = quoteattr("; ".join(graph.told()) or "nobody did anything")
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={told}>',
        f"<style>{STYLES[theme]}</style>",
        ARROW,
        *(_edge(edge, places, until) for edge in edges),
        *(_node(node, places[node.id]) for node in nodes),
        *(_count(edge, places, until) for edge in edges),
    ]
    if left_out:
        parts.append(f'<text x="{MARGIN}" y="{height - 8}">{left_out} less busy nodes are not drawn</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _busiest(graph: AgentGraph) -> tuple[Sequence[GraphNode], int]:
    busy: dict[str, int] = {}
    for edge in graph.edges:
        for end in (edge.source, edge.target):
            busy[end] = busy.get(end, 0) + edge.count
    kept = sorted(graph.nodes, key=lambda node: (-busy.get(node.id, 0), node.id))[:MOST_NODES]
    ids = {node.id for node in kept}
    return [node for node in graph.nodes if node.id in ids], len(graph.nodes) - len(kept)


def _places(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Mapping[str, _Place]:
    """Return where each node stands: agents in columns by how work reached them first, tools in the column after."""
    columns: dict[str, int] = {}
    for edge in edges:
        columns.setdefault(edge.source, 0)
        if edge.kind != "calls":
            columns.setdefault(edge.target, columns[edge.source] + 1)
    last = max((columns.get(node.id, 0) for node in nodes if node.kind == "agent"), default=0)
    taken: dict[int, int] = {}
    places: dict[str, _Place] = {}
    for node in nodes:
        column = columns.get(node.id, 0) if node.kind == "agent" else last + 1
        row = taken.get(column, 0)
        taken[column] = row + 1
        places[node.id] = _Place(x=MARGIN + column * ACROSS, y=MARGIN + row * DOWN)
    return places


def _node(node: GraphNode, place: _Place) -> str:
    label = shown_text(node.label, LABEL)
    shape, corner = ("n", 8) if node.kind == "agent" else ("n t", 0)
    about = f"{node.kind} {shown_text(node.label)}" + (f", {node.role}" if node.role else "")
    return (
        f'<g><title>{escape(about)}</title><rect class="{shape}" x="{place.x}" y="{place.y}" width="{WIDTH}" '
        f'height="{HEIGHT}" rx="{corner}"/><text x="{place.x + WIDTH // 2}" y="{place.y + 22}" text-anchor="middle">'
        f"{escape(label)}</text></g>"
    )


def _ends(edge: GraphEdge, places: Mapping[str, _Place]) -> tuple[int, int, int, int]:
    """Return where the edge leaves and arrives: at the sides that face each other, or at both right sides."""
    start, end = places[edge.source], places[edge.target]
    leaves = start.x + (0 if end.x < start.x else WIDTH)
    arrives = end.x + (0 if end.x > start.x else WIDTH)
    shift = -14 if end.x < start.x else 0  # so that an answer and its number do not lie on the request
    return leaves, start.y + HEIGHT // 2 + shift, arrives, end.y + HEIGHT // 2 + shift


def _edge(edge: GraphEdge, places: Mapping[str, _Place], until: int | None) -> str:
    x, y, to_x, to_y = _ends(edge, places)
    bend = 50 if to_x >= x else -50
    back = -bend if x == to_x else bend
    marks = (" f" if edge.failed else "") + (" now" if until in edge.order else "")
    if until is not None and not edge.until(until):
        marks += " later"
    path = f"M{x} {y}C{x + bend} {y} {to_x - back} {to_y} {to_x} {to_y}"
    return f'<path class="e{marks}" marker-end="url(#a)" d="{path}"/>'


def _count(edge: GraphEdge, places: Mapping[str, _Place], until: int | None) -> str:
    if until is not None and not edge.until(until):
        return ""
    x, y, to_x, to_y = _ends(edge, places)
    across = (x + to_x) // 2 + (42 if x == to_x else 0)
    number = edge.count if until is None else edge.until(until)
    failed = f", {edge.failed} failed" if edge.failed and number == edge.count else ""
    words = f"{number}×{failed}"  # noqa: RUF001  the sign for times
    return f'<text class="c" x="{across}" y="{(y + to_y) // 2 - 3}" text-anchor="middle">{words}</text>'


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGraphSvg:
    """Draws the graph of a run's agents and tools."""

    name: str = "graph-svg"
    file_name: str = "graph.svg"

    def render(self, run: Run, scorecard: Scorecard) -> str:  # noqa: ARG002  the port hands it to every view
        """Return the drawing; without a trace it is empty."""
        return graph_svg(AgentGraph(nodes=(), edges=()) if run.trace is None else agent_graph(run.trace))
