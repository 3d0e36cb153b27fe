"""Whether a difference is too small to matter: equivalence and non-inferiority against a stated margin."""

from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.student_t import upper_tail


def non_inferiority_p(estimate: ClusteredMean, margin: float) -> float:
    """Return the one-sided p-value against a true difference at or below minus the margin.

    Where every paper gave the same difference, the exact binomial bound of `constant_interval` takes the place of t.

    Args:
        estimate: A difference of scores in [0, 1].
        margin: The smallest difference that matters, above 0 and below 1.

    >>> estimate = ClusteredMean(mean=0.0, standard_error=0.01, low=-0.02, high=0.02, n=20, clusters=20)
    >>> round(non_inferiority_p(estimate, 0.02), 3)
    0.03
    """
    if estimate.is_constant:
        return 1.0 if estimate.mean <= -margin else ((1 - margin) / (1 + estimate.mean)) ** estimate.clusters
    return upper_tail((estimate.mean + margin) / estimate.standard_error, estimate.clusters - 1)


def equivalence_p(estimate: ClusteredMean, margin: float) -> float:
    """Return the p-value of two one-sided tests: that the true difference is not within the margin on either side.

    It is at most 5 % exactly if the 90 % interval lies within the margin.

    References:
        Schuirmann, "A comparison of the two one-sided tests procedure" (1987).

    >>> estimate = ClusteredMean(mean=0.0, standard_error=0.01, low=-0.02, high=0.02, n=20, clusters=20)
    >>> round(equivalence_p(estimate, 0.02), 3)
    0.03
    """
    return max(non_inferiority_p(estimate, margin), non_inferiority_p(estimate.reversed, margin))
