"""How much a review brings: its distinct points and what each is worth, and how much it says at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Part, Tier
from agents_eval_evaluators.calibration.agreement_table import venue_table
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.paper_places import paper_places
from agents_eval_evaluators.text.point_marks import point_marks
from agents_eval_evaluators.text.review_points import (
    PointQuality,
    ReviewPoint,
    content_words,
    distinct_points,
    point_quality,
    points_of_review,
    points_of_text,
    shown_point,
)

ENOUGH_CONTENT: Final = log(300)
ENOUGH_HELP: Final = 6.0
ENOUGH_GROUNDED: Final = 0.5
ENOUGH_ACTIONABLE: Final = 0.5
POINTS_SHOWN: Final = 40
ASPECTS: Final = ("grounding", "actionability", "verifiability", "helpfulness")


@dataclass(frozen=True, slots=True, kw_only=True)
class Substance:
    """What a review brings.

    Attributes:
        points: Its distinct points that criticise, ask or suggest, in order, with what each is worth.
        content: How many distinct content words it has.
    """

    points: tuple[tuple[ReviewPoint, PointQuality], ...]
    content: int

    @property
    def value(self) -> float:
        """Return .6 sat(ln(1 + distinct content words), ln 300) + .4 sat(sum of helpfulness, 6)."""
        said = min(1.0, log(1 + self.content) / ENOUGH_CONTENT)
        return 0.6 * said + 0.4 * min(1.0, self.total("helpfulness") / ENOUGH_HELP)

    def total(self, aspect: str) -> float:
        """Return the sum of an aspect over the points."""
        return fsum(getattr(quality, aspect) for _, quality in self.points)

    def share(self, aspect: str, enough: float) -> float | None:
        """Return the share of points that have enough of an aspect; None without points."""
        if not self.points:
            return None
        return sum(getattr(quality, aspect) >= enough for _, quality in self.points) / len(self.points)


def review_substance(
    points: Sequence[ReviewPoint], text: str, stop_words: frozenset[str], paper: Paper | None = None
) -> Substance:
    """Return what a review brings, so that saying it twice brings nothing.

    Praise does not count. A place of the paper counts for the first point that names it, and not at all where the
    paper's full text is at hand and does not have it.

    Args:
        points: The review's points.
        text: All of its words.
        stop_words: Words that say nothing.
        paper: To look places up in.

    References:
        Rank correlation with human judgements of whole reviews (RottenReviews): see `agents-eval validate`.

    >>> points = points_of_text("The biaffine baseline is missing. Please add it to Table 1.")
    >>> once = review_substance(points, points[0].text, frozenset())
    >>> twice = review_substance(points * 2, f"{points[0].text} {points[0].text}", frozenset())
    >>> once.value == twice.value, len(twice.points)
    (True, 1)
    """
    named: set[str] = set()
    judged: list[tuple[ReviewPoint, PointQuality]] = []
    for point in distinct_points([point for point in points if point.polarity == "weakness"], stop_words):
        fresh = {place for place in point_marks(point.text).places if place not in named and _may_exist(place, paper)}
        judged.append((point, point_quality(point.text, known_places=fresh)))
        named |= fresh
    return Substance(points=tuple(judged), content=len(content_words(text, stop_words)))


def _may_exist(place: str, paper: Paper | None) -> bool:
    return paper is None or not paper.sections or paper_places(paper).has(place) is not False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSubstance:
    """Scores a review by `review_substance`; its points and what each is worth stand beside it."""

    name: str = "review_substance"
    version: str = "0"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("review_substance",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Judge the review's points, with its form where it has one."""
        if run.case.task != "peer_review":
            return unmeasured(self, "not_applicable", f"it judges reviews, and the task is {run.case.task!r}")
        language = other_language(run.text)
        if language is not None:
            why = f"the review is in {language}; the word lists that tell requests and reasons are English"
            return unmeasured(self, "not_measured", why)
        points = points_of_text(run.text) if run.output is None else points_of_review(run.output)
        found = review_substance(
            points, run.text, venue_table(run.case.venue, context.tables).words.stop_words, run.case.paper
        )
        return measured(
            self,
            found.value,
            explanation=_explanation(found),
            measures=tuple(_measures(found)),
            parts=(_part(point, quality) for point, quality in found.points[:POINTS_SHOWN]),
        )


def _explanation(found: Substance) -> str:
    return (
        f"{len(found.points)} distinct points worth {found.total('helpfulness'):.1f} together ({ENOUGH_HELP:g} are "
        f"enough), and {found.content} distinct content words"
    )


def _measures(found: Substance) -> Iterator[Measure]:
    yield Measure(name="points", value=len(found.points), unit="distinct points")
    yield Measure(name="content_words", value=found.content, unit="distinct words")
    for aspect in ASPECTS:
        yield Measure(name=f"{aspect}_sum", value=round(found.total(aspect), 4), unit="sum over points")
    yield Measure(name="grounded_share", value=found.share("grounding", ENOUGH_GROUNDED), unit="share of points")
    yield Measure(
        name="actionable_share", value=found.share("actionability", ENOUGH_ACTIONABLE), unit="share of points"
    )


def _part(point: ReviewPoint, quality: PointQuality) -> Part:
    return Part(
        text=shown_point(point.text),
        measures=tuple(
            Measure(name=aspect, value=round(getattr(quality, aspect), 4), unit="0 to 1") for aspect in ASPECTS
        ),
    )
