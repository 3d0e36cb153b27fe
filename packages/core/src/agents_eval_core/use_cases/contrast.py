"""Two sets of evaluated runs against one another, metric by metric and as a whole."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from agents_eval_core.comparison import Conclusion, Contrast, MetricComparison, Side
from agents_eval_core.composite import SIX
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Range, Scorecard
from agents_eval_core.statistics.conclusion import conclude, conclusion_sentence, count
from agents_eval_core.statistics.paired import pair_runs, paired_difference, paper_of
from agents_eval_core.use_cases.paired_series import Pair, PairedSeries, composite_series, metric_series


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedSide:
    """A set of runs with what is known of each.

    Attributes:
        records: The complete runs.
        scorecards: Those of the records that have one, by run id.
        missing: Why the other records have none, by run id.
    """

    side: Side
    records: tuple[RunRecord, ...]
    scorecards: Mapping[str, Scorecard]
    missing: Mapping[str, str]

    @property
    def evaluated(self) -> Iterator[RunRecord]:
        """The records that have a scorecard."""
        return (record for record in self.records if record.id in self.scorecards)


def metrics_of(sides: Iterable[EvaluatedSide]) -> tuple[str, ...]:
    """Return the names of all scores of the sides: the six of the composite first, then the others by name."""
    found = {score.name for side in sides for card in side.scorecards.values() for score in card.scores}
    return (*(name for name in SIX if name in found), *sorted(found.difference(SIX)))


def contrast(
    first: EvaluatedSide,
    second: EvaluatedSide,
    *,
    metrics: Sequence[str],
    weights: Mapping[str, float],
    confidence: float,
) -> Contrast:
    """Return how two sides compare over their pairs of runs of the same case.

    Only what both runs of a pair measured counts, and only from the same version of the same evaluator. A side whose
    outputs have more critical faults than the other's is not called the better one, whatever its composite.
    """
    pairing = pair_runs(first.evaluated, second.evaluated)
    pairs = [
        Pair(paper=paper_of(one), first=first.scorecards[one.id], second=second.scorecards[other.id])
        for one, other in pairing.pairs
    ]
    labels = first.side.label, second.side.label
    whole = _faults_considered(_compared(composite_series(pairs, weights), labels, confidence), pairs, labels)
    alone_first = {**first.missing, **pairing.unmatched_first}
    alone_second = {**second.missing, **pairing.unmatched_second}
    return Contrast(
        first=first.side,
        second=second.side,
        unmatched_first=tuple(alone_first),
        unmatched_second=tuple(alone_second),
        unmatched_reasons={**alone_first, **alone_second},
        metrics=(whole, *(_compared(metric_series(name, pairs), labels, confidence) for name in metrics)),
        conclusion=whole.conclusion,
        sentence="; ".join([whole.reason, *_left_out(first.side, alone_first), *_left_out(second.side, alone_second)]),
    )


def _compared(series: PairedSeries, labels: tuple[str, str], confidence: float) -> MetricComparison:
    papers = len(set(series.papers))
    try:
        estimate = paired_difference(series.differences, series.papers, confidence)
    except UndefinedMetricError:
        estimate = None
    sentence = conclusion_sentence(estimate, *labels, papers=papers, confidence=confidence, unit=series.unit)
    first, second = series.means or (None, None)
    return MetricComparison(
        metric=series.metric,
        unit=series.unit,
        pairs=len(series.values),
        papers=papers,
        first_mean=first,
        second_mean=second,
        difference=fsum(series.differences) / len(series.values) if series.values else None,
        interval=Range(low=estimate.low, high=estimate.high) if estimate else None,
        conclusion=conclude(estimate, confidence),
        reason="; ".join(part for part in (sentence, series.note) if part),
    )


def _faults_considered(whole: MetricComparison, pairs: Sequence[Pair], labels: tuple[str, str]) -> MetricComparison:
    faults = sum(_is_faulty(pair.first) for pair in pairs), sum(_is_faulty(pair.second) for pair in pairs)
    ahead = {"better": 0, "worse": 1}.get(whole.conclusion)
    if ahead is None or faults[ahead] <= faults[1 - ahead]:
        return whole
    undecided: Conclusion = "not enough data"
    favoured, other = labels[ahead], labels[1 - ahead]
    sentence = (
        f"not enough data: the composite favours {favoured}, but {faults[ahead]} of its {count(len(pairs), 'output')} "
        f"have a critical fault, against {faults[1 - ahead]} of {other}'s"
    )
    return whole.changed(conclusion=undecided, reason=f"{sentence} (by the numbers alone, {whole.reason})")


def _is_faulty(card: Scorecard) -> bool:
    return any(finding.severity == "critical" and finding.about == "output" for finding in card.findings)


def _left_out(side: Side, alone: Mapping[str, str]) -> Iterator[str]:
    if alone:
        yield f"{count(len(alone), 'run')} of {side.label} without a partner"
    for status, number in sorted(Counter(side.excluded.values()).items()):
        yield f"{count(number, 'run')} of {side.label} left out: {status}"
