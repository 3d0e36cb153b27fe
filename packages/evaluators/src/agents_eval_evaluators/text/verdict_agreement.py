"""Whether a review's rating agrees with the humans' as well as theirs do with one another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.review import Rating, Recommendation, Scale
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.verdict_scale import VerdictScale, human_gap, venue_verdict_scale

WEIGHTS: Final[Mapping[Recommendation, float]] = {
    "accept": 1.0,
    "weak_accept": 0.7,
    "weak_reject": -0.7,
    "reject": -1.0,
}
DECISIONS: Final = {"accepted": 1.0, "rejected": -1.0}


def verdict_agreement(rating: float, humans: list[float], scale: VerdictScale) -> float:
    """Return the share of human reviewers of the venue who lie as far or farther from the mean of the others.

    Args:
        rating: On the venue's scale.
        humans: The paper's human ratings, at least one.
        scale: The venue's gaps.

    >>> from agents_eval_core.review import Scale
    >>> scale = VerdictScale(
    ...     schema="agents-eval/verdict-scale/1", venue="v", source="", fitted_on="2026-01-01", papers=2,
    ...     rating_scale=Scale(lowest=1, highest=10), gaps=(0, 1, 1, 3), mean_rating=5, baseline_mean=0.4,
    ...     baseline_random=0.3)
    >>> verdict_agreement(6, [5, 7], scale), verdict_agreement(9, [5, 7], scale)
    (0.875, 0.125)
    """
    return scale.agreement(human_gap(rating, humans))


def on_scale(rating: Rating, scale: Scale) -> float:
    """Return a rating carried over to another scale by its place between the ends.

    >>> on_scale(Rating(value=3, scale=Scale(lowest=1, highest=5)), Scale(lowest=1, highest=10))
    5.5
    """
    return scale.lowest + rating.share * (scale.highest - scale.lowest)


def recommendation_agreement(ours: Recommendation, decision: str) -> float:
    """Return 1 for the decision with full weight, 0 for its opposite, by the weights 1, 0.7, -0.7 and -1.

    >>> [round(recommendation_agreement(said, "accepted"), 2) for said in ("accept", "weak_accept", "reject")]
    [1.0, 0.85, 0.0]
    """
    return 1 - abs(WEIGHTS[ours] - DECISIONS[decision]) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictAgreement:
    """Scores a review's rating by `verdict_agreement`; read it as a mean over many papers.

    What somebody would reach who always gives the venue's mean rating, or one of another paper, stands beside it.
    """

    name: str = "verdict_agreement"
    version: str = "0"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("verdict_agreement",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Hold the review's rating against those of the human reviews."""
        if run.case.task != "peer_review":
            return unmeasured(self, "not_applicable", f"only reviews rate a paper; the task is {run.case.task!r}")
        recommended = tuple(_of_recommendation(run))
        scale = venue_verdict_scale(run.case.venue, context.tables)
        humans = [review.rating for review in run.case.references if review.rating is not None]
        if scale is None:
            why = f"it is not known how far human ratings lie apart at {run.case.venue or 'an unknown venue'}"
            return unmeasured(self, "not_measured", why, measures=recommended)
        if not humans:
            why = "the paper's human reviews have no rating"
            return unmeasured(self, "not_measured", why, measures=recommended)
        if run.output is None or run.output.rating is None:
            return unmeasured(self, "not_measured", "the review states no rating", measures=recommended)
        rating = on_scale(run.output.rating, scale.rating_scale)
        values = [on_scale(given, scale.rating_scale) for given in humans]
        value = verdict_agreement(rating, values, scale)
        return measured(
            self,
            value,
            explanation=f"rated {rating:g} where {len(values)} humans gave {fmean(values):.2g} on average; "
            f"{100 * value:.0f} % of human reviewers of {scale.venue} lie that far from the others or farther (chance: "
            f"{100 * scale.baseline_random:.0f} %, always the mean: {100 * scale.baseline_mean:.0f} %)",
            measures=(
                Measure(name="rating_gap", value=human_gap(rating, values), unit="points of the venue's scale"),
                Measure(name="baseline_mean_rating", value=scale.baseline_mean, unit="mean agreement"),
                Measure(name="baseline_random_human", value=scale.baseline_random, unit="mean agreement"),
                *recommended,
            ),
        )


def _of_recommendation(run: Run) -> Iterator[Measure]:
    ours = run.output.recommendation if run.output else None
    if ours is not None:
        yield Measure(name="recommendation_weight", value=WEIGHTS[ours], unit="-1 to 1")
    if ours is not None and run.case.decision is not None:
        yield Measure(
            name="recommendation_agreement",
            value=recommendation_agreement(ours, run.case.decision),
            unit="with the venue's decision, 0 to 1",
        )
