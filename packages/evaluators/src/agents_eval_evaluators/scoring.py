"""How an evaluator says its scores and measures: with a value, or without one and why."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from agents_eval_core.ports.evaluator import Metered
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Part, Reason, Score, Severity


def measured(
    evaluator: Metered,
    value: float,
    *,
    explanation: str,
    label: str = "",
    measures: Iterable[Measure] = (),
    parts: Iterable[Part] = (),
    span_ids: Iterable[str] = (),
    quotes: Iterable[str] = (),
) -> Evaluation:
    """Return the evaluator's one score with a value; rounding beyond the ends of [0, 1] is cut off."""
    score = Score(
        name=evaluator.metrics[0],
        value=min(1.0, max(0.0, value)),
        label=label,
        explanation=explanation,
        measures=tuple(measures),
        parts=tuple(parts),
        evidence=Evidence(span_ids=tuple(span_ids), quotes=tuple(quotes)),
        evaluator=evaluator.name,
        version=evaluator.version,
        tier=evaluator.tier,
    )
    return Evaluation(scores=(score,))


def unmeasured(
    evaluator: Metered,
    reason: Reason,
    explanation: str,
    *,
    error_type: str | None = None,
    measures: Iterable[Measure] = (),
) -> Evaluation:
    """Return the evaluator's one score without a value, and why there is none."""
    score = Score(
        name=evaluator.metrics[0],
        reason=reason,
        error_type=error_type,
        explanation=explanation,
        measures=tuple(measures),
        evaluator=evaluator.name,
        version=evaluator.version,
        tier=evaluator.tier,
    )
    return Evaluation(scores=(score,))


def graded(
    evaluator: Metered, values: Mapping[str, float | str], *, explanation: str, span_ids: Iterable[str] = ()
) -> tuple[Score, ...]:
    """Return a score for each value; a text in place of a value says why the metric does not apply."""
    evidence = Evidence(span_ids=tuple(span_ids))
    return tuple(
        Score(
            name=name,
            reason="not_applicable",
            explanation=value,
            evaluator=evaluator.name,
            version=evaluator.version,
            tier=evaluator.tier,
        )
        if isinstance(value, str)
        else Score(
            name=name,
            value=min(1.0, max(0.0, value)),
            explanation=explanation,
            evidence=evidence,
            evaluator=evaluator.name,
            version=evaluator.version,
            tier=evaluator.tier,
        )
        for name, value in values.items()
    )


@lru_cache(maxsize=512)
def silent(evaluator: Metered, reason: Reason, explanation: str, units: tuple[tuple[str, str], ...] = ()) -> Evaluation:
    """Return all scores of an evaluator, and measures by name and unit, without a value for one and the same reason."""
    scores = (
        Score(
            name=name,
            reason=reason,
            explanation=explanation,
            evaluator=evaluator.name,
            version=evaluator.version,
            tier=evaluator.tier,
        )
        for name in evaluator.metrics
    )
    return Evaluation(
        scores=tuple(scores),
        measures=tuple(
            Measure(name=name, value=None, unit=unit, reason=reason, explanation=explanation) for name, unit in units
        ),
    )


def process_finding(name: str, severity: Severity, sentence: str, span_ids: Iterable[str]) -> Finding:
    """Return a finding about how the agents worked, with the spans that show it, each once and in order."""
    evidence = Evidence(span_ids=tuple(dict.fromkeys(span_ids)))
    return Finding(name=name, severity=severity, sentence=sentence, about="process", evidence=evidence)
