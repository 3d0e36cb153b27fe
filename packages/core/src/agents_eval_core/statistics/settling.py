"""What it would take to come to a conclusion, where there is none yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, sqrt

from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.fewest import fewest
from agents_eval_core.statistics.fewest_papers import fewest_papers
from agents_eval_core.statistics.power import (
    GOAL,
    detectable_effect,
    equivalence_power,
    papers_needed,
    papers_needed_for_equivalence,
    papers_of_a_constant,
    power,
)
from agents_eval_core.statistics.variance import VarianceSplit

MOST_REPETITIONS = 100
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """What would settle a comparison with a probability of 80 %, if the difference seen is the true one.

    Attributes:
        power: The probability of the conclusion with as many papers and repetitions as there are.
        papers: Papers in all that it takes; None where no number up to 10,000 does.
        repetitions: Repetitions in all of each paper that it takes, papers staying as they are; None where repetitions
            alone cannot settle it, or where nothing is known of their spread.
        detectable: The smallest true difference that would be found with the papers there are; None where they are too
            few for any.
    """

    power: float
    papers: int | None
    repetitions: int | None
    detectable: float | None


def settling(
    estimate: ClusteredMean, variance: VarianceSplit, *, margin: float | None = None, confidence: float = 0.95
) -> Settling:
    """Return what would settle a comparison.

    It is settled by a difference, or, where a margin is stated and the difference seen lies within it, by equivalence;
    the easier counts. One paper's mean difference has the variance between papers plus that of repetitions divided by
    their number, so repetitions help only as far as they are what varies.

    Args:
        estimate: Of at least two papers.
        variance: Of the same differences.
        margin: The smallest difference that matters.
        confidence: Of the conclusion.

    >>> estimate = ClusteredMean(mean=0.1, standard_error=0.05, low=0.0, high=0.2, n=16, clusters=16)
    >>> settling(estimate, VarianceSplit(papers=0.04, repetitions=None, per_paper=1.0)).papers
    34
    """
    spread = sqrt(variance.of_paper_mean())
    if spread < NEGLIGIBLE:
        return _of_a_constant(estimate, margin, confidence)
    found = detectable_effect(estimate.clusters, confidence)
    return Settling(
        power=_power(estimate, spread, estimate.clusters, margin, confidence),
        papers=_fewest(estimate.mean / spread, None if margin is None else margin / spread, confidence),
        repetitions=_repetitions(estimate, variance, margin, confidence),
        detectable=None if found is None else found * spread,
    )


def _of_a_constant(estimate: ClusteredMean, margin: float | None, confidence: float) -> Settling:
    size = abs(estimate.mean)
    rates = [size / (1 + size)]
    if margin is not None and size < margin:
        rates.append(1 - (1 - margin) / (1 - size))
    needed = [papers for rate in rates if (papers := papers_of_a_constant(rate, confidence)) is not None]
    papers = min(needed, default=None)
    detectable = (1 - confidence) ** (-1 / estimate.clusters) - 1
    return Settling(
        power=float(papers is not None and papers <= estimate.clusters),
        papers=papers,
        repetitions=None,
        detectable=None if detectable >= 1 or estimate.clusters < fewest_papers(confidence) else detectable,
    )


def _power(estimate: ClusteredMean, spread: float, papers: int, margin: float | None, confidence: float) -> float:
    found = power(estimate.mean / spread, papers, confidence)
    if margin is None or abs(estimate.mean) >= margin:
        return found
    return max(found, equivalence_power(estimate.mean / spread, margin / spread, papers, confidence))


def _fewest(effect: float, margin: float | None, confidence: float) -> int | None:
    def ways() -> Iterator[int | None]:
        yield papers_needed(effect, confidence)
        if margin is not None:
            yield papers_needed_for_equivalence(effect, margin, confidence)

    return min((papers for papers in ways() if papers is not None), default=None)


def _repetitions(
    estimate: ClusteredMean, variance: VarianceSplit, margin: float | None, confidence: float
) -> int | None:
    if not variance.repetitions:
        return None

    def settles(repetitions: int) -> bool:
        spread = sqrt(variance.of_paper_mean(repetitions))
        return _power(estimate, max(spread, NEGLIGIBLE), estimate.clusters, margin, confidence) >= GOAL

    return fewest(ceil(variance.per_paper), MOST_REPETITIONS, settles)
