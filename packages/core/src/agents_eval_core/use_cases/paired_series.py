"""The values of one metric, of the composite, or of a resource, over pairs of runs of the same case."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Final

from agents_eval_core.comparison import Missing
from agents_eval_core.composite_pair import comparable_values, composite_pair
from agents_eval_core.counted import count
from agents_eval_core.score import Range, Score, Scorecard
from agents_eval_core.statistics.evidence import PairedValues
from agents_eval_core.use_cases.evaluated_side import CLOCKED
from agents_eval_core.use_cases.metric_scale import RAW, RESOURCES, logarithm, raw_value

COMPOSITE: Final = "composite"
Paper = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What is known of two runs of the same case.

    Attributes:
        baseline: Its scorecard; None where the run has none, and `baseline_absence` says why.
        repeats: Whether both runs repeat those of another pair word for word.
    """

    paper: Paper
    baseline: Scorecard | None
    candidate: Scorecard | None
    baseline_absence: str = ""
    candidate_absence: str = ""
    repeats: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSeries:
    """Pairs of values, each with its paper, in `unit`, and what a reader must know about them."""

    metric: str
    pairs: PairedValues
    unit: str = ""
    higher_is_better: bool = True
    note: str = ""
    missing: Missing = field(default_factory=Missing)

    @property
    def means(self) -> tuple[float, float] | None:
        """The mean of each side, or None where there is no pair."""
        values = self.pairs.values
        if not values:
            return None
        return fsum(one for one, _ in values) / len(values), fsum(other for _, other in values) / len(values)


@dataclass(slots=True, kw_only=True)
class _Gathered:
    """What is found while pairs are gone through."""

    values: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    papers: list[Paper] = field(default_factory=list[Paper])
    lost: Counter[str] = field(default_factory=Counter[str])
    baseline: Counter[str] = field(default_factory=Counter[str])
    candidate: Counter[str] = field(default_factory=Counter[str])
    halves: list[tuple[float | None, float | None]] = field(default_factory=list[tuple[float | None, float | None]])

    def miss(self, known: tuple[float | None, float | None], why: tuple[str, str]) -> None:
        """Take note of a pair that lacks a value on one side or both; `why` is empty where there is one."""
        self.halves.append(known)
        for counted, reason in zip((self.baseline, self.candidate), why, strict=True):
            if reason:
                counted[reason] += 1

    def missing(self, *, is_bounded: bool) -> Missing:
        """Return what is missing, with the difference that the best and the worst values for it would give."""
        bounds = None
        if is_bounded and self.halves:
            known = fsum(candidate - baseline for baseline, candidate in self.values)
            low = fsum(_difference(*half, missing_baseline=1.0, missing_candidate=0.0) for half in self.halves)
            high = fsum(_difference(*half, missing_baseline=0.0, missing_candidate=1.0) for half in self.halves)
            number = len(self.values) + len(self.halves)
            bounds = Range(low=(known + low) / number, high=(known + high) / number)
        return Missing(baseline=dict(self.baseline), candidate=dict(self.candidate), bounds=bounds)


def composite_series(pairs: Sequence[Pair], weights: Mapping[str, float]) -> PairedSeries:
    """Return the composites of each pair, made anew over the metrics measured in both of its runs."""
    found = _Gathered()
    kinds: Counter[tuple[str, ...]] = Counter()
    for pair in _distinct(pairs):
        if pair.baseline is None or pair.candidate is None:
            _miss_run(found, pair, tuple(card.composite if card else None for card in (pair.baseline, pair.candidate)))
            continue
        composites = composite_pair(pair.baseline.scores, pair.candidate.scores, weights=weights)
        if composites is not None:
            found.values.append((composites.first, composites.second))
            found.papers.append(pair.paper)
            kinds[composites.metrics] += 1
    note = f"over {', '.join(kinds.most_common(1)[0][0])}" if kinds else ""
    return PairedSeries(
        metric=COMPOSITE,
        pairs=PairedValues(values=found.values, papers=found.papers),
        note=note + (", in some pairs over others" if len(kinds) > 1 else ""),
        missing=found.missing(is_bounded=True),
    )


def metric_series(metric: str, pairs: Sequence[Pair]) -> PairedSeries:
    """Return the values of one metric in the pairs where both runs have it, on its raw scale if all of them have that.

    A percentile stretches some differences and squeezes others, and a share of a time budget squeezes what is slow; so
    these are compared by what they were made of.
    """
    scale = RAW.get(metric)
    considered = list(pairs) if metric in CLOCKED else list(_distinct(pairs))
    is_raw = scale is not None and _all_raw(metric, considered)
    found = _Gathered()
    for pair in considered:
        _gather(found, metric, pair, is_raw=is_raw)
    is_bounded = not (is_raw and scale is not None and scale.is_logarithmic)
    return PairedSeries(
        metric=metric,
        pairs=PairedValues(values=found.values, papers=found.papers, is_bounded=is_bounded),
        unit=scale.unit if scale and is_raw else "",
        higher_is_better=scale.higher_is_better if scale and is_raw else True,
        note="; ".join(f"left out in {count(number, 'pair')}: {why}" for why, number in sorted(found.lost.items())),
        missing=found.missing(is_bounded=is_bounded),
    )


def resource_series(resource: str, pairs: Sequence[Pair]) -> PairedSeries:
    """Return the logarithms of a resource in the pairs where both runs know it; identical repetitions count too."""
    unit, figure = RESOURCES[resource]
    found = _Gathered()
    for pair in pairs:
        cards = pair.baseline, pair.candidate
        one, other = (logarithm(figure(card.resources)) if card else None for card in cards)
        if one is not None and other is not None:
            found.values.append((one, other))
            found.papers.append(pair.paper)
    return PairedSeries(
        metric=resource,
        pairs=PairedValues(values=found.values, papers=found.papers, is_bounded=False),
        unit=unit,
        higher_is_better=False,
    )


def _distinct(pairs: Iterable[Pair]) -> Iterator[Pair]:
    return (pair for pair in pairs if not pair.repeats)


def _gather(found: _Gathered, metric: str, pair: Pair, *, is_raw: bool) -> None:
    first, second = _scores(metric, pair)
    both = comparable_values(first, second)
    raw = raw_value(first), raw_value(second)
    if both is not None:
        found.papers.append(pair.paper)
        found.values.append((raw[0], raw[1]) if is_raw and raw[0] is not None and raw[1] is not None else both)
        return
    found.lost[_why_lost(pair, first, second)] += 1
    known = raw if is_raw else tuple(score.value if score else None for score in (first, second))
    why = (
        _absence(pair.baseline, first, pair.baseline_absence),
        _absence(pair.candidate, second, pair.candidate_absence),
    )
    if (why[0] == why[1] == "not_measured") or "not_applicable" in why or not any(why):
        return  # nobody measures it here, it has no meaning here, or both have it in different versions
    found.miss((known[0], known[1]), why)


def _miss_run(found: _Gathered, pair: Pair, known: tuple[float | None, ...]) -> None:
    found.miss((known[0], known[1]), (pair.baseline_absence, pair.candidate_absence))


def _scores(metric: str, pair: Pair) -> tuple[Score | None, Score | None]:
    return (
        pair.baseline.score(metric) if pair.baseline else None,
        pair.candidate.score(metric) if pair.candidate else None,
    )


def _all_raw(metric: str, pairs: Iterable[Pair]) -> bool:
    compared = [scores for pair in pairs if comparable_values(*(scores := _scores(metric, pair))) is not None]
    return bool(compared) and all(raw_value(score) is not None for scores in compared for score in scores)


def _absence(card: Scorecard | None, score: Score | None, absence: str) -> str:
    if card is None:
        return absence
    if score is None:
        return "no such score"
    return score.reason or ""


def _difference(
    baseline: float | None, candidate: float | None, *, missing_baseline: float, missing_candidate: float
) -> float:
    return (missing_candidate if candidate is None else candidate) - (
        missing_baseline if baseline is None else baseline
    )


def _why_lost(pair: Pair, first: Score | None, second: Score | None) -> str:
    if pair.baseline is None or pair.candidate is None:
        return pair.baseline_absence or pair.candidate_absence
    for score in (first, second):
        if score is None:
            return "one of the runs has no such score"
        if score.value is None:
            return f"{score.reason}: {score.explanation}"
    return "the runs were scored by different versions of it; evaluate them again"
