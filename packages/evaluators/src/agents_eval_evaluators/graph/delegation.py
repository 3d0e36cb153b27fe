"""Delegations of a trace: who gave work to whom, what was asked and what came back."""

from dataclasses import dataclass

from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.content import content
from agents_eval_evaluators.graph.per_trace import per_trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """Work that one agent gave to another.

    Attributes:
        span: The span that gave it.
        receiver_id: Who was asked.
        request: What was asked, without names of fields.
        answer: What came back, likewise; None where nothing did or the delegation failed.
    """

    span: Span
    receiver_id: str
    request: str
    answer: str | None

    def is_over_before(self, later: Span, trace: Trace) -> bool:
        """Whether a span began after the answer came; what the receiver did on the way to it did not."""
        if later.seq <= self.span.seq or any(above.id == self.span.id for above in trace.ancestors(later)):
            return False
        if later.started_at is None or self.span.ended_at is None or self.span.operation == "handoff":
            return True
        return later.started_at >= self.span.ended_at


@per_trace
def delegations(trace: Trace) -> tuple[Delegation, ...]:
    """Return the delegations of a trace in the order in which they began."""
    given = [span for span in trace.spans if span.to_agent_id is not None and span.is_delegation]
    if not given:
        return ()
    said_later = _said_after_hand_offs(trace) if any(span.operation == "handoff" for span in given) else {}
    return tuple(
        Delegation(
            span=span,
            receiver_id=span.to_agent_id or "",
            request=request_text(span),
            answer=_answer(span, said_later.get(span.seq)),
        )
        for span in given
    )


def request_text(span: Span) -> str:
    """Return what a call or hand-off asks: the content of its arguments, or the text where there are none."""
    if span.tool is not None and span.tool.arguments is not None:
        return content(span.tool.arguments)
    return span.text or ""


def _answer(span: Span, said_later: str | None) -> str | None:
    """Return the result of a delegating call; of a hand-off, what the receiver said last before the next one to it."""
    if span.status == "error":
        return None
    if span.operation == "execute_tool":
        result = content(span.tool.result) if span.tool else ""
        return result if result.strip() else None
    return said_later


def _said_after_hand_offs(trace: Trace) -> dict[int, str]:
    last_said: dict[str, str] = {}
    found: dict[int, str] = {}
    for span in reversed(trace.spans):
        if span.is_delegation and span.to_agent_id in last_said:
            found[span.seq] = last_said.pop(span.to_agent_id)
        if span.agent_id is not None and span.text and span.operation in ("chat", "message"):
            last_said.setdefault(span.agent_id, span.text)
    return found
