"""The values of one metric, or of the composite, over pairs of runs of the same case."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.composite_pair import comparable_values, composite_pair
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.statistics.conclusion import count

COMPOSITE: Final = "composite"
RAW: Final[Mapping[str, str]] = {"output_similarity": "raw_similarity"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The scorecards of two runs of the same case."""

    paper: tuple[str, str]
    first: Scorecard
    second: Scorecard


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSeries:
    """Pairs of values, each with its paper, in `unit`, and what a reader must know about them."""

    metric: str
    values: Sequence[tuple[float, float]]
    papers: Sequence[tuple[str, str]]
    unit: str = ""
    note: str = ""

    @property
    def differences(self) -> list[float]:
        """The first minus the second."""
        return [first - second for first, second in self.values]

    @property
    def means(self) -> tuple[float, float] | None:
        """The mean of each side, or None where there is no pair."""
        if not self.values:
            return None
        number = len(self.values)
        return fsum(first for first, _ in self.values) / number, fsum(second for _, second in self.values) / number


def composite_series(pairs: Sequence[Pair], weights: Mapping[str, float]) -> PairedSeries:
    """Return the composites of each pair, made anew over the metrics measured in both of its runs."""
    found = [(composite_pair(pair.first.scores, pair.second.scores, weights=weights), pair.paper) for pair in pairs]
    measured = [(composites, paper) for composites, paper in found if composites is not None]
    kinds = Counter(composites.metrics for composites, _ in measured).most_common()
    note = f"over {', '.join(kinds[0][0])}" if kinds else ""
    return PairedSeries(
        metric=COMPOSITE,
        values=[(composites.first, composites.second) for composites, _ in measured],
        papers=[paper for _, paper in measured],
        note=note + (", in some pairs over others" if len(kinds) > 1 else ""),
    )


def metric_series(metric: str, pairs: Sequence[Pair]) -> PairedSeries:
    """Return the values of one metric in the pairs where both runs have it, on its raw scale if all of them have that.

    A percentile stretches some differences and squeezes others; so a metric that is one is compared by what it was
    made of.
    """
    values: list[tuple[float, float]] = []
    raws: list[tuple[float, float]] = []
    papers: list[tuple[str, str]] = []
    lost: Counter[str] = Counter()
    for pair in pairs:
        first, second = pair.first.score(metric), pair.second.score(metric)
        both = comparable_values(first, second)
        if both is None:
            lost[_why_lost(first, second)] += 1
            continue
        values.append(both)
        papers.append(pair.paper)
        raw = _raw(first), _raw(second)
        if raw[0] is not None and raw[1] is not None:
            raws.append((raw[0], raw[1]))
    is_raw = bool(raws) and len(raws) == len(values)
    return PairedSeries(
        metric=metric,
        values=raws if is_raw else values,
        papers=papers,
        unit=RAW[metric].replace("_", " ") if is_raw else "",
        note="; ".join(f"left out in {count(number, 'pair')}: {why}" for why, number in sorted(lost.items())),
    )


def _raw(score: Score | None) -> float | None:
    for measure in score.measures if score else ():
        is_number = isinstance(measure.value, int | float) and not isinstance(measure.value, bool)
        if score and measure.name == RAW.get(score.name) and is_number:
            return float(measure.value or 0)
    return None


def _why_lost(first: Score | None, second: Score | None) -> str:
    for score in (first, second):
        if score is None:
            return "one of the runs has no such score"
        if score.value is None:
            return f"{score.reason}: {score.explanation}"
    return "the runs were scored by different versions of it; evaluate them again"
