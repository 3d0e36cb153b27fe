"""A defect: the result of a tool call gets lost."""

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_evaluators.validity.mutations.planted import Planted, chosen, tool_spans, trace_of, with_span


def dropped_result(run: Run) -> Planted | None:
    """Take the result from one tool call that has one."""
    call = chosen([span for span in tool_spans(trace_of(run)) if span.tool is not None and span.tool.result], run)
    if call is None or call.tool is None:
        return None
    return Planted(before=run, after=with_span(run, replace(call, tool=replace(call.tool, result=None))))
