"""A defect: the answer to work that was handed on gets lost."""

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.delegation import delegations
from agents_eval_evaluators.validity.mutations.planted import Planted, chosen, trace_of, with_spans


def dropped_answer(run: Run) -> Planted | None:
    """Take the result from a delegating call, or, after a hand-off, what its receiver said.

    A call's only in traces with other results: where none is recorded, nobody could tell that one is missing.
    """
    trace = trace_of(run)
    results = sum(span.tool is not None and bool(span.tool.result) for span in trace.spans)
    answered = [one for one in delegations(trace) if one.answer is not None]
    given = chosen([one for one in answered if results > 1 or one.span.operation == "handoff"], run)
    if given is None:
        return None
    if given.span.operation == "execute_tool" and given.span.tool is not None:
        silent = replace(given.span, tool=replace(given.span.tool, result=None))
        return Planted(
            before=run, after=with_spans(run, [silent if span is given.span else span for span in trace.spans])
        )
    end = _next_to(trace, given.span)
    spans = [
        replace(span, text=None)
        if given.span.seq < span.seq < end and span.agent_id == given.receiver_id and span.operation in _SAID
        else span
        for span in trace.spans
    ]
    return Planted(before=run, after=with_spans(run, spans))


_SAID = frozenset({"chat", "message"})


def _next_to(trace: Trace, given: Span) -> int:
    later = (
        span.seq
        for span in trace.spans
        if span.seq > given.seq and span.is_delegation and span.to_agent_id == given.to_agent_id
    )
    return next(later, len(trace.spans))
