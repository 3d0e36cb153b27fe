"""What each agent is worth, from sides that are all compositions of the same agents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import fsum
from typing import Final, Literal

from agents_eval_core.comparison import MetricWorth, PartWorth
from agents_eval_core.composite import SIX
from agents_eval_core.composition import agents_of
from agents_eval_core.score import Range, Scorecard
from agents_eval_core.statistics.conclusion import conclude
from agents_eval_core.statistics.evidence import Evidence, PairedValues, paired_evidence
from agents_eval_core.statistics.factorial import factorial_effect, shapley_value, subsets
from agents_eval_core.statistics.multiplicity import holm
from agents_eval_core.use_cases.contrast import Question
from agents_eval_core.use_cases.evaluated_side import CLOCKED, EvaluatedSide
from agents_eval_core.use_cases.metric_scale import LOGARITHMIC, RAW, RESOURCES, raw_value
from agents_eval_core.use_cases.paper_cards import PaperCards, paper_cards

Agents = frozenset[str]
Kind = Literal["shapley", "main effect", "interaction"]
Figure = Callable[[Scorecard], float | None]
FEWEST_AGENTS: Final = 2
WORDS: Final[Mapping[str, Literal["adds", "takes away", "adds nothing", "not enough data"]]] = {
    "better": "adds",
    "worse": "takes away",
    "equivalent": "adds nothing",
    "not enough data": "not enough data",
}


def worth_of_agents(sides: Sequence[EvaluatedSide], question: Question) -> tuple[MetricWorth, ...]:
    """Return main effects, interactions and Shapley values of the agents that not every side has.

    They are made paper by paper, over the papers that every composition has, and their intervals are clustered by
    paper. Empty unless the sides are all combinations of two or more agents. The composite is left out: its parts
    differ between compositions. Time, cost and tokens are in their own units, since what agents cost adds up.
    """
    compositions = _compositions(sides)
    parts = sorted(frozenset[str].union(*compositions) - frozenset[str].intersection(*compositions))
    if len(parts) < FEWEST_AGENTS or {frozenset(parts) & each for each in compositions} != set(subsets(parts)):
        return ()
    if len(sides) != 2 ** len(parts):
        return ()
    order = [frozenset(parts) & each for each in compositions]
    cards = dict(zip(order, paper_cards(sides), strict=True))
    timed = dict(zip(order, paper_cards(sides, distinct=False), strict=True))
    chosen = [name for name in question.metrics if name in (*SIX, *question.claims) and name not in CLOCKED]
    found = [_of_metric(name, cards, parts, question) for name in chosen]
    found += [_of_resource(name, timed, parts, question.confidence) for name in RESOURCES]
    return tuple(each for each in found if each is not None)


def _compositions(sides: Sequence[EvaluatedSide]) -> list[Agents]:
    found = [{agents_of(record.composition) for record in side.records} for side in sides]
    return [next(iter(each)) if len(each) == 1 else frozenset() for each in found]


def _of_metric(
    name: str, cards: Mapping[Agents, PaperCards], parts: Sequence[str], question: Question
) -> MetricWorth | None:
    everything = [card for side in cards.values() for group in side.values() for card in group]
    is_raw = name in RAW and all(raw_value(card.score(name)) is not None for card in everything)

    def figure(card: Scorecard) -> float | None:
        score = card.score(name)
        return raw_value(score) if is_raw else (score.value if score else None)

    values = _values(cards, figure)
    if not values:
        return None
    worths = tuple(_parts(values, parts, question.confidence, question.margin, is_bounded=True))
    return MetricWorth(metric=name, unit=RAW[name].unit if is_raw else "", papers=len(values), parts=worths)


def _of_resource(
    name: str, cards: Mapping[Agents, PaperCards], parts: Sequence[str], confidence: float
) -> MetricWorth | None:
    unit, figure = RESOURCES[name]
    values = _values(cards, lambda card: figure(card.resources))
    if not any(value for of_paper in values for value in of_paper.values()):
        return None  # not known, or nobody asked a language model
    worths = tuple(_parts(values, parts, confidence, None, is_bounded=False))
    return MetricWorth(
        metric=name, unit=unit.removeprefix(LOGARITHMIC), higher_is_better=False, papers=len(values), parts=worths
    )


def _values(cards: Mapping[Agents, PaperCards], figure: Figure) -> list[dict[Agents, float]]:
    papers = next(iter(cards.values()))
    found: list[dict[Agents, float]] = []
    for paper in papers:
        known = {
            agents: [value for card in side[paper] if (value := figure(card)) is not None]
            for agents, side in cards.items()
        }
        if all(known.values()):
            found.append({agents: fsum(values) / len(values) for agents, values in known.items()})
    return found


def _parts(
    values: Sequence[Mapping[Agents, float]],
    parts: Sequence[str],
    confidence: float,
    margin: float | None,
    *,
    is_bounded: bool,
) -> Iterator[PartWorth]:
    effects = [each for each in subsets(parts) if each]
    shapley = [[shapley_value(of_paper, parts, part) for of_paper in values] for part in parts]
    factorial = [[factorial_effect(of_paper, parts, of) for of_paper in values] for of in effects]
    series = [
        PairedValues(values=[(0.0, each) for each in column], papers=range(len(column)), is_bounded=is_bounded)
        for column in (*shapley, *factorial)
    ]
    found = paired_evidence(series, margin=margin, confidence=confidence)
    first, rest = found[: len(parts)], found[len(parts) :]
    differences = holm([each.p for each in first])
    same = holm([each.equivalence_p or 0.0 for each in first])
    for part, column, evidence, p, equal in zip(parts, shapley, first, differences, same, strict=True):
        equivalence = equal if evidence.equivalence_p is not None else None
        yield _part(((part,), "shapley"), column, evidence, (p, equivalence), confidence)
    for of, column, evidence in zip(effects, factorial, rest, strict=True):
        kind: Kind = "main effect" if len(of) == 1 else "interaction"
        yield _part((tuple(sorted(of)), kind), column, evidence, (evidence.p, evidence.equivalence_p), confidence)


def _part(
    effect: tuple[tuple[str, ...], Kind],
    values: Sequence[float],
    evidence: Evidence,
    ps: tuple[float, float | None],
    confidence: float,
) -> PartWorth:
    estimate = evidence.estimate
    conclusion = conclude(estimate, p=ps[0], equivalence_p=ps[1], confidence=confidence)
    return PartWorth(
        of=effect[0],
        kind=effect[1],
        value=fsum(values) / len(values),
        interval=Range(low=estimate.low, high=estimate.high) if estimate else None,
        adjusted_p=ps[0] if effect[1] == "shapley" else None,
        conclusion=WORDS[conclusion],
    )
