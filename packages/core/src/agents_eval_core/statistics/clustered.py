"""A mean over observations that come in clusters, such as several repetitions of one paper."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.student_t import critical_t

NO_SPREAD = 1e-9  # equal differences of scores are about 1e-16 apart in floating point


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMean:
    """A mean with its standard error and t interval, from `n` observations in `clusters` clusters."""

    mean: float
    standard_error: float
    low: float
    high: float
    n: int
    clusters: int

    @property
    def is_constant(self) -> bool:
        """Whether no cluster differs from another, so that the spread cannot be estimated."""
        return self.standard_error < NO_SPREAD

    @property
    def reversed(self) -> "ClusteredMean":
        """The same with the sides exchanged."""
        return replace(self, mean=-self.mean, low=-self.high, high=-self.low)


def clustered_mean(values: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95) -> ClusteredMean:
    """Return the mean of values with its clustered standard error.

    The error is sqrt(sum_c (sum_{i in c} (x_i - mean))^2 * C / (C - 1)) / n over the C clusters, and the interval uses
    t with C - 1 degrees of freedom. Observations of one cluster may depend on each other in any way; copies of them
    do not narrow the interval. With one observation a cluster it is the ordinary t interval of a mean.

    Args:
        values: All finite.
        clusters: The cluster of each value, in the same order.
        confidence: Between 0 and 1, both excluded.

    Raises:
        UndefinedMetricError: There are fewer than two clusters.

    References:
        Miller, "Adding Error Bars to Evals" (arXiv 2411.00640), with the small-sample factor C / (C - 1).

    >>> estimate = clustered_mean([0.1, 0.3, 0.2, 0.4], ["a", "a", "b", "b"])
    >>> round(estimate.mean, 3), round(estimate.standard_error, 3), estimate.clusters
    (0.25, 0.05, 2)
    """
    residuals: defaultdict[Hashable, list[float]] = defaultdict(list)
    mean = fsum(values) / len(values) if values else 0.0
    for value, cluster in zip(values, clusters, strict=True):
        residuals[cluster].append(value - mean)
    count = len(residuals)
    if count < 2:  # noqa: PLR2004  a spread takes two
        raise UndefinedMetricError("the clustered interval", because=f"it needs two clusters and there are {count}")
    squares = fsum(fsum(cluster) ** 2 for cluster in residuals.values())
    error = sqrt(squares * count / (count - 1)) / len(values)
    margin = critical_t(confidence, count - 1) * error
    return ClusteredMean(
        mean=mean, standard_error=error, low=mean - margin, high=mean + margin, n=len(values), clusters=count
    )
