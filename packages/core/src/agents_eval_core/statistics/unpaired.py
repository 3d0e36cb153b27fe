"""Two sets of runs of different papers: the difference of their means."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.clustered import ClusteredMean, clustered_mean
from agents_eval_core.statistics.student_t import critical_t, upper_tail

RESAMPLES = 10_000
SEED = 20_170_427
TIE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedDifference:
    """The candidate's mean minus the baseline's.

    Attributes:
        degrees: Degrees of freedom, by Welch and Satterthwaite.
        p: Of Welch's test on the clustered errors, two-sided.
        papers: Of the side that has fewer.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    degrees: float
    p: float
    papers: int


def unpaired_difference(
    baseline: Sequence[float],
    baseline_papers: Sequence[Hashable],
    candidate: Sequence[float],
    candidate_papers: Sequence[Hashable],
    confidence: float = 0.95,
    *,
    is_bounded: bool = True,
) -> UnpairedDifference:
    """Return the difference of two means with Welch's interval on clustered standard errors.

    With one run a paper it is Welch's t test. Papers that are on both sides usually make it wider than it need be:
    pair them instead.

    Args:
        baseline: The values of one side.
        baseline_papers: The paper of each, in the same order.
        candidate: Those of the other side.
        candidate_papers: Their papers.
        confidence: Between 0 and 1, both excluded.
        is_bounded: Whether values lie in [0, 1], so that the interval stays within [-1, 1]; times and costs do not.

    Raises:
        UndefinedMetricError: A side has fewer than two papers, or neither has any spread.

    References:
        Welch, "The generalization of Student's problem" (1947).

    >>> found = unpaired_difference([0.1, 0.2, 0.3], "abc", [0.4, 0.5, 0.6], "def")
    >>> round(found.mean, 2), round(found.degrees, 1), round(found.p, 3)
    (0.3, 4.0, 0.021)
    """
    one = clustered_mean(baseline, baseline_papers, confidence)
    other = clustered_mean(candidate, candidate_papers, confidence)
    if one.is_constant and other.is_constant:
        raise UndefinedMetricError("the unpaired interval", because="no paper of either side differs from another")
    error = sqrt(one.standard_error**2 + other.standard_error**2)
    degrees = error**4 / (_part(one) + _part(other))
    mean = other.mean - one.mean
    reach = critical_t(confidence, degrees) * error
    widest = 1.0 if is_bounded else inf
    return UnpairedDifference(
        mean=mean,
        standard_error=error,
        low=max(-widest, mean - reach),
        high=min(widest, mean + reach),
        degrees=degrees,
        p=min(1.0, 2 * upper_tail(abs(mean) / error, degrees)),
        papers=min(one.clusters, other.clusters),
    )


def relabelling_p(baseline: Sequence[float], candidate: Sequence[float]) -> float:
    """Return the two-sided p-value of the permutation test that exchanges papers between the sides.

    Args:
        baseline: One mean a paper.
        candidate: The same.

    >>> relabelling_p([0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.1, 0.2])
    1.0
    """
    values = np.array([*baseline, *candidate])
    size = len(candidate)
    observed = abs(np.mean(candidate) - np.mean(baseline))
    shuffled = np.random.default_rng(SEED).permuted(np.tile(values, (RESAMPLES, 1)), axis=1)
    found = np.abs(shuffled[:, :size].mean(axis=1) - shuffled[:, size:].mean(axis=1))
    return float((1 + (found >= observed - TIE).sum()) / (1 + RESAMPLES))


def _part(side: ClusteredMean) -> float:
    return side.standard_error**4 / (side.clusters - 1)
