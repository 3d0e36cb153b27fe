"""All sides in one table: quality, cost and time over what all of them have, and whether the first place is firm."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, fsum

from agents_eval_core.comparison import Contrast, PassRate, Standing
from agents_eval_core.counted import percent
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.score import Range, Scorecard
from agents_eval_core.statistics.pareto import pareto_front
from agents_eval_core.statistics.pass_at_k import pass_at_k, pass_hat_k
from agents_eval_core.statistics.pass_rates import share_over_papers
from agents_eval_core.statistics.random_weights import FLIPS_ALLOWED, first_places
from agents_eval_core.use_cases.evaluated_side import CLOCKED, EvaluatedSide
from agents_eval_core.use_cases.metric_scale import logarithm
from agents_eval_core.use_cases.paper_cards import PaperCards, paper_cards, tries_of

PASSING = frozenset({"accept", "weak_accept"})
TWICE = 2


def standings(sides: Sequence[EvaluatedSide], weights: Mapping[str, float], confidence: float) -> tuple[Standing, ...]:
    """Return each side over the papers that all sides have, and the metrics measured in all of their runs there.

    The quality that is held against cost and time leaves the metrics of time out, which would count it twice.
    """
    of_sides = paper_cards(sides)
    metrics = _common_metrics(of_sides, weights)
    means = [[_mean(cards, metric) for metric in metrics] for cards in of_sides]
    firsts = first_places(means) if metrics else None
    composites = [_weighted(row, metrics, weights) for row in means]
    quality = [name for name in metrics if name not in CLOCKED]
    qualities = [_weighted([row[metrics.index(name)] for name in quality], quality, weights) for row in means]
    took = paper_cards(sides, distinct=False)
    seconds = _known(_seconds(cards) for cards in took)
    costs = _known(_cost(cards) for cards in took)
    front = _front(qualities, seconds, costs)
    return tuple(
        Standing(
            label=side.side.label,
            papers=len(of_sides[place]),
            composite=composites[place],
            quality=qualities[place],
            first_places=firsts[place] if firsts else None,
            elapsed_seconds=seconds[place],
            cost_usd=costs[place],
            on_front=front[place],
            pass_rates=tuple(_pass_rates(side, confidence)),
        )
        for place, side in enumerate(sides)
    )


def winner(contrasts: Sequence[Contrast], found: Sequence[Standing]) -> tuple[str | None, str]:
    """Return the side that beats every other and keeps the first place under 95 % of random weights, or why none does.

    A side beats another if it is better in one claimed metric, and in each other better or equivalent.
    """
    beaten = {standing.label: 0 for standing in found}
    for contrast in contrasts:
        if _is_ahead(contrast, "better"):
            beaten[contrast.candidate.label] += 1
        elif _is_ahead(contrast, "worse"):
            beaten[contrast.baseline.label] += 1
    best = [standing for standing in found if beaten[standing.label] == len(found) - 1]
    if not best:
        return None, "no winner: no side is shown to be better than every other"
    (first,) = best
    if first.first_places is not None and first.first_places < 1 - FLIPS_ALLOWED:
        share = percent(1 - first.first_places)
        return None, f"no winner: {first.label} is ahead, but under {share} of random weights another side is"
    return first.label, f"{first.label} is better than every other side"


def _is_ahead(contrast: Contrast, word: str) -> bool:
    found = {metric.conclusion for metric in contrast.metrics if metric.claimed}
    return word in found and found <= {word, "equivalent"}


def _common_metrics(of_sides: Sequence[PaperCards], weights: Mapping[str, float]) -> list[str]:
    cards = [card for side in of_sides for group in side.values() for card in group]
    measured = [{score.name for score in card.scores if score.value is not None} for card in cards]
    common = frozenset[str].intersection(*map(frozenset, measured)) if measured else frozenset[str]()
    return [name for name, weight in weights.items() if weight > 0 and name in common]


def _mean(cards: PaperCards, metric: str) -> float:
    papers = [fsum(_value(card, metric) for card in group) / len(group) for group in cards.values()]
    return fsum(papers) / len(papers)


def _value(card: Scorecard, metric: str) -> float:
    score = card.score(metric)
    return (score.value if score else None) or 0.0


def _weighted(means: Sequence[float], metrics: Sequence[str], weights: Mapping[str, float]) -> float | None:
    total = fsum(weights[name] for name in metrics)
    if not total:
        return None
    return fsum(mean * weights[name] for mean, name in zip(means, metrics, strict=True)) / total


def _seconds(cards: PaperCards) -> float | None:
    found = [logarithm(card.resources.elapsed_seconds) for group in cards.values() for card in group]
    known = [each for each in found if each is not None]
    return exp(fsum(known) / len(known)) if known and len(known) == len(found) else None


def _cost(cards: PaperCards) -> float | None:
    found = [card.resources.cost_usd for group in cards.values() for card in group]
    known = [each for each in found if each is not None]
    return fsum(known) / len(known) if known and len(known) == len(found) else None


def _known(figures: Iterable[float | None]) -> list[float | None]:
    found = list(figures)
    return found if None not in found else [None] * len(found)


def _front(
    qualities: Sequence[float | None], seconds: Sequence[float | None], costs: Sequence[float | None]
) -> list[bool] | list[None]:
    points = [
        tuple(each for each in (quality, _negated(took), _negated(cost)) if each is not None)
        for quality, took, cost in zip(qualities, seconds, costs, strict=True)
    ]
    if None in qualities or len(points[0]) < TWICE:
        return [None] * len(points)
    return pareto_front(points)


def _negated(figure: float | None) -> float | None:
    return None if figure is None else -figure


def _pass_rates(side: EvaluatedSide, confidence: float) -> Iterator[PassRate]:
    tries = tries_of(side)
    passed = [
        (len(each), sum(card is not None and card.verdict in PASSING for card in each)) for each in tries.values()
    ]
    most = max((number for number, _ in passed), default=0)
    if most < TWICE:
        return
    for k in range(1, most + 1):
        enough = [each for each in passed if each[0] >= k]
        try:
            some = share_over_papers([pass_at_k(*each, k) for each in enough], confidence)
            every = share_over_papers([pass_hat_k(*each, k) for each in enough], confidence)
        except UndefinedMetricError:
            return
        yield PassRate(
            k=k,
            papers=len(enough),
            any_passes=some.mean,
            any_interval=Range(low=some.low, high=some.high),
            all_pass=every.mean,
            all_interval=Range(low=every.low, high=every.high),
        )
