"""Sets of evaluated runs against one another, metric by metric and as a whole."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from agents_eval_core.comparison import Contrast, MetricComparison
from agents_eval_core.counted import count
from agents_eval_core.statistics.evidence import Evidence, paired_evidence
from agents_eval_core.use_cases.doubts import doubted
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide
from agents_eval_core.use_cases.matched_sides import MatchedSides, matched_sides
from agents_eval_core.use_cases.measured import Adjusted, Measured, adjust, row
from agents_eval_core.use_cases.metric_scale import RESOURCES
from agents_eval_core.use_cases.paired_series import (
    COMPOSITE,
    PairedSeries,
    composite_series,
    metric_series,
    resource_series,
)
from agents_eval_core.use_cases.unpaired_series import unpaired_composite, unpaired_metric, unpaired_resource
from agents_eval_core.use_cases.weight_flips import weight_flips
from agents_eval_core.use_cases.whole_conclusion import whole_conclusion


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a comparison.

    Attributes:
        metrics: Those that are looked at, beside the composite.
        claims: Those that are claimed, the composite among them or not.
        margin: The smallest difference of a score that matters; None where none was stated.
        is_paired: Whether runs of the same paper are held against each other.
    """

    metrics: tuple[str, ...]
    claims: tuple[str, ...]
    weights: Mapping[str, float]
    confidence: float = 0.95
    margin: float | None = None
    is_paired: bool = True


def contrasts(sides: Sequence[EvaluatedSide], question: Question) -> tuple[Contrast, ...]:
    """Return how each pair of sides compares: the first named is the baseline, the later one the candidate.

    Only what both runs of a pair measured counts, and only from the same version of the same evaluator. What is
    claimed is corrected by Holm over all metrics claimed and all pairs of sides, what is only looked at by
    Benjamini-Hochberg over all of those. A candidate is not called better, or worse, where `doubted` finds a reason.
    """
    matched = [matched_sides(*pair) for pair in combinations(sides, 2)]
    measured = _paired(matched, question) if question.is_paired else [_unpaired(each, question) for each in matched]
    rows = _rows(matched, measured, question)
    return tuple(_contrast(each, of_it, question) for each, of_it in zip(matched, rows, strict=True))


def _paired(matched: Sequence[MatchedSides], question: Question) -> list[list[Measured]]:
    series = [list(_series(each, question)) for each in matched]
    flat = [each for of_one in series for each in of_one]
    found = iter(paired_evidence([each.pairs for each in flat], margin=question.margin, confidence=question.confidence))
    return [[_of_pairs(each, next(found), question) for each in of_one] for of_one in series]


def _series(matched: MatchedSides, question: Question) -> Iterator[PairedSeries]:
    yield composite_series(matched.pairs, question.weights)
    yield from (metric_series(metric, matched.pairs) for metric in question.metrics)
    yield from (resource_series(resource, matched.pairs) for resource in RESOURCES)


def _of_pairs(series: PairedSeries, evidence: Evidence, question: Question) -> Measured:
    return Measured(
        metric=series.metric,
        unit=series.unit,
        higher_is_better=series.higher_is_better,
        claimed=series.metric in question.claims,
        is_bounded=series.pairs.is_bounded,
        is_paired=True,
        pairs=len(series.pairs.values),
        papers=len(set(series.pairs.papers)),
        means=series.means,
        note=series.note,
        missing=series.missing,
        evidence=evidence,
    )


def _unpaired(matched: MatchedSides, question: Question) -> list[Measured]:
    sides = matched.baseline, matched.candidate
    confidence, margin = question.confidence, question.margin
    return [
        unpaired_composite(
            sides, question.weights, claimed=COMPOSITE in question.claims, confidence=confidence, margin=margin
        ),
        *(
            unpaired_metric(each, sides, claimed=each in question.claims, confidence=confidence, margin=margin)
            for each in question.metrics
        ),
        *(unpaired_resource(each, sides, confidence=confidence) for each in RESOURCES),
    ]


def _rows(
    matched: Sequence[MatchedSides], measured: Sequence[Sequence[Measured]], question: Question
) -> list[list[MetricComparison]]:
    flat = [each for of_one in measured for each in of_one]
    adjusted: dict[int, Adjusted] = {}
    for claimed in (True, False):
        family = [each for each in flat if each.claimed == claimed]
        adjusted |= dict(zip(map(id, family), adjust(family, claimed=claimed), strict=True))
    return [
        [
            row(each, adjusted[id(each)], sides.labels, confidence=question.confidence, margin=question.margin)
            for each in of_one
        ]
        for sides, of_one in zip(matched, measured, strict=True)
    ]


def _contrast(matched: MatchedSides, rows: Sequence[MetricComparison], question: Question) -> Contrast:
    flips = weight_flips(matched.pairs, question.weights) if question.is_paired else None
    sound = [doubted(each, matched, flips) for each in rows]
    metrics = tuple(each for each in sound if each.metric not in RESOURCES)
    conclusion, reason = whole_conclusion([each for each in metrics if each.claimed])
    nobody: Mapping[str, str] = {}
    alone = matched.alone if question.is_paired else (nobody, nobody)
    sides = matched.baseline.side, matched.candidate.side
    label = (
        () if question.is_paired else ("unpaired: the papers of the two sides differ, so their spread counts in full",)
    )
    return Contrast(
        baseline=sides[0],
        candidate=sides[1],
        paired=question.is_paired,
        unmatched_baseline=tuple(alone[0]),
        unmatched_candidate=tuple(alone[1]),
        unmatched_reasons={**alone[0], **alone[1]},
        metrics=metrics,
        resources=tuple(each for each in sound if each.metric in RESOURCES),
        flips=flips,
        conclusion=conclusion,
        sentence="; ".join(
            [reason, *label, *_left_out(matched.baseline, alone[0]), *_left_out(matched.candidate, alone[1])]
        ),
    )


def _left_out(evaluated: EvaluatedSide, alone: Mapping[str, str]) -> Iterator[str]:
    side = evaluated.side
    systems = len({(record.engine, record.composition, record.model) for record in evaluated.records})
    if systems > 1:
        yield f"{side.label} mixes runs of {systems} systems"
    if alone:
        yield f"{count(len(alone), 'run')} of {side.label} without a partner"
    for status, number in sorted(Counter(side.excluded.values()).items()):
        yield f"{count(number, 'run')} of {side.label} left out: {status}"
    if side.identical:
        yield f"{count(len(side.identical), 'run')} of {side.label} repeat another word for word and count once with it"
