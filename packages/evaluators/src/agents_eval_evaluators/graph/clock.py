"""When the spans of a trace ran, in seconds from its beginning, worked out once."""

from collections.abc import Iterable
from math import inf

from agents_eval_core.trace import Trace
from agents_eval_evaluators.graph.per_trace import per_trace

Stretch = tuple[float, float]


@per_trace
def stretches(trace: Trace) -> tuple[Stretch | None, ...]:
    """Return beginning and end of each span, in the order of the spans; None for one without both times."""
    starts = [span.started_at for span in trace.spans if span.started_at is not None]
    if not starts:
        return (None,) * len(trace.spans)
    zero = min(starts)
    return tuple(
        None
        if span.started_at is None or span.ended_at is None
        else ((span.started_at - zero).total_seconds(), (span.ended_at - zero).total_seconds())
        for span in trace.spans
    )


def union(intervals: Iterable[Stretch]) -> list[Stretch]:
    """Return the same time without overlaps, in order; a stretch that ends before it begins is dropped."""
    merged: list[Stretch] = []
    from_, until = inf, -inf
    for start, end in sorted(intervals):
        if end < start:
            continue
        if start <= until:
            until = max(until, end)
            continue
        if until >= from_:
            merged.append((from_, until))
        from_, until = start, end
    if until >= from_:
        merged.append((from_, until))
    return merged


def seconds(intervals: Iterable[Stretch]) -> float:
    """Return how much time stretches cover together.

    >>> seconds([(0, 2), (1, 4)])
    4
    """
    return sum(end - start for start, end in union(intervals))


def seconds_outside(inside: Iterable[Stretch], outside: Iterable[Stretch]) -> float:
    """Return how much of the first stretches' time the second do not cover."""
    others = union(outside)
    return seconds([*inside, *others]) - seconds(others)
