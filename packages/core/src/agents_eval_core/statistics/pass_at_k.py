"""pass@k and pass^k: whether one, or every one, of k runs succeeds."""

from math import comb

from agents_eval_core.errors import UndefinedMetricError


def pass_at_k(runs: int, successes: int, k: int) -> float:
    """Return 1 - C(n - c, k) / C(n, k): the unbiased estimate that at least one of k runs succeeds.

    Raises:
        UndefinedMetricError: There are fewer than k runs.

    References:
        Chen et al. 2021 (Codex); the naive 1 - (1 - c/n)^k is biased and not used.

    >>> pass_at_k(4, 1, 2)
    0.5
    """
    _refuse_few(runs, k, "pass_at_k")
    return 1 - comb(runs - successes, k) / comb(runs, k)


def pass_hat_k(runs: int, successes: int, k: int) -> float:
    """Return C(c, k) / C(n, k): the unbiased estimate that all of k runs succeed (pass^k).

    Raises:
        UndefinedMetricError: There are fewer than k runs.

    References:
        tau-bench (arXiv 2406.12045).

    >>> pass_hat_k(4, 2, 2)
    0.16666666666666666
    """
    _refuse_few(runs, k, "pass_hat_k")
    return comb(successes, k) / comb(runs, k)


def _refuse_few(runs: int, k: int, metric: str) -> None:
    if runs < k or k < 1:
        raise UndefinedMetricError(metric, because=f"{k} runs cannot be drawn from {runs}")
