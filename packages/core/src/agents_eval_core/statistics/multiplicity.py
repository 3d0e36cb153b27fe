"""Corrections for asking many questions at once."""

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values: rejecting those at most 5 % makes any false claim at most 5 % probable.

    References:
        Holm, "A simple sequentially rejective multiple test procedure" (1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(ps)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = highest
    return adjusted


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Return adjusted p-values: of those at most 5 %, at most 5 % are false on average. For screening, not for claims.

    References:
        Benjamini and Hochberg, "Controlling the false discovery rate" (1995).

    >>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    adjusted = [1.0] * len(ps)
    lowest = 1.0
    for rank, index in reversed(list(enumerate(sorted(range(len(ps)), key=ps.__getitem__), start=1))):
        lowest = min(lowest, ps[index] * (len(ps) / rank))
        adjusted[index] = lowest
    return adjusted
