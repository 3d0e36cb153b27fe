"""Wilcoxon's signed-rank test over papers.

Own code because `scipy.stats.wilcoxon` takes half a second for a dozen differences with ties, and 1.5 s to load; where
scipy is exact, or uses the normal approximation beyond 50, the values are the same.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

import numpy as np
from scipy.special import ndtr  # pyright: ignore[reportMissingTypeStubs]  scipy has none

EXACT_PAPERS: Final = 50
DIGITS: Final = 12  # differences that are equal on paper tie, though floating point tells them apart


def wilcoxon_p(differences: Sequence[float]) -> float | None:
    """Return the two-sided p-value of Wilcoxon's signed-rank test, or None where no paper differs.

    Papers that do not differ are dropped; papers that differ by the same share their ranks. Up to 50 papers it is
    exact, ties included; beyond it is the normal approximation corrected for ties.

    Args:
        differences: One a paper.

    References:
        Wilcoxon, "Individual comparisons by ranking methods" (1945).

    >>> wilcoxon_p([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    0.03125
    """
    differing = np.round(np.array(differences, dtype=np.float64), DIGITS)
    differing = differing[differing != 0]
    papers = len(differing)
    if not papers:
        return None
    _, place, ties = np.unique(np.abs(differing), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(ties) - ties + 1)[place]  # twice the midrank is a whole number
    total = papers * (papers + 1)
    smaller = min(positive := int(doubled[differing > 0].sum()), total - positive)
    if papers <= EXACT_PAPERS:
        return min(1.0, 2 * _share_up_to(smaller, [int(rank) for rank in doubled]))
    variance = papers * (papers + 1) * (2 * papers + 1) / 24 - float((ties**3 - ties).sum()) / 48
    return min(1.0, 2 * float(ndtr((smaller / 2 - total / 4) / sqrt(variance))))


def _share_up_to(highest: int, ranks: Sequence[int]) -> float:
    """Return the share of the patterns of signs whose positive ranks sum to so much or less."""
    patterns = np.zeros(sum(ranks) + 1)
    patterns[0] = 1.0
    for rank in ranks:
        patterns[rank:] += patterns[:-rank].copy()
    return float(patterns[: highest + 1].sum() / patterns.sum())
