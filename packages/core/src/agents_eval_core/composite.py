"""The one rule by which scores become a composite and a verdict, for every case of missing evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.score import VERDICTS, Composite, Finding, Range, Score, Tier, Verdict, VerdictRange

TEXT: Final[Tier] = 1
JUDGE: Final[Tier] = 2
BEHAVIOUR: Final[Tier] = 3
TIERS: Final[tuple[Tier, ...]] = (TEXT, JUDGE, BEHAVIOUR)
SIX: Final = (
    "time_taken",
    "task_success",
    "coordination_quality",
    "tool_efficiency",
    "planning_rationality",
    "output_similarity",
)
EQUAL_WEIGHTS: Final[Mapping[str, float]] = dict.fromkeys(SIX, 1.0)
CONTENT_METRICS: Final[Mapping[Tier, frozenset[str]]] = {
    TEXT: frozenset({"output_similarity", "task_success"}),
    BEHAVIOUR: frozenset({"tool_efficiency", "coordination_quality"}),
}
PROCESS_JUDGEMENTS: Final = frozenset({"planning_rationality", "tool_use"})  # of how it was done, not of the output
DIGITS: Final = 12  # six metrics of 0.8 are 0.8, not the 0.7999999999999999 of floating point, which is another verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The lower ends of the verdict classes; below the last is reject."""

    accept: float = 0.8
    weak_accept: float = 0.6
    weak_reject: float = 0.4

    def verdict(self, value: float) -> Verdict:
        """Return the class of a composite.

        >>> Thresholds().verdict(0.6)
        'weak_accept'
        """
        if value >= self.accept:
            return "accept"
        if value >= self.weak_accept:
            return "weak_accept"
        return "weak_reject" if value >= self.weak_reject else "reject"


def applicable_weights(scores: Mapping[str, Score], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of the metrics that apply, with sum 1.

    The weight of metrics that do not apply is shared equally by the others. Empty when nothing applies.

    >>> team = {"a": 0.25, "b": 0.25, "c": 0.5}
    >>> gone = Score(name="c", reason="not_applicable", explanation="one agent", evaluator="c", version="1", tier=3)
    >>> applicable_weights({"c": gone}, team)
    {'a': 0.5, 'b': 0.5}
    """
    total = fsum(weights.values())
    staying = [name for name, weight in weights.items() if weight > 0 and not _leaves(scores.get(name))]
    if not staying:
        return {}
    share = (total - fsum(weights[name] for name in staying)) / len(staying)
    return {name: (weights[name] + share) / total for name in staying}


def weighted_mean(weights: Mapping[str, float], values: Mapping[str, float], *, missing: float = 0.0) -> float:
    """Return the mean of values in [0, 1] by weights that sum to 1, `missing` standing for a value that is not there.

    >>> weighted_mean({"a": 0.25, "b": 0.75}, {"a": 1.0})
    0.25
    """
    return min(1.0, round(fsum(weight * values.get(name, missing) for name, weight in weights.items()), DIGITS))


def compose(
    scores: Iterable[Score],
    *,
    findings: Sequence[Finding] = (),
    unchecked: Sequence[str] = (),
    weights: Mapping[str, float] = EQUAL_WEIGHTS,
    thresholds: Thresholds = Thresholds(),
) -> Composite:
    """Return the composite of the scores, its bounds and the verdict they allow.

    Args:
        scores: At most one of each name; the order does not matter.
        findings: A critical finding about the output caps the verdict.
        unchecked: Output checks that apply but could not run; they cap the verdict.
        weights: By metric, not negative; need not sum to 1.
        thresholds: The verdict classes.

    >>> compose([Score(name="task_success", value=1.0, evaluator="t", version="1", tier=1)]).verdict
    'reject'
    """
    by_name = {score.name: score for score in sorted(scores, key=lambda score: score.name)}
    applicable = applicable_weights(by_name, weights)
    values = {
        name: value for name, score in by_name.items() if name in applicable and (value := score.value) is not None
    }
    covered = fsum(applicable[name] for name in values)
    if not covered:
        return Composite(
            composite=None,
            coverage=0.0,
            bounds=None,
            verdict=None,
            verdict_range=None,
            tier_scores=dict.fromkeys(TIERS),
            single_agent_mode=_leaves(by_name.get("coordination_quality")),
        )
    weights_used = {name: applicable[name] / covered for name in values}
    bounds = Range(low=weighted_mean(applicable, values), high=weighted_mean(applicable, values, missing=1.0))
    tier_scores = _tier_scores(by_name, weights_used)
    tiers = _measured_tiers(by_name)
    caps = _caps(tiers, findings, unchecked)
    verdicts = _verdict_range(bounds, caps, thresholds) if _has_outcome(by_name) else None
    return Composite(
        composite=weighted_mean(weights_used, values),
        coverage=min(1.0, round(covered, DIGITS)),
        bounds=bounds,
        verdict=verdicts.low if verdicts else None,
        verdict_range=verdicts,
        caps=tuple(sentence for _, sentence in caps),
        weights_used=weights_used,
        tier_scores=tier_scores,
        single_agent_mode=_leaves(by_name.get("coordination_quality")),
        complete=tiers == set(TIERS),
        tier_agreement=_disagreements({tier: tier_scores[tier] for tier in sorted(tiers)}, thresholds),
    )


def _leaves(score: Score | None) -> bool:
    return score is not None and score.reason == "not_applicable"


def _is_measured(score: Score | None) -> bool:
    return score is not None and score.value is not None


def _is_content(score: Score) -> bool:
    return score.tier == JUDGE or score.name in CONTENT_METRICS[score.tier]


def _measured_tiers(by_name: Mapping[str, Score]) -> set[Tier]:
    return {score.tier for score in by_name.values() if _is_measured(score) and _is_content(score)}


def _has_outcome(by_name: Mapping[str, Score]) -> bool:
    judged = any(_is_judgement_of_output(score) and _is_measured(score) for score in by_name.values())
    return judged or _is_measured(by_name.get("output_similarity")) or _is_measured(by_name.get("task_success"))


def _is_judgement_of_output(score: Score) -> bool:
    return score.tier == JUDGE and score.name not in PROCESS_JUDGEMENTS


def _tier_scores(by_name: Mapping[str, Score], weights_used: Mapping[str, float]) -> dict[Tier, float | None]:
    means: dict[Tier, float | None] = dict.fromkeys(TIERS)
    for tier in TIERS:
        values = {name: by_name[name].value or 0.0 for name in weights_used if by_name[name].tier == tier}
        weight = fsum(weights_used[name] for name in values)
        if weight:
            means[tier] = weighted_mean({name: weights_used[name] / weight for name in values}, values)
    return means


def _caps(tiers: set[Tier], findings: Sequence[Finding], unchecked: Sequence[str]) -> list[tuple[Verdict, str]]:
    caps: list[tuple[Verdict, str]] = []
    if len(tiers) <= 1:
        caps.append(("weak_reject", "at most weak_reject: fewer than two tiers of evidence were measured"))
    faults = sorted({f.name for f in findings if f.severity == "critical" and f.about == "output"})
    if faults:
        caps.append(("weak_reject", f"at most weak_reject: the output has a critical fault ({', '.join(faults)})"))
    if unchecked:
        listed = ", ".join(sorted(set(unchecked)))
        caps.append(("weak_accept", f"at most weak_accept: checks of the output could not run ({listed})"))
    return caps


def _verdict_range(bounds: Range, caps: Sequence[tuple[Verdict, str]], thresholds: Thresholds) -> VerdictRange:
    highest = min((VERDICTS.index(cap) for cap, _ in caps), default=len(VERDICTS) - 1)
    low, high = (VERDICTS.index(thresholds.verdict(end)) for end in (bounds.low, bounds.high))
    return VerdictRange(low=VERDICTS[min(highest, low)], high=VERDICTS[min(highest, high)])


def _disagreements(tier_scores: Mapping[Tier, float | None], thresholds: Thresholds) -> tuple[str, ...]:
    subjects: Mapping[Tier, str] = {
        TEXT: "the text (tier 1)",
        JUDGE: "the judge (tier 2)",
        BEHAVIOUR: "the behaviour (tier 3)",
    }
    known: list[tuple[Tier, float]] = [(tier, value) for tier, value in tier_scores.items() if value is not None]
    return tuple(
        f"{subjects[better]} scores {high:.2f} but {subjects[worse]} {low:.2f}: "
        "look at both before trusting the composite"
        for better, high in known
        for worse, low in known
        if VERDICTS.index(thresholds.verdict(high)) - VERDICTS.index(thresholds.verdict(low)) > 1
    )
