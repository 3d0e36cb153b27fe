"""The duties of a peer review that can be read off its text, each as a share from 0 to 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.review import Review
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.cues import asks, criticises, gives_reason
from agents_eval_evaluators.text.own_words import OwnSentence, own_sentences
from agents_eval_evaluators.text.paper_subject import PaperSubject, places

ENOUGH_SENTENCES: Final = 5
ENOUGH_ANCHORED: Final = 0.5
ENOUGH_ARGUED: Final = 2
ENOUGH_ASKED: Final = 2
POINT_WORDS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPart:
    """Some text of a review that stands together: a paragraph of a human's, or one point of a structured review.

    Attributes:
        is_point: Whether it makes one point; otherwise each of its sentences does.
        is_weakness: Whether the form says that it criticises; None where only the words can tell.
        anchor: Where in the paper the point belongs, as the form says.
    """

    text: str
    is_point: bool = False
    is_weakness: bool | None = None
    anchor: str | None = None


def parts_of_review(review: Review) -> tuple[ReviewPart, ...]:
    """Return the summary and the points of a structured review."""
    points = tuple(
        ReviewPart(text=point.text, is_point=True, is_weakness=heading == "Weaknesses", anchor=point.anchor)
        for heading, points in review.parts()
        for point in points
    )
    return (ReviewPart(text=review.summary), *points)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    text: str
    is_anchored: bool
    is_weakness: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A review read against its paper: its distinct sentences about the paper, and its points."""

    about: float
    points: tuple[_Point, ...]


def read(parts: Sequence[ReviewPart], subject: PaperSubject, counts: WordCounts) -> Reading:
    """Read a review: repeated sentences, copied runs and the paper's title given word for word do not count.

    A point needs three words of its own that are no stop words. It is anchored when its own words name something
    the paper is about, or when it gives a place or quotation that the paper has and no earlier point gave.
    """
    cut = own_sentences([part.text for part in parts], subject)
    about = sum(sentence.weight_about(subject) for sentences in cut for sentence in sentences)
    used: set[str] = set()
    points: list[_Point] = []
    for part, sentences in zip(parts, cut, strict=True):
        for group in [sentences] if part.is_point else [(sentence,) for sentence in sentences]:
            point = _point(part, group, subject, counts, used)
            if point is not None:
                points.append(point)
    return Reading(about=about, points=tuple(points))


def _point(
    part: ReviewPart, group: Sequence[OwnSentence], subject: PaperSubject, counts: WordCounts, used: set[str]
) -> _Point | None:
    telling = {word for sentence in group for word in sentence.own if _is_telling(word, counts)}
    if len(telling) < POINT_WORDS:
        return None
    text = " ".join(sentence.text for sentence in group)
    anchors = {place for place in places(f"{text} {part.anchor or ''}") if place in subject.places}
    if part.anchor and subject.has(part.anchor):
        anchors.add(part.anchor)
    is_anchored = any(sentence.is_about(subject) for sentence in group) or not anchors <= used
    used |= anchors
    is_weakness = criticises(text) if part.is_weakness is None else part.is_weakness
    return _Point(text=text, is_anchored=is_anchored, is_weakness=is_weakness)


def _is_telling(word: str, counts: WordCounts) -> bool:
    return word not in counts.stop_words and not word.isdigit()


def substance(reading: Reading) -> float:
    """Return the number of distinct sentences about this paper, of five; a framed quotation counts half."""
    return min(1.0, reading.about / ENOUGH_SENTENCES)


def grounding(reading: Reading) -> float:
    """Return the share of points anchored in this paper, of one half; without points 0."""
    if not reading.points:
        return 0.0
    anchored = sum(point.is_anchored for point in reading.points)
    return min(1.0, anchored / len(reading.points) / ENOUGH_ANCHORED)


def criticism(reading: Reading) -> float:
    """Return the mean of two shares over anchored points: weaknesses with a reason, and requests, of two each."""
    anchored = [point for point in reading.points if point.is_anchored]
    argued = sum(point.is_weakness and gives_reason(point.text) for point in anchored)
    asked = sum(asks(point.text) for point in anchored)
    return (min(1.0, argued / ENOUGH_ARGUED) + min(1.0, asked / ENOUGH_ASKED)) / 2


def fields_present(review: Review) -> float:
    """Return the share of the form that is filled: summary, strengths, weaknesses, requests, rating, confidence.

    >>> fields_present(Review(summary="It learns."))
    0.16666666666666666
    """
    given = (
        bool(review.summary.strip()),
        bool(review.strengths),
        bool(review.weaknesses),
        bool(review.questions or review.suggestions),
        review.rating is not None,
        review.confidence is not None,
    )
    return sum(given) / len(given)
