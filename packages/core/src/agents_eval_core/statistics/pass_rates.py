"""pass@k and pass^k: whether one, or every one, of k tries succeeds."""

from collections.abc import Sequence
from math import comb

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.clustered import ClusteredMean, clustered_mean
from agents_eval_core.statistics.constant import constant_interval


def pass_at_k(tries: int, passed: int, k: int) -> float:
    """Return the probability that at least one of k tries, drawn from those there are, passed.

    Raises:
        UndefinedMetricError: There are fewer than k tries.

    References:
        Chen et al., "Evaluating Large Language Models Trained on Code" (arXiv 2107.03374).

    >>> pass_at_k(3, 1, 2)
    0.6666666666666667
    """
    _refuse(tries, k, "pass@k")
    return 1 - comb(tries - passed, k) / comb(tries, k)


def pass_hat_k(tries: int, passed: int, k: int) -> float:
    """Return the probability that all of k tries, drawn from those there are, passed.

    Raises:
        UndefinedMetricError: There are fewer than k tries.

    References:
        Yao et al., "tau-bench" (arXiv 2406.12045).

    >>> pass_hat_k(3, 2, 2)
    0.3333333333333333
    """
    _refuse(tries, k, "pass^k")
    return comb(passed, k) / comb(tries, k)


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


def _refuse(tries: int, k: int, metric: str) -> None:
    if not 1 <= k <= tries:
        raise UndefinedMetricError(metric, because=f"k is {k} and there are {tries} tries")
