"""A neutral edit: two calls that run at once are recorded the other way round."""

from itertools import pairwise

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.validity.mutations.planted import Planted, chosen, tool_spans, trace_of, with_spans


def reordered_parallel_calls(run: Run) -> Planted | None:
    """Let two calls of one agent in a row run at the same time, and record them in either order.

    Only traces in which the first has a beginning and a later end can tell that calls ran at once. Few real traces have
    calls that did; so, where they did not, the second is moved to the time of the first, on both sides of the edit.
    """
    trace = trace_of(run)
    calls = [span for span in tool_spans(trace) if not trace.children.get(span.id) and span.started_at is not None]
    pairs = [(one, two) for one, two in pairwise(calls) if one.agent_id == two.agent_id]
    pair = chosen([(one, two) for one, two in pairs if _takes_time(one)], run)
    if pair is None:
        return None
    first, second = pair
    at_once = replace(second, parent_id=first.parent_id, started_at=first.started_at, ended_at=first.ended_at)
    return Planted(before=_in_order(run, trace, first, at_once), after=_in_order(run, trace, at_once, first))


def _takes_time(span: Span) -> bool:
    return span.started_at is not None and span.ended_at is not None and span.started_at < span.ended_at


def _in_order(run: Run, trace: Trace, one: Span, two: Span) -> Run:
    """Return the run with both calls at the place of the earlier one."""
    place = min(one.seq, two.seq)
    rest = [span for span in trace.spans if span.id not in (one.id, two.id)]
    return with_spans(run, [*rest[:place], one, two, *rest[place:]])
