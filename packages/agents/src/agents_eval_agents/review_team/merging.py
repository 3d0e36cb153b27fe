"""What was noted of the parts of a paper, put together."""

from collections.abc import Sequence
from itertools import chain, zip_longest

from agents_eval_agents.reading.plan import ReadingPlan
from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.review_team.outputs import Fact, ResearchSummary


def notes_on_parts(desk: Desk, notes: Sequence[ResearchSummary], plan: ReadingPlan) -> ResearchSummary:
    """Return the notes on all parts as one that the same model can read, and keep in the run what did not go in."""
    whole, left_out = merged(notes, plan.room.characters // 2)
    if left_out:
        desk.note(f"{left_out} of the facts noted in the parts had no room in the notes on the whole paper")
    return whole


def merged(parts: Sequence[ResearchSummary], characters: int) -> tuple[ResearchSummary, int]:
    """Return the notes of all parts as one, and how many facts had to be left out.

    The overviews stand one after another. Where not all facts have room, each part gives its first ones in turn.

    Args:
        parts: What was noted of each part, in the paper's order.
        characters: How long the whole may be.

    >>> fact = Fact(kind="claim", text="It works.")
    >>> whole, left_out = merged([ResearchSummary(overview="A.", facts=[fact]), ResearchSummary(overview="B.")], 900)
    >>> whole.overview, len(whole.facts), left_out
    ('A. B.', 1, 0)
    """
    overview = " ".join(part.overview.strip() for part in parts)[: characters // 2]
    left = characters - len(overview)
    kept: set[int] = set()
    turns = chain.from_iterable(zip_longest(*(part.facts for part in parts)))
    for fact in turns:
        if fact is None:
            continue
        left -= len(fact.model_dump_json(indent=1))
        if left < 0:
            break
        kept.add(id(fact))
    facts: list[Fact] = [fact for part in parts for fact in part.facts if id(fact) in kept]
    unread = [each for part in parts for each in part.unread]
    total = sum(len(part.facts) for part in parts)
    return ResearchSummary(overview=overview, facts=facts, unread=unread), total - len(facts)
