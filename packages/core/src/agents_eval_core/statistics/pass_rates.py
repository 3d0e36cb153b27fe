"""Pass rates over papers."""

from collections.abc import Sequence

from agents_eval_core.statistics.bounded_mean import bounded_mean
from agents_eval_core.statistics.clustered import ClusteredMean


def share_over_papers(shares: Sequence[float], confidence: float = 0.95) -> ClusteredMean:
    """Return the mean of the papers' pass rates with its interval within [0, 1]; see `bounded_mean`.

    Raises:
        UndefinedMetricError: There are fewer than two papers.

    >>> found = share_over_papers([1.0] * 20)
    >>> round(found.low, 2), found.high
    (0.86, 1.0)
    """
    return bounded_mean(shares, range(len(shares)), lowest=0.0, highest=1.0, confidence=confidence)
