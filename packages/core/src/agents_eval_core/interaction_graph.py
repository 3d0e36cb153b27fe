"""The graph of who called whom and what, for NetworkX."""

import networkx

from agents_eval_core.trace import Span, Trace


def interaction_graph(trace: Trace) -> "networkx.MultiDiGraph[str]":
    """Return the agents and tools of a trace as a directed multigraph; see `Trace.to_networkx`.

    >>> from agents_eval_core.trace import Agent, Source
    >>> trace = Trace(id="t", source=Source(format="native"), agents=(Agent(id="a", name="manager"),))
    >>> interaction_graph(trace).nodes["agent:a"]["label"]
    'manager'
    """
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(trace_id=trace.id)
    for agent in trace.agents:
        graph.add_node(f"agent:{agent.id}", kind="agent", label=agent.name, role=agent.role)
    for span in trace.spans:
        _add_edge(graph, span)
    return graph


def _add_edge(graph: "networkx.MultiDiGraph[str]", span: Span) -> None:
    if span.agent_id is None:
        return
    about = {"span_id": span.id, "seq": span.seq, "status": span.status}
    if span.to_agent_id is not None:
        kind = "delegates" if span.operation == "execute_tool" else span.operation
        graph.add_edge(f"agent:{span.agent_id}", f"agent:{span.to_agent_id}", kind=kind, **about)
    elif span.operation == "execute_tool" and span.tool is not None:
        graph.add_node(f"tool:{span.tool.name}", kind="tool", label=span.tool.name)
        graph.add_edge(f"agent:{span.agent_id}", f"tool:{span.tool.name}", kind="calls", **about)
