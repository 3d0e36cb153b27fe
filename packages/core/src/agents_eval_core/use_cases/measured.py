"""A metric on two sides with the evidence of its difference: what a row of a comparison is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents_eval_core.comparison import Beside, MetricComparison, Missing, Outlook, Spread
from agents_eval_core.score import Range
from agents_eval_core.statistics.conclusion import conclude
from agents_eval_core.statistics.evidence import Evidence
from agents_eval_core.statistics.fewest_papers import fewest_papers
from agents_eval_core.statistics.multiplicity import benjamini_hochberg, holm
from agents_eval_core.statistics.settling import settling
from agents_eval_core.use_cases.conclusion_sentence import Asked, conclusion_sentence, outlook_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A metric on two sides.

    Attributes:
        means: Of the baseline and of the candidate.
        is_paired: Whether runs of the same paper were held against each other.
    """

    metric: str
    unit: str
    higher_is_better: bool
    claimed: bool
    is_bounded: bool
    is_paired: bool
    pairs: int
    papers: int
    means: tuple[float, float] | None
    note: str
    missing: Missing
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted:
    """p-values after correction, and for how many.

    Attributes:
        equivalence: None where no margin was stated.
    """

    difference: float
    equivalence: float | None
    non_inferiority: float | None
    family: int


def adjust(family: Sequence[Measured], *, claimed: bool) -> list[Adjusted]:
    """Return the adjusted p-values of metrics that are claimed (Holm) or screened (Benjamini-Hochberg) together.

    Those without an estimate are in nobody's way.
    """
    correct = holm if claimed else benjamini_hochberg
    size = sum(each.evidence.estimate is not None for each in family)

    def corrected(ps: Sequence[float | None]) -> list[float | None]:
        known = iter(correct([p for p in ps if p is not None]))
        return [None if p is None else next(known) for p in ps]

    estimated = [each.evidence.estimate is not None for each in family]
    differences = corrected(
        [each.evidence.p if is_there else None for each, is_there in zip(family, estimated, strict=True)]
    )
    equivalences = corrected([each.evidence.equivalence_p for each in family])
    others = corrected([each.evidence.non_inferiority_p for each in family])
    return [
        Adjusted(difference=1.0 if p is None else p, equivalence=same, non_inferiority=above, family=size)
        for p, same, above in zip(differences, equivalences, others, strict=True)
    ]


def row(
    found: Measured, adjusted: Adjusted, labels: tuple[str, str], *, confidence: float, margin: float | None
) -> MetricComparison:
    """Return what is concluded about one metric, with all that stands beside it."""
    evidence, estimate = found.evidence, found.evidence.estimate
    towards = estimate if estimate is None or found.higher_is_better else estimate.reversed
    conclusion = conclude(towards, p=adjusted.difference, equivalence_p=adjusted.equivalence, confidence=confidence)
    strict = 1 - (1 - confidence) / max(1, adjusted.family) if found.claimed else confidence
    asked = Asked(
        baseline=labels[0],
        candidate=labels[1],
        confidence=confidence,
        margin=margin,
        unit=found.unit,
        claimed=found.claimed,
        family=adjusted.family,
        fewest=fewest_papers(strict),
    )
    sentence = conclusion_sentence(conclusion, estimate, asked, papers=found.papers, adjusted_p=adjusted.difference)
    outlook = _outlook(found, strict, margin) if conclusion == "not enough data" and found.claimed else None
    non_inferior = _non_inferior(found, adjusted, confidence)
    parts = (
        sentence,
        _not_worse(labels, margin) if conclusion == "not enough data" and non_inferior else "",
        outlook_sentence(outlook, found.papers, _repetitions(found)),
        found.note,
    )
    one, other = found.means or (None, None)
    return MetricComparison(
        metric=found.metric,
        unit=found.unit,
        higher_is_better=found.higher_is_better,
        claimed=found.claimed,
        pairs=found.pairs,
        papers=found.papers,
        baseline_mean=one,
        candidate_mean=other,
        difference=None if found.means is None else found.means[1] - found.means[0],
        interval=Range(low=estimate.low, high=estimate.high) if estimate else None,
        p=evidence.p if estimate else None,
        adjusted_p=adjusted.difference if estimate else None,
        non_inferior=non_inferior,
        conclusion=conclusion,
        reason="; ".join(part for part in parts if part),
        beside=_beside(evidence) if estimate else None,
        spread=_spread(evidence),
        missing=found.missing,
        outlook=outlook,
    )


def _non_inferior(found: Measured, adjusted: Adjusted, confidence: float) -> bool | None:
    if adjusted.non_inferiority is None:
        return None
    return found.papers >= fewest_papers(confidence) and adjusted.non_inferiority <= 1 - confidence + 1e-12


def _not_worse(labels: tuple[str, str], margin: float | None) -> str:
    return f"at least {labels[1]} is not worse by {margin:g} or more (non-inferior)"


def _outlook(found: Measured, confidence: float, margin: float | None) -> Outlook | None:
    estimate, variance = found.evidence.estimate, found.evidence.variance
    if estimate is None or variance is None or not found.is_paired:
        return None
    known = settling(estimate, variance, margin=margin if found.is_bounded else None, confidence=confidence)
    return Outlook(power=known.power, papers=known.papers, repetitions=known.repetitions, detectable=known.detectable)


def _repetitions(found: Measured) -> float:
    return found.evidence.variance.per_paper if found.evidence.variance else 1.0


def _beside(evidence: Evidence) -> Beside:
    mean, median = evidence.bootstrap.mean, evidence.bootstrap.median
    return Beside(
        median=evidence.median,
        bootstrap_mean=Range(low=mean[0], high=mean[1]) if mean else None,
        bootstrap_median=Range(low=median[0], high=median[1]) if median else None,
        t_p=evidence.t_p,
        permutation_p=evidence.permutation_p,
        wilcoxon_p=evidence.wilcoxon_p,
        mcnemar_p=evidence.mcnemar_p,
        effect_size=evidence.effect,
        superiority=evidence.superiority,
    )


def _spread(evidence: Evidence) -> Spread | None:
    found = evidence.variance
    if found is None:
        return None
    return Spread(
        papers=found.papers**0.5,
        repetitions=None if found.repetitions is None else found.repetitions**0.5,
        correlation=found.correlation,
    )
