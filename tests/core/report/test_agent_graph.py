"""The graph of agents and tools: counts, words, node-link JSON and drawing."""

import json
from typing import TypeAlias, cast
from xml.etree import ElementTree as ET

import networkx

from agents_eval_core.report.agent_graph import AgentGraphJson, agent_graph, graph_steps
from agents_eval_core.report.agent_graph_svg import MOST_NODES, graph_svg
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace

Graph: TypeAlias = "networkx.MultiDiGraph[str]"


def test_steps_of_one_kind_are_one_edge_with_count_failures_and_order(trace: Trace) -> None:
    edge = next(edge for edge in agent_graph(trace).edges if edge.target == "tool:read")
    assert (edge.count, edge.failed, edge.order, edge.span_ids) == (2, 1, (1, 2), ("s1", "s2"))


def test_the_graph_is_told_in_words_in_the_order_of_time(trace: Trace) -> None:
    first, second, *_, last = agent_graph(trace).told()
    assert first.startswith("manager gives work to ")
    assert second.endswith("calls read 2 times, 1 of them failed")
    assert last.endswith("hands over to manager once")


def test_networkx_reads_the_json_as_the_graph_that_the_trace_gives(run: Run, scorecard: Scorecard) -> None:
    data = json.loads(AgentGraphJson().render(run, scorecard))
    read = cast("Graph", networkx.node_link_graph(data, edges="edges"))  # pyright: ignore[reportUnknownMemberType]
    assert run.trace is not None
    whole = run.trace.to_networkx()
    assert set(read) == set(whole)
    assert kinds(read) == kinds(whole)
    assert sum(edge["count"] for edge in data["edges"]) == whole.number_of_edges()


def kinds(graph: Graph) -> set[tuple[str, str, str]]:
    return {(source, target, str(about["kind"])) for source, target, about in graph.edges(data=True)}


def test_the_drawing_is_well_formed_and_names_no_other_place(trace: Trace) -> None:
    drawing = ET.fromstring(graph_svg(agent_graph(trace)))  # noqa: S314  our own drawing
    assert not [
        element for element in drawing.iter() if element.tag.endswith(("script", "image", "a}a", "foreignObject"))
    ]
    assert not [
        name for element in drawing.iter() for name in element.attrib if "href" in name or name.startswith("on")
    ]
    assert "2 times, 1 of them failed" in drawing.attrib["aria-label"]


def test_of_very_many_nodes_the_busiest_are_drawn_and_it_is_said() -> None:
    spans = tuple(
        Span(
            id=str(seq), seq=seq, operation="execute_tool", name="", agent_id="m", tool=ToolUse(name=f"tool{seq % 90}")
        )
        for seq in range(100)
    )
    trace = Trace(id="t", source=Source(format="native"), agents=(Agent(id="m", name="m"),), spans=spans)
    drawing = graph_svg(agent_graph(trace))
    assert drawing.count("<rect") == MOST_NODES
    assert "31 less busy nodes are not drawn" in drawing
    assert ">tool0<" in drawing


def test_without_a_trace_there_is_an_empty_graph(run: Run, scorecard: Scorecard) -> None:
    empty = json.loads(AgentGraphJson().render(run.changed(trace=None), scorecard))
    assert empty["nodes"] == empty["edges"] == []


def test_a_moment_counts_only_what_has_begun_and_pales_the_rest(trace: Trace) -> None:
    graph = agent_graph(trace)
    steps = graph_steps(graph)
    assert [step.order for step in steps] == sorted(step.order for step in steps)
    read = next(edge for edge in graph.edges if edge.target == "tool:read")
    assert [read.until(place) for place in (0, 1, 2)] == [0, 1, 2]
    first, last = (graph_svg(graph, until=steps[place].order) for place in (0, -1))
    assert first.count('class="e') == last.count('class="e')
    assert ' later"' in first
    assert ' later"' not in last
    assert "2×" not in first.split("</style>")[1].replace("2 times", "")  # noqa: RUF001  the sign for times


def test_the_colours_are_those_that_are_asked_for(trace: Trace) -> None:
    graph = agent_graph(trace)
    assert "prefers-color-scheme" in graph_svg(graph)
    assert "prefers-color-scheme" not in graph_svg(graph, theme="dark")
    assert "#1d2f47" not in graph_svg(graph, theme="light")
