"""Reasons for not calling a side the better one, whatever its numbers."""

from collections.abc import Iterator

from agents_eval_core.comparison import Conclusion, MetricComparison
from agents_eval_core.counted import count, percent
from agents_eval_core.score import Scorecard
from agents_eval_core.statistics.random_weights import FLIPS_ALLOWED
from agents_eval_core.use_cases.matched_sides import MatchedSides
from agents_eval_core.use_cases.paired_series import COMPOSITE

OWN_FAULT = frozenset({"failed", "run failed"})


def doubted(found: MetricComparison, matched: MatchedSides, flips: float | None) -> MetricComparison:
    """Return a metric's comparison with its conclusion withdrawn where the side that is ahead does not deserve it.

    The side that is ahead must not have more failures than the other if those, counted as the worst, would put it
    behind. For the composite, its outputs must also not have more critical faults than the other's, and it must stay
    ahead under 95 % of random weights.
    """
    if found.conclusion not in ("better", "worse"):
        return found
    doubts = [*_failures(found, matched)]
    if found.metric == COMPOSITE:
        doubts += [*_faults(found, matched), *_weights(found, matched, flips)]
    if not doubts:
        return found
    undecided: Conclusion = "not enough data"
    sentence = f"not enough data: {'; '.join(doubts)} (by the numbers alone, {found.reason})"
    return found.changed(conclusion=undecided, reason=sentence)


def _ahead(found: MetricComparison) -> int:
    return 1 if found.conclusion == "better" else 0


def _failures(found: MetricComparison, matched: MatchedSides) -> Iterator[str]:
    ahead, bounds = _ahead(found), found.missing.bounds
    failures = [
        sum(number for why, number in missing.items() if why in OWN_FAULT)
        for missing in (found.missing.baseline, found.missing.candidate)
    ]
    if bounds is None or failures[ahead] <= failures[1 - ahead]:
        return
    worst = bounds.low if ahead else -bounds.high
    if worst <= 0:
        yield (
            f"{matched.labels[ahead]} is ahead only where it did not fail: {count(failures[ahead], 'failure')} against "
            f"{failures[1 - ahead]}, and counted as the worst they would put it behind by {-worst:.2f}"
        )


def _faults(found: MetricComparison, matched: MatchedSides) -> Iterator[str]:
    ahead = _ahead(found)
    both = [(pair.baseline, pair.candidate) for pair in matched.pairs if pair.baseline and pair.candidate]
    faults = [sum(_is_faulty(cards[side]) for cards in both) for side in (0, 1)]
    if faults[ahead] > faults[1 - ahead]:
        yield (
            f"the composite favours {matched.labels[ahead]}, but {faults[ahead]} of its {count(len(both), 'output')} "
            f"have a critical fault, against {faults[1 - ahead]} of {matched.labels[1 - ahead]}'s"
        )


def _weights(found: MetricComparison, matched: MatchedSides, flips: float | None) -> Iterator[str]:
    if flips is not None and flips > FLIPS_ALLOWED:
        yield (
            f"the composite favours {matched.labels[_ahead(found)]} by its weights, and under {percent(flips)} of "
            "random weights the other side"
        )


def _is_faulty(card: Scorecard | None) -> bool:
    return card is not None and any(each.severity == "critical" and each.about == "output" for each in card.findings)
