"""Stretches of time: their union, and what of one lies outside another."""

from collections.abc import Iterable
from datetime import datetime

Interval = tuple[datetime, datetime]


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the same time without overlaps, in order; an interval that ends before it begins is dropped."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if end < start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def seconds(intervals: Iterable[Interval]) -> float:
    """Return how much time intervals cover together.

    >>> from datetime import UTC, timedelta
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> seconds([(noon, noon + timedelta(seconds=2)), (noon + timedelta(seconds=1), noon + timedelta(seconds=4))])
    4.0
    """
    return sum((end - start).total_seconds() for start, end in union(intervals))


def seconds_outside(inside: Iterable[Interval], outside: Iterable[Interval]) -> float:
    """Return how much of the first intervals' time the second do not cover."""
    others = union(outside)
    return seconds([*union(inside), *others]) - seconds(others)
