"""Which of the humans' points a review found, and which it missed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Part, Tier
from agents_eval_evaluators.calibration.agreement_table import venue_table
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.reference_scores import texts_to_compare
from agents_eval_evaluators.text.review_points import (
    Polarity,
    ReviewPoint,
    distinct_points,
    points_of_review,
    points_of_text,
    shown_point,
)
from agents_eval_evaluators.text.term_weights import Weights, cosine, term_weights

SAME_POINT: Final = 0.1
ENOUGH_POINTS: Final = 3
MOST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedPoint:
    """A point and the weights of its words."""

    point: ReviewPoint
    weights: Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """One reviewer's points: those that a review has too, and those that it has not."""

    found: tuple[ReviewPoint, ...]
    missed: tuple[ReviewPoint, ...]

    @property
    def share(self) -> float:
        """The share that was found; a reviewer has a point."""
        return len(self.found) / (len(self.found) + len(self.missed))


def weighed_points(points: Sequence[ReviewPoint], counts: WordCounts, polarity: Polarity) -> tuple[WeighedPoint, ...]:
    """Return the distinct points of one kind with the weights of their words."""
    of_kind = [point for point in points if point.polarity == polarity]
    return tuple(
        WeighedPoint(point=point, weights=term_weights(point.text, counts))
        for point in distinct_points(of_kind, counts.stop_words)
    )


def point_coverage(ours: Sequence[WeighedPoint], theirs: Sequence[WeighedPoint]) -> Coverage:
    r"""Return which of a reviewer's points a review has too: those with a cosine of 0.1 or more with one of its points.

    References:
        At 0.1, 36 % of the points of ICLR 2017 reviewers are found by the next reviewer of the paper and 2 % by a
        reviewer of another paper (3,328 points). It compares words: the same subject in one point is a match, whatever
        is said of it.

    >>> counts = venue_table("iclr_2017").words
    >>> human = points_of_text("The biaffine baseline is missing.\nThe notation of the appendix is not clear.")
    >>> review = points_of_text("Please add the biaffine parser as a baseline.")
    >>> covered = point_coverage(*(weighed_points(points, counts, "weakness") for points in (review, human)))
    >>> [point.text for point in covered.found], covered.share
    (['The biaffine baseline is missing.'], 0.5)
    """
    told = [(other.point, any(cosine(own.weights, other.weights) >= SAME_POINT for own in ours)) for other in theirs]
    return Coverage(
        found=tuple(point for point, is_found in told if is_found),
        missed=tuple(point for point, is_found in told if not is_found),
    )


def best_coverage(coverages: Sequence[Coverage]) -> Coverage:
    """Return the reviewer whose points were covered best, so that experts may disagree.

    Reviewers with fewer than three points count only where nobody has more: one point is easily met.
    """
    larger = [one for one in coverages if len(one.found) + len(one.missed) >= ENOUGH_POINTS]
    return max(larger or coverages, key=lambda one: (one.share, len(one.found)))


@lru_cache(maxsize=32)  # a paper's references serve all its runs
def _of_reference(text: str, counts: WordCounts, polarity: Polarity) -> tuple[WeighedPoint, ...]:
    return weighed_points(points_of_text(text), counts, polarity)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointCoverage:
    """Scores a review by the share of the best covered reviewer's weaknesses; strengths stand beside it."""

    name: str = "point_coverage"
    version: str = "0"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("point_coverage",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Hold the review's points against those of each human review."""
        if run.case.task != "peer_review":
            return unmeasured(self, "not_applicable", f"it compares reviews, and the task is {run.case.task!r}")
        language = other_language(run.text)
        if language is not None:
            return unmeasured(
                self, "not_measured", f"the review is in {language}, and points are told by English words"
            )
        points = points_of_text(run.text) if run.output is None else points_of_review(run.output)
        counts = venue_table(run.case.venue, context.tables).words
        weaknesses = _coverages(run, points, counts, "weakness")
        if not weaknesses:
            return unmeasured(self, "not_measured", "the case has no human review with a point to find")
        best = best_coverage(weaknesses)
        strengths = _coverages(run, points, counts, "strength")
        return measured(
            self,
            best.share,
            explanation=f"{len(best.found)} of {len(best.found) + len(best.missed)} points of the best covered of "
            f"{len(weaknesses)} human reviewers are found, told by their words",
            measures=_measures(weaknesses, strengths),
            parts=_parts(best),
        )


def _coverages(run: Run, points: Sequence[ReviewPoint], counts: WordCounts, polarity: Polarity) -> list[Coverage]:
    ours = weighed_points(points, counts, polarity)
    theirs = (_of_reference(text, counts, polarity) for text in texts_to_compare(run))
    return [point_coverage(ours, human) for human in theirs if human]


def _measures(weaknesses: Sequence[Coverage], strengths: Sequence[Coverage]) -> Iterator[Measure]:
    yield Measure(name="coverage_mean", value=sum(one.share for one in weaknesses) / len(weaknesses), unit="share")
    yield Measure(name="weaknesses_found", value=sum(len(one.found) for one in weaknesses), unit="points of all humans")
    yield Measure(
        name="weaknesses_missed", value=sum(len(one.missed) for one in weaknesses), unit="points of all humans"
    )
    best = best_coverage(strengths).share if strengths else None
    yield Measure(name="strengths_coverage", value=best, unit="share of the best covered reviewer's praise")


def _parts(best: Coverage) -> Iterator[Part]:
    for mark, points in (("found", best.found), ("missed", best.missed)):
        yield from (Part(text=shown_point(point.text), mark=mark) for point in points[:MOST_SHOWN])
