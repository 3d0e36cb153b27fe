"""What the findings are called in TRAIL's taxonomy of trace errors, and where its annotators put them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from agents_eval_core.score import Finding
from agents_eval_core.trace import Span, Trace

CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = {
    "authentication_error": ("Authentication Errors",),
    "formatting_error": ("Formatting Errors",),
    "rate_limit_error": ("Rate Limiting",),
    "resource_exhaustion_error": ("Resource Exhaustion",),
    "timeout_error": ("Timeout Issues",),
    "not_found_error": ("Resource Not Found",),
    "service_error": ("Service Errors",),
    "environment_error": ("Environment Setup Errors",),
    "resource_abuse": ("Resource Abuse",),
    "repeated_failures": ("Context Handling Failures",),
    "goal_deviation": ("Goal Deviation", "Tool Selection Errors"),
}


def trail_errors(trace: Trace, findings: Iterable[Finding]) -> Iterator[tuple[str, str, str]]:
    """Yield (name of the finding, category, span id) for each span of each finding that has a category in TRAIL.

    TRAIL's annotators put a failure to the model request that was made after it, which holds it in its input; where no
    request follows, the span that failed stands. What is no failure (`goal_deviation`) stays where it is.

    References:
        TRAIL (arXiv 2505.08638).
    """
    for finding in findings:
        for category in CATEGORIES.get(finding.name, ()):
            for span_id in finding.evidence.span_ids:
                span = trace.span_by_id.get(span_id)
                if span is not None:
                    yield finding.name, category, _annotated(trace, span).id


def _annotated(trace: Trace, span: Span) -> Span:
    if span.status != "error":
        return span
    within = {span.id} | {
        below.id for below in trace.spans if any(above.id == span.id for above in trace.ancestors(below))
    }
    later = (
        one
        for one in trace.spans
        if one.seq > span.seq and one.operation == "chat" and one.agent_id == span.agent_id and one.id not in within
    )
    return next(later, span)
