"""A neutral edit: all ids and agents get other names; roles stay."""

from hashlib import sha256

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import Agent, Span, ToolUse
from agents_eval_evaluators.validity.mutations.planted import Planted, trace_of


def renamed(run: Run) -> Planted | None:
    """Replace the ids of trace, spans, calls and agents, and the names of agents, by digests."""
    trace = trace_of(run)
    agents = {agent.id: agent for agent in trace.agents}
    names = {_other(agent.name): agent.name for agent in agents.values()}
    names |= {_other(agent_id): agent_id for agent_id in _agent_ids(trace.spans) | agents.keys()}
    names |= {_other(span.id): span.id for span in trace.spans}
    changed = replace(
        trace,
        id=_other(trace.id),
        agents=tuple(Agent(id=_other(one.id), name=_other(one.name), role=one.role) for one in trace.agents),
        spans=tuple(_span(span) for span in trace.spans),
    )
    return Planted(before=run, after=run.changed(trace=changed), names=names)


def _agent_ids(spans: tuple[Span, ...]) -> set[str]:
    return {one for span in spans for one in (span.agent_id, span.to_agent_id) if one is not None}


def _span(span: Span) -> Span:
    return replace(
        span,
        id=_other(span.id),
        parent_id=None if span.parent_id is None else _other(span.parent_id),
        agent_id=None if span.agent_id is None else _other(span.agent_id),
        to_agent_id=None if span.to_agent_id is None else _other(span.to_agent_id),
        source_span_ids=tuple(_other(one) for one in span.source_span_ids),
        tool=None if span.tool is None else _tool(span.tool),
    )


def _tool(tool: ToolUse) -> ToolUse:
    return tool if tool.call_id is None else replace(tool, call_id=_other(tool.call_id))


def _other(name: str) -> str:
    return f"x{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"
