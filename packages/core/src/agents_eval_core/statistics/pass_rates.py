"""Pass rates over papers."""

from collections.abc import Sequence

from agents_eval_core.statistics.clustered import ClusteredMean, clustered_mean
from agents_eval_core.statistics.constant import constant_interval


def share_over_papers(shares: Sequence[float], confidence: float = 0.95) -> ClusteredMean:
    """Return the mean of the papers' pass rates with its t interval, within [0, 1].

    Where all papers have the same, `constant_interval` takes the place of the interval.

    Raises:
        UndefinedMetricError: There are fewer than two papers.

    >>> found = share_over_papers([1.0] * 20)
    >>> round(found.low, 2), found.high
    (0.86, 1.0)
    """
    found = clustered_mean(shares, range(len(shares)), confidence)
    low, high = found.low, found.high
    if found.is_constant:
        low, high = constant_interval(found.mean, found.clusters, lowest=0.0, highest=1.0, confidence=confidence)
    return ClusteredMean(
        mean=found.mean,
        standard_error=found.standard_error,
        low=max(0.0, low),
        high=min(1.0, high),
        n=found.n,
        clusters=found.clusters,
    )
