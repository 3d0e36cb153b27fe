"""How long a run stood still because a provider would not take its requests yet."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from agents_eval_core.trace import Span, Trace

WAIT: Final = "agents_eval.wait"
WAIT_REASON: Final = "agents_eval.wait.reason"
Stretch = tuple[datetime, datetime]


def waited_seconds(trace: Trace) -> float:
    """Return the time in which nothing went on but waiting for a provider.

    Waits are spans named `agents_eval.wait`. What other agents did meanwhile is work: the time of a span without
    spans below it, which is no wait, does not count. In a trace of others there are no such spans, and it is 0.

    >>> from datetime import UTC, timedelta
    >>> from agents_eval_core.trace import Source
    >>> def span(id: str, name: str, start: int, end: int, parent: str | None = None) -> Span:
    ...     zero = datetime(2026, 1, 1, tzinfo=UTC)
    ...     return Span(id=id, seq=0, operation="other", name=name, parent_id=parent,
    ...         started_at=zero + timedelta(seconds=start), ended_at=zero + timedelta(seconds=end))
    >>> waited_seconds(Trace(id="t", source=Source(format="otlp"), spans=(
    ...     span("a", "chat", 0, 20), span("w", WAIT, 2, 12, "a"), span("b", "search", 10, 11))))
    9.0
    """
    waits = merged(_stretch(span) for span in trace.spans if span.name == WAIT)
    if not waits:
        return 0.0
    work = merged(_stretch(span) for span in trace.spans if span.name != WAIT and not trace.children.get(span.id))
    return sum(_length(wait) - sum(_shared(wait, other) for other in work) for wait in waits)


def merged(stretches: Iterable[Stretch | None]) -> Sequence[Stretch]:
    """Return stretches of time in order, those that touch made one."""
    result: list[Stretch] = []
    for start, end in sorted(each for each in stretches if each is not None):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def _stretch(span: Span) -> Stretch | None:
    return None if span.started_at is None or span.ended_at is None else (span.started_at, span.ended_at)


def _length(stretch: Stretch) -> float:
    return (stretch[1] - stretch[0]).total_seconds()


def _shared(one: Stretch, other: Stretch) -> float:
    return max(0.0, (min(one[1], other[1]) - max(one[0], other[0])).total_seconds())
