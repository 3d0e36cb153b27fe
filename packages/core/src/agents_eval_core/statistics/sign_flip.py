"""The sign-flip permutation test: whether a mean difference could come from two sides that are the same."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents_eval_core.statistics.batches import by_length
from agents_eval_core.statistics.sign_patterns import sign_patterns

EXACT_PAPERS: Final = 14  # 2^13 patterns: still fewer than the resamples
RESAMPLES: Final = 10_000
ROWS: Final = 2_000
SEED: Final = 20_170_424
TIE: Final = 1e-9  # sums that are equal on paper differ in floating point


def sign_flip_p(sums: Sequence[float]) -> float:
    """Return how probable a difference at least as large is, if each paper's difference could as well be reversed.

    All 2^n patterns of signs are tried for up to `EXACT_PAPERS` papers; beyond, `RESAMPLES` random ones, and the
    p-value is (1 + those as large) / (1 + RESAMPLES), which is never 0.

    Args:
        sums: For each paper, the sum of its differences. Repetitions of a paper flip together.

    Returns:
        A two-sided p-value in (0, 1]; 1 where there is nothing or nothing differs.

    References:
        Fisher, The Design of Experiments (1935), section 21; Phipson and Smyth, "Permutation p-values should never be
        zero" (2010).

    >>> sign_flip_p([0.1, 0.2, 0.1, 0.3, 0.2, 0.1])
    0.03125
    """
    return sign_flip_ps([sums])[0]


def sign_flip_ps(series: Sequence[Sequence[float]]) -> list[float]:
    """Return `sign_flip_p` of each series; those of the same length share their random signs."""
    return by_length(series, _ps)


def _ps(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    papers, number = columns.shape
    scale = np.abs(columns).max(axis=0, initial=0.0)
    scaled = np.divide(columns, scale, out=np.zeros_like(columns), where=scale > 0)
    observed = np.abs(scaled.sum(axis=0)) - TIE * max(papers, 1)
    as_large = np.zeros(number)
    patterns = 0
    for signs in _patterns(papers):
        as_large += (np.abs(signs @ scaled) >= observed).sum(axis=0)
        patterns += len(signs)
    return as_large / patterns if papers <= EXACT_PAPERS else (1 + as_large) / (1 + patterns)


def _patterns(papers: int) -> list[NDArray[np.float64]]:
    if papers <= EXACT_PAPERS:
        return [sign_patterns(papers)]
    generator = np.random.default_rng(SEED)
    size = (RESAMPLES * papers + 7) // 8
    bits = np.unpackbits(np.frombuffer(generator.bytes(size), dtype=np.uint8))[: RESAMPLES * papers]
    signs = bits.reshape(RESAMPLES, papers)
    return [np.subtract(1.0, 2.0 * signs[start : start + ROWS]) for start in range(0, RESAMPLES, ROWS)]
