"""The points of a review: one remark each that criticises, asks or suggests, and what it is worth."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Final, Literal

from agents_eval_core.review import Review
from agents_eval_evaluators.text.point_marks import PointMarks, numbered_places, point_marks
from agents_eval_evaluators.text.point_opening import heading_polarity, opens_point, praises
from agents_eval_evaluators.text.words import sentences, words

Polarity = Literal["weakness", "strength"]
MOST_SENTENCES: Final = 3
FEWEST_CONTENT_WORDS: Final = 3
MOST_OVERLAP: Final = 0.6
SHOWN_CHARACTERS: Final = 240
FULL_LENGTH: Final = log(81)
WEAKNESSES: Final = ("Weaknesses", "Questions", "Suggestions")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPoint:
    """One remark of a review.

    Attributes:
        polarity: `weakness` for whatever criticises, asks or suggests; `strength` for praise.
        is_declared: Whether a form or a heading says so; otherwise its words do.
    """

    text: str
    polarity: Polarity = "weakness"
    is_declared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PointQuality:
    """What a point is worth, each from 0 to 1, by formulas whose weights were set once and never fitted."""

    grounding: float
    actionability: float
    verifiability: float

    @property
    def helpfulness(self) -> float:
        """The mean of the three."""
        return (self.grounding + self.actionability + self.verifiability) / 3


@lru_cache(maxsize=32)  # several metrics read the same review and the same references
def points_of_text(text: str) -> tuple[ReviewPoint, ...]:
    r"""Return the points of a text without a form.

    Within a line, a sentence that criticises, asks or suggests opens a point; the sentences that follow join it, up to
    three in all, unless they open one of the other kind. A heading such as `Strengths:` says of which kind the lines
    below it are: below `Strengths` all of them are points of praise. Elsewhere praise is a point if its words say so.

    References:
        Number of points against human marks (APE, 633 reviews of ICLR): rank correlation 0.76; single borders are
        found less often than not, so counts and sums are of use, and exact spans are not.

    >>> [point.text for point in points_of_text("We like it.\n- No baseline is given. It matters.\n- Why Adam?")]
    ['No baseline is given. It matters.', 'Why Adam?']
    """
    return tuple(_points(text.splitlines()))


def points_of_review(review: Review) -> tuple[ReviewPoint, ...]:
    """Return the points of a form: each is one; its anchor is read as a part of it."""
    return tuple(
        ReviewPoint(
            text=f"{point.text} ({point.anchor})" if point.anchor else point.text,
            polarity="strength" if heading == "Strengths" else "weakness",
            is_declared=True,
        )
        for heading, points in review.parts()
        for point in points
        if point.text.strip()
    )


def shown_point(text: str) -> str:
    """Return a point on one line as a report quotes it, cut where it is long.

    >>> shown_point("No  baseline.")
    'No baseline.'
    """
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS].rstrip()} …"


def _points(lines: Iterable[str]) -> Iterator[ReviewPoint]:
    declared: Polarity | None = None
    for line in lines:
        heading = heading_polarity(line)
        if heading is not None:
            declared = heading.polarity
            line = heading.rest  # noqa: PLW2901  what follows the heading on its line
        yield from _points_of_line(sentences(line), declared)


def _points_of_line(parts: tuple[str, ...], declared: Polarity | None) -> Iterator[ReviewPoint]:
    group: list[str] = []
    kind: Polarity = "weakness"
    for sentence in parts:
        opened = _kind(sentence, declared)
        if group and (len(group) == MOST_SENTENCES or opened not in (None, kind)):
            yield ReviewPoint(text=" ".join(group), polarity=kind, is_declared=kind == declared)
            group = []
        if group or opened is not None:
            kind = opened or kind
            group.append(sentence)
    if group:
        yield ReviewPoint(text=" ".join(group), polarity=kind, is_declared=kind == declared)


def _kind(sentence: str, declared: Polarity | None) -> Polarity | None:
    """Return of which kind a point is that a sentence opens; None where it opens none."""
    if declared == "strength":
        return "strength"
    if opens_point(sentence):
        return "weakness"
    return "strength" if declared is None and praises(sentence) else None


def point_quality(text: str, *, known_places: Iterable[str] | None = None) -> PointQuality:
    """Return what a point is worth.

    With sat(x, k) = min(1, x / k) and len = sat(ln(1 + words), ln 81):
    grounding = .35 sat(places, 2) + .15 [citation or quotation] + .25 sat(technical words and numbers, 6) + .25 len;
    actionability = .50 sat(requests + imperatives / 2, 2) + .25 [question mark] + .25 len;
    verifiability = .60 len + .25 sat(connectives, 3) + .15 sat(places + citations + quotations, 2).

    Args:
        text: The point.
        known_places: The places that count; None counts all.

    References:
        Rank correlation with human raters (RevUtil, 766 points): see `agents-eval validate review_points`.

    >>> vague, sharp = point_quality("It is bad."), point_quality("Why is BERT absent in Table 3? Please add its F1.")
    >>> vague.helpfulness < 0.2 < 0.5 < sharp.helpfulness
    True
    """
    marks = point_marks(text)
    return _quality(marks, len(marks.places if known_places is None else set(marks.places) & set(known_places)))


def _quality(marks: PointMarks, places: int) -> PointQuality:
    length = min(1.0, log(1 + marks.length) / FULL_LENGTH)
    sources = marks.citations + marks.quotations
    return PointQuality(
        grounding=0.35 * _sat(places, 2) + 0.15 * (sources > 0) + 0.25 * _sat(marks.technical, 6) + 0.25 * length,
        actionability=0.5 * _sat(marks.requests + marks.imperatives / 2, 2) + 0.25 * marks.has_question + 0.25 * length,
        verifiability=0.6 * length + 0.25 * _sat(marks.reasons, 3) + 0.15 * _sat(places + sources, 2),
    )


def _sat(amount: float, enough: float) -> float:
    return min(1.0, amount / enough)


def distinct_points(points: Iterable[ReviewPoint], stop_words: frozenset[str]) -> tuple[ReviewPoint, ...]:
    """Return the points without those that say nothing new.

    Repeated sentences are dropped, then points with fewer than three content words (no digits, no names of places), and
    points that share 60 % or more of their content words with an earlier one.

    >>> same = [ReviewPoint(text=f"Can you explain the results of Table {n}?") for n in range(1, 9)]
    >>> len(distinct_points(same, frozenset({"can", "you", "the", "of"})))
    0
    """
    return _distinct(tuple(points), stop_words)


@lru_cache(maxsize=64)  # several metrics read the same review and the same references
def _distinct(points: tuple[ReviewPoint, ...], stop_words: frozenset[str]) -> tuple[ReviewPoint, ...]:
    kept: list[ReviewPoint] = []
    said: set[tuple[str, ...]] = set()
    seen: list[frozenset[str]] = []
    for point in points:
        fresh = [sentence for sentence in sentences(point.text) if words(sentence) not in said]
        said.update(words(sentence) for sentence in fresh)
        content = content_words(" ".join(fresh), stop_words)
        if len(content) >= FEWEST_CONTENT_WORDS and not any(_overlap(content, other) >= MOST_OVERLAP for other in seen):
            kept.append(ReviewPoint(text=" ".join(fresh), polarity=point.polarity, is_declared=point.is_declared))
            seen.append(content)
    return tuple(kept)


def content_words(text: str, stop_words: frozenset[str]) -> frozenset[str]:
    """Return the words that say something: no stop words, no digits, no names of places such as `table`.

    >>> sorted(content_words("Please explain Table 3 of BERT.", frozenset({"of", "please"})))
    ['bert', 'explain']
    """
    named = {name for place in numbered_places(text) for name in place.split()}
    telling = {word for word in words(text) if not word[0].isdigit()} - stop_words
    return frozenset(word for word in telling if word.removesuffix("s") not in named) if named else frozenset(telling)


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)
