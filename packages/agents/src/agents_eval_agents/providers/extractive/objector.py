"""What can be objected to in a draft by its form alone."""

from collections.abc import Iterator

from agents_eval_agents.providers.extractive.words import content_words
from agents_eval_agents.review_team.outputs import POINTS, Critique, DraftPoint, ReviewDraft

_SAME = 0.6
_SHORT = 3
_SHOWN = 60
_TWICE = 2


def object_to(draft: ReviewDraft) -> Critique:
    """Object to what is wrong with the form of a draft; with nothing wrong, the critique is empty.

    Objected to are: a part of the review that is missing, a point without an anchor, a point that says what an earlier
    one of its part said (at least six of ten content words in common), a point of less than three content words, and a
    recommendation that the points speak against: for acceptance with more than twice as many weaknesses as strengths,
    or against it with more than twice as many strengths as weaknesses.

    >>> draft = ReviewDraft(summary="S.", weaknesses=[DraftPoint(text="The ablation in Table 2 is missing.")])
    >>> [objection.text for objection in object_to(draft).objections][:2]
    ['The review has no strengths.', 'The review has no questions.']
    """
    missing = [part for part in ("summary", *POINTS, "recommendation") if not getattr(draft, part)]
    objections = [DraftPoint(text=f"The review has no {part}.") for part in missing]
    for part in POINTS:
        objections += _to_points(getattr(draft, part))
    return Critique(objections=[*objections, *_to_balance(draft)])


def _to_points(points: list[DraftPoint]) -> Iterator[DraftPoint]:
    seen: list[frozenset[str]] = []
    for point in points:
        words = frozenset(content_words(point.text))
        shown = _shown(point.text)
        if not (point.anchor or "").strip():
            yield DraftPoint(text=f'It is not said to which part of the paper this belongs: "{shown}".')
        if any(len(words & earlier) >= _SAME * len(words | earlier) for earlier in seen):
            yield DraftPoint(text=f'This was said before: "{shown}".', anchor=point.anchor)
        if len(words) < _SHORT:
            yield DraftPoint(text=f'This says too little to act on: "{shown}".', anchor=point.anchor)
        seen.append(words)


def _to_balance(draft: ReviewDraft) -> Iterator[DraftPoint]:
    good, bad = len(draft.strengths), len(draft.weaknesses)
    praises_too_much = draft.recommendation in ("accept", "weak_accept") and bad > _TWICE * good
    blames_too_much = draft.recommendation in ("reject", "weak_reject") and good > _TWICE * bad
    if praises_too_much or blames_too_much:
        counted = f"{good} strengths and {bad} weaknesses"
        yield DraftPoint(text=f"The recommendation {draft.recommendation} does not follow from {counted}.")


def _shown(point: str) -> str:
    text = " ".join(point.split()).replace('"', "'")
    return text if len(text) <= _SHOWN else text[:_SHOWN].rsplit(" ", 1)[0] + " ..."
