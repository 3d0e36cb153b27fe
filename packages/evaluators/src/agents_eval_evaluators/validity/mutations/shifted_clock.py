"""A neutral edit: the clock ran in another year."""

from datetime import datetime, timedelta
from typing import Final

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_evaluators.validity.mutations.planted import Planted, trace_of, with_spans

SHIFT: Final = timedelta(days=401, hours=7, seconds=13, microseconds=250_000)


def shifted_clock(run: Run) -> Planted | None:
    """Move all times by the same length; a trace without times is none of its business."""
    trace = trace_of(run)
    if all(span.started_at is None for span in trace.spans):
        return None
    spans = [replace(span, started_at=_later(span.started_at), ended_at=_later(span.ended_at)) for span in trace.spans]
    return Planted(before=run, after=with_spans(run, spans))


def _later(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment + SHIFT
