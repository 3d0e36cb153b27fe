"""A defect: a constraint of the task is not passed on with the work."""

from typing import Any, Final, cast

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.validity.mutations.planted import Planted, chosen, hand_offs, trace_of, with_spans

CONSTRAINT: Final = "The total must stay below 4731 dollars and exclude transatlantic departures."


def lost_constraint(run: Run) -> Planted | None:
    """State a constraint in the task and in all that is handed on, and then leave it out of one hand-off."""
    trace = trace_of(run)
    given = chosen([span for span in hand_offs(trace) if _has_payload(span)], run)
    if given is None:
        return None
    told = run.changed(case=run.case.changed(prompt=f"{run.case.prompt}\n{CONSTRAINT}".strip()))
    return Planted(before=_passed_on(told, trace, None), after=_passed_on(told, trace, given))


def _passed_on(run: Run, trace: Trace, left_out: Span | None) -> Run:
    """Return the run with the constraint in every hand-off but one."""
    return with_spans(
        run,
        [
            _told(span) if span.is_delegation and _has_payload(span) and span is not left_out else span
            for span in trace.spans
        ],
    )


def _has_payload(span: Span) -> bool:
    return bool(span.text) if span.tool is None or span.tool.arguments is None else True


def _told(span: Span) -> Span:
    if span.tool is None or span.tool.arguments is None:
        return replace(span, text=f"{span.text}\n{CONSTRAINT}")
    return replace(span, tool=replace(span.tool, arguments=_with_constraint(span.tool.arguments)))


def _with_constraint(arguments: Any) -> Any:
    if isinstance(arguments, dict):
        return {**cast("dict[str, Any]", arguments), "constraint": CONSTRAINT}
    return f"{arguments}\n{CONSTRAINT}"
