"""Who turned to whom: the agents of a trace that work, and the links between them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.per_trace import per_trace

Kind = Literal["gives", "tells", "answers", "follows"]
Pair = tuple[str, str]


class Link(NamedTuple):
    """One agent turned to another: gave work, told something, answered a call, or simply spoke next."""

    giver: str
    receiver: str
    kind: Kind
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGraph:
    """The working agents in the order in which they appear, and their links in the order of their spans.

    Attributes:
        edges: How often each pair was linked, by direction.
        has_receivers: Whether the trace says who was meant; otherwise whoever acts next counts as the receiver.
        has_answers: Whether answers could be seen: no call was delegated, or some call has a recorded result.
    """

    agents: tuple[str, ...]
    links: tuple[Link, ...]
    edges: Mapping[Pair, int]
    has_receivers: bool
    has_answers: bool


@per_trace
def agent_graph(trace: Trace) -> AgentGraph:
    """Return the graph of working agents; users, environments and the system are left out.

    A delegating call that came back with a result is a link there and a link back. An agent that works below a span of
    another, without a delegation between, was given that work. Where no receiver is known at all, agents that take
    turns are linked in the order of their turns.
    """
    idle = {agent.id for agent in trace.agents if agent.role not in ("worker", "orchestrator")}
    links = tuple(
        link for link in _links(trace) if link.giver != link.receiver and not {link.giver, link.receiver} & idle
    )
    agents = dict.fromkeys(span.agent_id for span in trace.spans if span.agent_id and span.agent_id not in idle)
    agents |= dict.fromkeys(link.receiver for link in links)
    has_receivers = bool(links)
    if not has_receivers and len(agents) > 1:
        links = tuple(_turns(trace, agents))
    edges: dict[Pair, int] = {}
    for link in links:
        edges[link.giver, link.receiver] = edges.get((link.giver, link.receiver), 0) + 1
    return AgentGraph(
        agents=tuple(agents), links=links, edges=edges, has_receivers=has_receivers, has_answers=_has_answers(trace)
    )


def _has_answers(trace: Trace) -> bool:
    calls = [span for span in trace.spans if span.tool is not None]
    return any(span.tool is not None and span.tool.result is not None for span in calls) or not any(
        span.to_agent_id is not None and span.operation == "execute_tool" for span in calls
    )


def _links(trace: Trace) -> Iterator[Link]:
    nested: set[tuple[str, str]] = set()
    by_id = trace.span_by_id
    for span in trace.spans:
        agent, receiver = span.agent_id, span.to_agent_id
        if agent is None:
            continue
        if receiver is not None:
            yield Link(agent, receiver, "gives" if span.is_delegation else "tells", span)
            if (
                span.tool is not None
                and span.operation == "execute_tool"
                and span.tool.result
                and span.status != "error"
            ):
                yield Link(receiver, agent, "answers", span)
        above = by_id.get(span.parent_id) if span.parent_id is not None else None
        if above is None or above.agent_id in (None, agent) or above.to_agent_id == agent:
            continue
        if (above.id, agent) not in nested:
            nested.add((above.id, agent))
            yield Link(above.agent_id, agent, "gives", span)


def _turns(trace: Trace, agents: Mapping[str, None]) -> Iterator[Link]:
    before: str | None = None
    for span in trace.spans:
        if span.agent_id is None or span.agent_id not in agents or span.operation in ("invoke_workflow", "other"):
            continue
        if before is not None and span.agent_id != before:
            yield Link(before, span.agent_id, "follows", span)
        before = span.agent_id
