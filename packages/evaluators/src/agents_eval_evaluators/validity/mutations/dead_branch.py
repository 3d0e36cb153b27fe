"""A defect: a further agent is given work, and nobody uses what it brings."""

from typing import Final

from agents_eval_core.run import Run
from agents_eval_core.trace import Agent, Span, ToolUse
from agents_eval_evaluators.validity.mutations.planted import (
    Planted,
    chosen,
    hand_offs,
    last_below,
    trace_of,
    with_spans,
)

BRANCH: Final = "planted branch"
BROUGHT: Final = "Quokkas near Esperance numbered 48213 in the zoological census of nineteen seventeen."


def dead_branch(run: Run) -> Planted | None:
    """After a hand-off, let its giver ask one agent more, whose answer has nothing to do with anything."""
    trace = trace_of(run)
    given = chosen([span for span in hand_offs(trace) if span.agent_id is not None], run)
    if given is None:
        return None
    end = last_below(trace, given) + 1
    moment = given.ended_at or given.started_at
    call = Span(
        id=f"{BRANCH} call",
        seq=0,
        operation="execute_tool",
        name=f"execute_tool {BRANCH}",
        parent_id=given.parent_id,
        agent_id=given.agent_id,
        started_at=moment,
        ended_at=moment,
        status="ok",
        tool=ToolUse(name="ask_branch", call_id=f"{BRANCH} call", arguments={"request": "Anything?"}, result=BROUGHT),
        to_agent_id=BRANCH,
    )
    said = Span(
        id=f"{BRANCH} answer",
        seq=0,
        operation="chat",
        name="chat",
        parent_id=call.id,
        agent_id=BRANCH,
        started_at=moment,
        ended_at=moment,
        status="ok",
        text=BROUGHT,
    )
    agents = (*trace.agents, Agent(id=BRANCH, name=BRANCH))
    return Planted(before=run, after=with_spans(run, [*trace.spans[:end], call, said, *trace.spans[end:]], agents))
