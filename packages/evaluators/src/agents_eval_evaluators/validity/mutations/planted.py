"""A run before and after an edit, and the editing of traces that all edits share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import Agent, Span, Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A run before and after one edit.

    Attributes:
        names: What the edit renamed, from its new name to its old one.
    """

    before: Run
    after: Run
    names: Mapping[str, str] = field(default_factory=dict[str, str])


Mutation = Callable[[Run], Planted | None]


def trace_of(run: Run) -> Trace:
    """Return the run's trace.

    Raises:
        ValueError: It has none.
    """
    if run.trace is None:
        raise ValueError(f"run {run.id!r} has no trace to edit")
    return run.trace


def with_spans(run: Run, spans: Sequence[Span], agents: Sequence[Agent] | None = None) -> Run:
    """Return a run whose trace has these spans, numbered in this order; its output stays what it was."""
    trace = trace_of(run)
    numbered = tuple(span if span.seq == seq else replace(span, seq=seq) for seq, span in enumerate(spans))
    return run.changed(trace=replace(trace, spans=numbered, agents=trace.agents if agents is None else tuple(agents)))


def with_span(run: Run, changed: Span) -> Run:
    """Return a run with one span in place of the one of its id."""
    return with_spans(run, [changed if span.id == changed.id else span for span in trace_of(run).spans])


def chosen(candidates: Sequence[T], run: Run) -> T | None:
    """Return one of the candidates, always the same for a run; None where there is none."""
    if not candidates:
        return None
    return candidates[int.from_bytes(sha256(run.id.encode()).digest()[:8]) % len(candidates)]


def last_below(trace: Trace, span: Span) -> int:
    """Return the place of the last span at or below a span."""
    below = {span.id}
    last = span.seq
    for later in trace.spans[span.seq + 1 :]:
        if later.parent_id in below:
            below.add(later.id)
            last = later.seq
    return last


def tool_spans(trace: Trace) -> list[Span]:
    """Return the tool calls that are no delegations."""
    return [span for span in trace.spans if span.tool is not None and not span.is_delegation and _is_call(span)]


def hand_offs(trace: Trace) -> list[Span]:
    """Return the spans in which work is given to another agent."""
    return [span for span in trace.spans if span.is_delegation and span.to_agent_id != span.agent_id]


def _is_call(span: Span) -> bool:
    return span.operation == "execute_tool" and span.to_agent_id is None
