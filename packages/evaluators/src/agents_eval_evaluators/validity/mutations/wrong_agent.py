"""A defect that labels show: work is handed to another agent than the case expects."""

from typing import Final

from msgspec.structs import replace

from agents_eval_core.case import ExpectedCall
from agents_eval_core.run import Run
from agents_eval_core.trace import Agent
from agents_eval_evaluators.validity.mutations.planted import (
    Planted,
    chosen,
    hand_offs,
    trace_of,
    with_span,
    with_spans,
)

BYSTANDER: Final = "planted bystander"


def wrong_agent(run: Run) -> Planted | None:
    """Expect each hand-off at the agent that got it, and let one go to an agent that nobody expects."""
    trace = trace_of(run)
    all_given = hand_offs(trace)
    given = chosen(all_given, run)
    if given is None:
        return None
    expected = tuple(ExpectedCall(name=trace.agent_name(span.to_agent_id)) for span in all_given)
    labelled = run.changed(case=run.case.changed(expected_calls=expected))
    before = with_spans(labelled, trace.spans, (*trace.agents, Agent(id=BYSTANDER, name=BYSTANDER)))
    return Planted(before=before, after=with_span(before, replace(given, to_agent_id=BYSTANDER)))
