"""A defect: a call that worked is made six times more, with the same arguments and the same result."""

from typing import Final

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_evaluators.validity.mutations.planted import (
    Planted,
    chosen,
    last_below,
    tool_spans,
    trace_of,
    with_spans,
)

ROUNDS: Final = 6


def loop(run: Run) -> Planted | None:
    """Repeat one successful call right after itself; where no arguments are recorded nobody could tell."""
    trace = trace_of(run)
    calls = tool_spans(trace)
    call = chosen([span for span in calls if span.status != "error"], run)
    if call is None or not any(span.tool is not None and span.tool.arguments is not None for span in calls):
        return None
    moment = call.ended_at or call.started_at
    again = [
        replace(call, id=f"{call.id} again {number}", started_at=moment, ended_at=moment) for number in range(ROUNDS)
    ]
    end = last_below(trace, call) + 1
    return Planted(before=run, after=with_spans(run, [*trace.spans[:end], *again, *trace.spans[end:]]))
