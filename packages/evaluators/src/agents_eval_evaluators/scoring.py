"""How an evaluator says its scores and measures: with a value, or without one and why."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from agents_eval_core.ports.evaluator import Metered
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Part, Reason, Score, Severity

Units = tuple[tuple[str, str], ...]


def score(evaluator: Metered, name: str, *, value: float | None = None, **said: Any) -> Score:
    """Return a score as its evaluator gives it; rounding beyond the ends of [0, 1] is cut off."""
    return Score(
        name=name,
        value=None if value is None else min(1.0, max(0.0, value)),
        evaluator=evaluator.name,
        version=evaluator.version,
        tier=evaluator.tier,
        **said,
    )


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
    """Return the evaluator's one score with a value."""
    one = score(
        evaluator,
        evaluator.metrics[0],
        value=value,
        label=label,
        explanation=explanation,
        measures=tuple(measures),
        parts=tuple(parts),
        evidence=Evidence(span_ids=tuple(span_ids), quotes=tuple(quotes)),
    )
    return Evaluation(scores=(one,))


def unmeasured(
    evaluator: Metered,
    reason: Reason,
    explanation: str,
    *,
    error_type: str | None = None,
    measures: Iterable[Measure] = (),
) -> Evaluation:
    """Return the evaluator's one score without a value, and why there is none."""
    one = score(
        evaluator,
        evaluator.metrics[0],
        reason=reason,
        error_type=error_type,
        explanation=explanation,
        measures=tuple(measures),
    )
    return Evaluation(scores=(one,))


def graded(
    evaluator: Metered, values: Mapping[str, float | str], *, explanation: str, span_ids: Iterable[str] = ()
) -> tuple[Score, ...]:
    """Return a score for each value; a text in place of a value says why the metric does not apply."""
    evidence = Evidence(span_ids=tuple(span_ids))
    return tuple(
        score(evaluator, name, reason="not_applicable", explanation=value)
        if isinstance(value, str)
        else score(evaluator, name, value=value, explanation=explanation, evidence=evidence)
        for name, value in values.items()
    )


@lru_cache(maxsize=512)
def silent(evaluator: Metered, reason: Reason, explanation: str, units: Units = ()) -> Evaluation:
    """Return all scores of an evaluator, and measures by name and unit, without a value for one and the same reason."""
    return Evaluation(
        scores=tuple(score(evaluator, name, reason=reason, explanation=explanation) for name in evaluator.metrics),
        measures=tuple(
            Measure(name=name, value=None, unit=unit, reason=reason, explanation=explanation) for name, unit in units
        ),
    )


def figures(units: Units, values: Iterable[float | str | None]) -> tuple[Measure, ...]:
    """Return the measures of so many names and units, in the same order as their values."""
    return tuple(Measure(name=name, value=value, unit=unit) for (name, unit), value in zip(units, values, strict=True))


def process_finding(name: str, severity: Severity, sentence: str, span_ids: Iterable[str]) -> Finding:
    """Return a finding about how the agents worked, with the spans that show it, each once and in order."""
    evidence = Evidence(span_ids=tuple(dict.fromkeys(span_ids)))
    return Finding(name=name, severity=severity, sentence=sentence, about="process", evidence=evidence)
