"""How the offline baseline mends a draft: it cannot argue, so a point that was objected to is left out."""

from collections.abc import Sequence
from typing import Final

from agents_eval_agents.review_team.outputs import POINTS, Critique, DraftPoint, ReviewDraft

RECOGNISED_CHARACTERS: Final = 60


def revised(draft: ReviewDraft, critique: Critique) -> ReviewDraft:
    """Return the draft without the points whose beginning an objection quotes; a draft is never emptied that way.

    >>> draft = ReviewDraft(summary="S.", strengths=[DraftPoint(text="Good."), DraftPoint(text="Clear.")])
    >>> revised(draft, Critique(objections=[DraftPoint(text="No anchor: Good.")])).strengths
    [DraftPoint(text='Clear.', anchor=None)]
    """
    kept = {part: _standing(getattr(draft, part), critique) for part in POINTS}
    return draft.model_copy(update=kept) if any(kept.values()) else draft


def _standing(points: Sequence[DraftPoint], critique: Critique) -> list[DraftPoint]:
    objections = [objection.text for objection in critique.objections]
    return [point for point in points if not any(_beginning(point) in objection for objection in objections)]


def _beginning(point: DraftPoint) -> str:
    return point.text[:RECOGNISED_CHARACTERS]
