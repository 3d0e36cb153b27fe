"""A desk laid out for reading: what the paper tools give, where a paper is too long to be read at once."""

from typing import Final

from opentelemetry.trace import get_current_span

from agents_eval_agents.reading.allowance import Allowance
from agents_eval_agents.reading.plan import ReadingPlan, reading_plan
from agents_eval_agents.reading.room import Room
from agents_eval_agents.review_team.desk import Desk

ALL: Final = 1.0
OF_A_READER: Final = 0.8
OF_ONE_WHO_LEADS: Final = 0.5


def lay_out(desk: Desk, room: Room | None, *, in_parts: bool, pages: float = ALL) -> ReadingPlan | None:
    """Decide how the paper on a desk is read, and tell it to the user, the run and the trace.

    Args:
        desk: Where the paper lies.
        room: What the model can read at once; None is not known.
        in_parts: Whether it may be read part by part.
        pages: The part of the room that sections may take. It is less where searching needs some of it, and less again
            for a manager who reads and has colleagues, whose answers need room too.

    Returns:
        The plan; None where the paper is read at once.

    Raises:
        UsageError: The model is too small for this paper's abstract.
    """
    if room is not None and pages < ALL:
        desk.pages = Allowance(most=int(room.characters * pages))
        desk.passages = Allowance(most=int(room.characters * (ALL - OF_A_READER)))
    desk.plan = plan = reading_plan(desk.paper, room, in_parts=in_parts, wish=desk.query, share=pages)
    if plan is None:
        return None
    desk.note(plan.sentence)
    desk.tell("", plan.sentence)
    get_current_span().set_attributes(plan.attributes)
    if len(plan.parts) == 1:
        desk.excerpt = plan.parts[0]
    return plan
