"""A defect that labels show: two neighbouring calls are made the other way round."""

from itertools import pairwise
from typing import Any, cast

from msgspec.structs import replace

from agents_eval_core.case import ExpectedCall
from agents_eval_core.run import Run
from agents_eval_core.trace import Span
from agents_eval_evaluators.graph.calls import call_key, normal
from agents_eval_evaluators.validity.mutations.planted import Planted, chosen, tool_spans, trace_of, with_spans


def swapped_order(run: Run) -> Planted | None:
    """Expect the calls as they were made, and swap two neighbours that differ: what is called, not when."""
    trace = trace_of(run)
    calls = tool_spans(trace)
    pair = chosen([(one, two) for one, two in pairwise(calls) if _key(one) != _key(two)], run)
    if pair is None:
        return None
    expected = tuple(ExpectedCall(name=span.tool.name, arguments=_stated(span)) for span in calls if span.tool)
    labelled = run.changed(case=run.case.changed(expected_calls=expected))
    one, two = pair
    swapped = {one.id: _in_place_of(one, two), two.id: _in_place_of(two, one)}
    return Planted(before=labelled, after=with_spans(labelled, [swapped.get(span.id, span) for span in trace.spans]))


def _key(span: Span) -> str:
    return call_key(span.tool.name, span.tool.arguments) if span.tool else ""


def _stated(span: Span) -> dict[str, Any] | None:
    arguments = normal(span.tool.arguments) if span.tool else None
    return cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else None


def _in_place_of(place: Span, call: Span) -> Span:
    return replace(
        place,
        name=call.name,
        tool=call.tool,
        agent_id=call.agent_id,
        status=call.status,
        status_source=call.status_source,
        error_type=call.error_type,
        error_text=call.error_text,
        text=call.text,
    )
