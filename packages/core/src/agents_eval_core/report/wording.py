"""How scores, verdicts and models are put into words, the same in every view."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from agents_eval_core.composite import SIX
from agents_eval_core.run import System
from agents_eval_core.score import Score, Scorecard, Severity
from agents_eval_core.trace import Trace

SEVERITY_MARKS: Final[Mapping[Severity, str]] = {"critical": "✖ Critical", "warning": "▲ Warning", "info": "• Note"}


def score_value(score: Score | None) -> str:
    """Return a score as a number, or why there is none.

    >>> score_value(Score(name="a", value=0.5, evaluator="a", version="1", tier=1))
    '0.50'
    >>> score_value(None)
    'not measured'
    """
    if score is None:
        return "not measured"
    if score.value is not None:
        return f"{score.value:.2f}"
    reason = str(score.reason).replace("_", " ")
    return f"{reason}: {score.error_type}" if score.error_type else reason


def number(value: float | str | bool | None) -> str:
    """Return a figure as people write it.

    >>> number(0.123456), number(12), number(None)
    ('0.123', '12', 'unknown')
    """
    if value is None:
        return "unknown"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def model_name(system: System) -> str:
    """Return the model, and that it is none where it is none.

    >>> model_name(System(engine="mas", model="offline-baseline", has_language_model=False))
    'offline-baseline (no language model)'
    """
    name = system.model or "not stated"
    return name if system.has_language_model else f"{name} (no language model)"


def verdict_sentence(scorecard: Scorecard) -> str:
    """Return the verdict with the number, the bounds and the share of the evidence behind it."""
    if scorecard.composite is None or scorecard.bounds is None:
        return "No verdict: nothing was measured."
    figures = (
        f"composite {scorecard.composite:.2f}, {scorecard.coverage:.0%} of the evidence, "
        f"between {scorecard.bounds.low:.2f} and {scorecard.bounds.high:.2f} whatever the rest would show"
    )
    if scorecard.verdict is None or scorecard.verdict_range is None:
        return f"No verdict, only a process profile: nothing about the outcome was measured ({figures})."
    if scorecard.verdict_range.high != scorecard.verdict:
        missing = ", ".join(missing_metrics(scorecard))
        return f"{scorecard.verdict}; up to {scorecard.verdict_range.high} if {missing} were measured ({figures})."
    return f"{scorecard.verdict} ({figures})."


def missing_metrics(scorecard: Scorecard) -> Iterator[str]:
    """Yield the metrics that could raise the verdict if they were measured."""
    for score in scorecard.scores:
        if score.value is None and score.reason != "not_applicable" and score.name in SIX:
            yield score.name


def trace_summary(trace: Trace) -> Iterator[str]:
    """Yield one line an agent: what it did, in counts."""
    for agent in trace.agents:
        own = [span for span in trace.spans if span.agent_id == agent.id]
        tools = Counter(span.tool.name for span in own if span.operation == "execute_tool" and span.tool)
        requests = sum(span.operation == "chat" for span in own)
        failed = sum(span.operation == "execute_tool" and span.status == "error" for span in own)
        called = ", ".join(f"{name} ×{count}" for name, count in tools.most_common()) or "no tool"  # noqa: RUF001
        yield f"{agent.name} ({agent.role}): {requests} model requests; {called}; {failed} failed calls"
