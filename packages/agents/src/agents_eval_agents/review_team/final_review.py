"""From an agent's draft to the review that is kept: what does not fit is flagged, and nothing is put in its place."""

import re
from collections.abc import Iterable
from math import isfinite
from typing import Final, cast, get_args

from agents_eval_agents.review_team.outputs import DraftPoint, ReviewDraft
from agents_eval_agents.tools.quotation import written
from agents_eval_core.review import Flag, Point, Rating, Recommendation, Review, Scale

CONFIDENCE: Final = Scale(lowest=1, highest=5)
RECOMMENDATIONS: Final = get_args(Recommendation)
GRADE: Final = re.compile(
    r"(?P<value>-?[0-9]{1,6}(\.[0-9]{1,6})?)(\s*(/|of|out of)\s*(?P<highest>[0-9]{1,6}(\.[0-9]{1,6})?))?", re.IGNORECASE
)
SEPARATORS: Final = re.compile(r"[\s_-]+")
GIVEN_CHARACTERS: Final = 300


def review_of(draft: ReviewDraft, scale: Scale) -> Review:
    """Return the review that a draft holds.

    A grade is a number on the scale, alone ("7", 7.5) or with the scale's highest end ("7/10", "7 out of 10"). A
    recommendation is one of the four, in any case and with any separators. Whatever else is given becomes a flag.

    >>> review = review_of(ReviewDraft(summary="S.", rating="I cannot rate this paper"), Scale(lowest=1, highest=10))
    >>> review.rating, review.flags[0].given
    (None, 'I cannot rate this paper')
    """
    flags: list[Flag] = []
    return Review(
        summary=written(draft.summary).strip(),
        strengths=_points("strengths", draft.strengths, flags),
        weaknesses=_points("weaknesses", draft.weaknesses, flags),
        questions=_points("questions", draft.questions, flags),
        suggestions=_points("suggestions", draft.suggestions, flags),
        rating=_grade("rating", draft.rating, scale, flags),
        confidence=_grade("confidence", draft.confidence, CONFIDENCE, flags),
        recommendation=_recommendation(draft.recommendation, flags),
        flags=tuple(flags),
    )


def _points(field: str, points: Iterable[DraftPoint], flags: list[Flag]) -> tuple[Point, ...]:
    kept: list[Point] = []
    for point in points:
        text, anchor = written(point.text).strip(), written(point.anchor or "").strip()
        if text:
            kept.append(Point(text=text, anchor=anchor or None))
        else:
            flags.append(_flag(field, anchor, "a point without words was left out"))
    return tuple(kept)


def _grade(field: str, given: float | str | None, scale: Scale, flags: list[Flag]) -> Rating | None:
    if given is None:
        return None
    value = _number(given, scale) if isinstance(given, str) else float(given)
    if value is None:
        flags.append(_flag(field, given, f"not a number on the scale {scale.lowest:g} to {scale.highest:g}"))
        return None
    if not isfinite(value) or not scale.lowest <= value <= scale.highest:
        flags.append(_flag(field, given, f"outside the scale {scale.lowest:g} to {scale.highest:g}"))
        return None
    return Rating(value=value, scale=scale)


def _number(given: str, scale: Scale) -> float | None:
    found = GRADE.fullmatch(given.strip())
    if found is None or (found["highest"] is not None and float(found["highest"]) != scale.highest):
        return None
    return float(found["value"])


def _recommendation(given: str | None, flags: list[Flag]) -> Recommendation | None:
    if given is None:
        return None
    word = SEPARATORS.sub("_", given.strip().lower())
    if word in RECOMMENDATIONS:
        return cast("Recommendation", word)
    flags.append(_flag("recommendation", given, f"not one of {', '.join(RECOMMENDATIONS)}"))
    return None


def _flag(field: str, given: float | str, problem: str) -> Flag:
    words = given if isinstance(given, str) else f"{given:g}"
    return Flag(field=field, given=written(words)[:GIVEN_CHARACTERS], problem=problem)
