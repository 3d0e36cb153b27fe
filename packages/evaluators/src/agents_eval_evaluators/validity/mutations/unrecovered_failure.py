"""A defect: the last call of a tool fails instead of working, and nothing makes it good."""

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.validity.mutations.planted import Planted, chosen, tool_spans, trace_of, with_span


def unrecovered_failure(run: Run) -> Planted | None:
    """Let one call fail that worked, where its agent calls that tool no more."""
    trace = trace_of(run)
    call = chosen(_last_of_each_tool(trace), run)
    if call is None or call.tool is None:
        return None
    text = "Error: the request could not be completed"
    failed = replace(
        call, status="error", error_type="PlantedError", error_text=text, tool=replace(call.tool, result=text)
    )
    return Planted(before=run, after=with_span(run, failed))


def _last_of_each_tool(trace: Trace) -> list[Span]:
    last = {(span.agent_id, span.tool.name): span for span in tool_spans(trace) if span.tool is not None}
    return [span for span in last.values() if span.status != "error"]
