"""The values of one metric on two sides whose runs are not of the same papers."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import fsum

from agents_eval_core.comparison import Missing
from agents_eval_core.composite import applicable_weights, weighted_mean
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.statistics.evidence import Evidence, unpaired_evidence
from agents_eval_core.statistics.paired import paper_of
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide
from agents_eval_core.use_cases.measured import Measured
from agents_eval_core.use_cases.metric_scale import RAW, RESOURCES, logarithm, raw_value
from agents_eval_core.use_cases.paired_series import COMPOSITE

Sides = tuple[EvaluatedSide, EvaluatedSide]
Value = Callable[[Scorecard], float | None]


def unpaired_metric(metric: str, sides: Sides, *, claimed: bool, confidence: float, margin: float | None) -> Measured:
    """Return one metric over all evaluated runs of each side, on its raw scale if all of them have that."""
    cards = [card for side in sides for card in side.scorecards.values()]
    scale = RAW.get(metric)
    scored = [score for card in cards if (score := card.score(metric)) is not None and score.value is not None]
    is_raw = scale is not None and bool(scored) and all(raw_value(score) is not None for score in scored)

    def value(card: Scorecard) -> float | None:
        score = card.score(metric)
        return raw_value(score) if is_raw else (score.value if score else None)

    is_bounded = not (is_raw and scale is not None and scale.is_logarithmic)
    return _measured(
        metric, sides, value,
        unit=scale.unit if scale and is_raw else "",
        higher_is_better=scale.higher_is_better if scale and is_raw else True,
        claimed=claimed, is_bounded=is_bounded, confidence=confidence, margin=margin,
    )  # fmt: skip


def unpaired_composite(
    sides: Sides, weights: Mapping[str, float], *, claimed: bool, confidence: float, margin: float | None
) -> Measured:
    """Return the composite over the metrics that every evaluated run of both sides measured."""
    cards = [card for side in sides for card in side.scorecards.values()]
    measured = [{score.name for score in card.scores if score.value is not None} for card in cards]
    common = set(weights).intersection(*measured) if measured else set[str]()
    used = applicable_weights({}, {name: weight for name, weight in weights.items() if name in common})

    def value(card: Scorecard) -> float | None:
        values = {score.name: score.value for score in card.scores if score.name in used and score.value is not None}
        return weighted_mean(used, values) if used else None

    return _measured(
        COMPOSITE, sides, value, claimed=claimed, is_bounded=True, confidence=confidence, margin=margin,
        note=f"over {', '.join(used)}" if used else "no metric was measured in every run",
    )  # fmt: skip


def unpaired_resource(resource: str, sides: Sides, *, confidence: float) -> Measured:
    """Return the logarithm of a resource over all evaluated runs of each side."""
    unit, figure = RESOURCES[resource]
    return _measured(
        resource, sides, lambda card: logarithm(figure(card.resources)), unit=unit, higher_is_better=False,
        claimed=False, is_bounded=False, confidence=confidence, margin=None,
    )  # fmt: skip


def _measured(
    metric: str,
    sides: Sides,
    value: Value,
    *,
    claimed: bool,
    is_bounded: bool,
    confidence: float,
    margin: float | None,
    unit: str = "",
    higher_is_better: bool = True,
    note: str = "",
) -> Measured:
    found = [_values(side, value, once=is_bounded) for side in sides]
    (baseline, baseline_papers), (candidate, candidate_papers) = found
    against = margin if is_bounded else None
    evidence = (
        unpaired_evidence(
            baseline,
            baseline_papers,
            candidate,
            candidate_papers,
            margin=against,
            confidence=confidence,
            is_bounded=is_bounded,
        )
        if baseline and candidate
        else Evidence()
    )
    means = (fsum(baseline) / len(baseline), fsum(candidate) / len(candidate)) if baseline and candidate else None
    return Measured(
        metric=metric,
        unit=unit,
        higher_is_better=higher_is_better,
        claimed=claimed,
        is_bounded=is_bounded,
        is_paired=False,
        pairs=min(len(baseline), len(candidate)),
        papers=min(len(set(baseline_papers)), len(set(candidate_papers))),
        means=means,
        note=note,
        missing=Missing(baseline=_absent(sides[0], value), candidate=_absent(sides[1], value)),
        evidence=evidence,
    )


def _values(side: EvaluatedSide, value: Value, *, once: bool) -> tuple[list[float], list[tuple[str, str]]]:
    repeating = set(side.side.identical) if once else set[str]()
    found = [
        (number, paper_of(record))
        for record in side.records
        if record.id not in repeating
        and (card := side.scorecards.get(record.id)) is not None
        and (number := value(card)) is not None
    ]
    return [number for number, _ in found], [paper for _, paper in found]


def _absent(side: EvaluatedSide, value: Value) -> dict[str, int]:
    return dict(Counter(filter(None, (_why(side, record, value) for record in side.records))))


def _why(side: EvaluatedSide, record: RunRecord, value: Value) -> str:
    card = side.scorecards.get(record.id)
    if card is None:
        return side.why_absent(record)
    return "" if value(card) is not None else "not measured"
