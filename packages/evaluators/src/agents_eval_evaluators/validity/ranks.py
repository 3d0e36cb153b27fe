"""How two figures order the same things."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import fsum
from statistics import correlation

from agents_eval_evaluators.calibration.agreement_table import percentile


def area_under_curve(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return the chance that a positive lies above a negative; equal values count half.

    >>> area_under_curve([0.2, 0.4], [0.1, 0.2])
    0.875
    """
    ordered = sorted(negatives)
    wins = fsum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in positives)
    return wins / (2 * len(positives) * len(negatives))


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation.

    >>> round(rank_correlation([1, 2, 9], [10, 30, 20]), 3)
    0.5
    """
    return correlation(_ranks(first), _ranks(second))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [percentile(value, ordered) for value in values]
