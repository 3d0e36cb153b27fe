"""The mean of a quantity that cannot leave a range, with an interval that does not leave it either."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

from agents_eval_core.statistics.clustered import ClusteredMean, clustered_mean
from agents_eval_core.statistics.constant import constant_interval


def bounded_mean(
    values: Sequence[float], clusters: Sequence[Hashable], *, lowest: float, highest: float, confidence: float = 0.95
) -> ClusteredMean:
    """Return the mean with its clustered t interval; where no cluster differs, `constant_interval` takes its place.

    Args:
        values: All between `lowest` and `highest`.
        clusters: The cluster of each value, in the same order.
        lowest: The least value the quantity can have.
        highest: The greatest.
        confidence: Between 0 and 1, both excluded.

    Raises:
        UndefinedMetricError: There are fewer than two clusters.

    >>> found = bounded_mean([1.0] * 20, range(20), lowest=0.0, highest=1.0)
    >>> round(found.low, 2), found.high
    (0.86, 1.0)
    """
    found = clustered_mean(values, clusters, confidence)
    low, high = found.low, found.high
    if found.is_constant:
        low, high = constant_interval(found.mean, found.clusters, lowest=lowest, highest=highest, confidence=confidence)
    return replace(found, low=max(lowest, low), high=min(highest, high))
