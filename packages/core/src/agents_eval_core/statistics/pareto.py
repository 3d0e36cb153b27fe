"""Which of several systems no other beats in everything."""

from collections.abc import Sequence


def pareto_front(points: Sequence[tuple[float, ...]]) -> list[bool]:
    """Return for each point whether no other is at least as good in every respect and better in one.

    Args:
        points: Of equal length; higher is better in every place, so costs are given negated.

    >>> pareto_front([(0.8, -3.0), (0.7, -1.0), (0.6, -2.0)])
    [True, True, False]
    """
    return [not any(_beats(other, point) for other in points) for point in points]


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True)) and one != other
