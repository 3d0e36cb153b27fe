"""What to do next, ranked: each suggestion comes from one metric or finding and quotes what it rests on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agents_eval_core.composite import SIX
from agents_eval_core.report.advice import FINDINGS, LOW, MISSING
from agents_eval_core.score import Evidence, Score, Scorecard, Severity

SEVERITIES: Final[tuple[Severity, ...]] = ("critical", "warning", "info")
SIMILARITY, POINTS = "output_similarity", "point_coverage"
LOW_VALUE: Final = 0.6  # the lower end of weak_accept, for metrics that no human scale stands beside


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One thing to do.

    Attributes:
        source: The finding or metric that it comes from.
        because: What that finding or metric says, in its own words.
        gain: By how much the composite can rise by it at most; 0 where that is not known.
    """

    severity: Severity
    source: str
    sentence: str
    because: str
    evidence: Evidence
    gain: float = 0.0


def suggestions(scorecard: Scorecard) -> tuple[Suggestion, ...]:
    """Return what the scorecard gives reason to do, the gravest first, then what could raise the composite most.

    A metric is low where it lies below three quarters of human reviewers, or below 0.6 where no human scale stands
    beside it. Nothing is suggested that no score and no finding gives a reason for.

    >>> from agents_eval_core.score import Finding
    >>> card = Scorecard(run_id="r", scores=(), composite=None, coverage=0, bounds=None, verdict=None,
    ...     verdict_range=None, findings=(Finding(name="repeated", severity="warning", sentence="Said twice."),))
    >>> [(one.sentence, one.because) for one in suggestions(card)]
    [('Have each point made once.', 'Said twice.')]
    """
    found = [*_by_findings(scorecard), *_by_low_scores(scorecard), *_by_missing_scores(scorecard)]
    return tuple(sorted(found, key=lambda one: (SEVERITIES.index(one.severity), -one.gain)))


def _by_findings(scorecard: Scorecard) -> Iterator[Suggestion]:
    for finding in scorecard.findings:
        advice = FINDINGS.get(finding.name)
        if advice is not None:
            yield Suggestion(
                severity=finding.severity,
                source=finding.name,
                sentence=advice,
                because=finding.sentence,
                evidence=finding.evidence,
            )


def _by_low_scores(scorecard: Scorecard) -> Iterator[Suggestion]:
    for score in _six(scorecard):
        humans = scorecard.humans.get(score.name)
        low = LOW_VALUE if humans is None else humans.lower
        if score.value is not None and score.value < low:
            yield Suggestion(
                severity="warning",
                source=score.name,
                sentence=LOW[score.name],
                because=f"{score.value:.2f}: {score.explanation}",
                evidence=_missed_points(scorecard) if score.name == SIMILARITY else score.evidence,
                gain=scorecard.weights_used.get(score.name, 0.0) * (1 - score.value),
            )


def _by_missing_scores(scorecard: Scorecard) -> Iterator[Suggestion]:
    for score in _six(scorecard):
        if score.value is None and score.reason != "not_applicable":
            yield Suggestion(
                severity="warning" if score.reason == "failed" else "info",
                source=score.name,
                sentence=MISSING[score.name],
                because=f"no value: {score.explanation}",
                evidence=score.evidence,
            )


def _six(scorecard: Scorecard) -> Iterator[Score]:
    return (score for score in scorecard.scores if score.name in SIX)


def _missed_points(scorecard: Scorecard) -> Evidence:
    coverage = scorecard.score(POINTS)
    return Evidence(quotes=tuple(part.text for part in coverage.parts if part.mark == "missed") if coverage else ())
