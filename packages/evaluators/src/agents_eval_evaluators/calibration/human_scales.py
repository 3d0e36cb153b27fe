"""Where the human reviewers of a paper lie on every scale, each held against the others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import fsum

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.language_fit import Cut
from agents_eval_evaluators.calibration.negation_rates import NegationRates
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.calibration.word_order_table import WordOrderTable
from agents_eval_evaluators.text.grounded_match import grounded_matches
from agents_eval_evaluators.text.output_similarity import expected_match, human_texts
from agents_eval_evaluators.text.resemblance import resemblance
from agents_eval_evaluators.text.task_success import human_duties, task_success


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanScales:
    """The values of human reviewers.

    Attributes:
        pairs: Grounded match with one other reviewer, for each pair in both directions.
        matches: The expected better of two others.
        said_pairs: Share of one other's weight that a reviewer says too.
        said: Its mean over the others, where there are two or more.
        nearest: Cosine with the nearest other.
        totals: The same plus the cosine with title and abstract, of papers that have one.
        order: Information of neighbouring words.
        negation: Excess of negations.
        duties: `task_success`.
    """

    pairs: tuple[float, ...] = ()
    matches: tuple[float, ...] = ()
    said_pairs: tuple[float, ...] = ()
    said: tuple[float, ...] = ()
    nearest: tuple[float, ...] = ()
    totals: tuple[float, ...] = ()
    order: tuple[float, ...] = ()
    negation: tuple[float, ...] = ()
    duties: tuple[float, ...] = ()

    def rounded(self, digits: int) -> "HumanScales":
        """Return the scales sorted and rounded."""
        return HumanScales(
            **{name: tuple(sorted(round(value, digits) for value in values)) for name, values in _values(self)}
        )


def joined(parts: Iterable[HumanScales]) -> HumanScales:
    """Return the values of many papers together."""
    collected: dict[str, list[float]] = {field.name: [] for field in fields(HumanScales)}
    for part in parts:
        for name, values in _values(part):
            collected[name] += values
    return HumanScales(**{name: tuple(values) for name, values in collected.items()})


def human_scales(
    case: Case, cut: Sequence[Cut], counts: WordCounts, order: WordOrderTable, rates: NegationRates
) -> HumanScales:
    """Return the values of a paper's reviewers; the tables should not know its reviews.

    Args:
        case: The paper with its reviews.
        cut: Its distinct reviews as the words of their sentences.
        counts: How common words are in reviews of other papers.
        order: How words follow one another there.
        rates: How often they negate there.
    """
    texts = human_texts(case)
    found = [
        grounded_matches(text, case.paper, _others(texts, place), counts)
        for place, text in enumerate(texts)
        if len(texts) > 1
    ]
    several = [row for row in found if len(row) > 1]
    paper = case.paper or Paper(id="", dataset="", title="")
    near = [
        resemblance(text, paper, _others(texts, place), counts)
        for place, text in enumerate(texts)
        if len(several) == len(texts)
    ]
    informed = (order.information(review) for review in cut)
    return HumanScales(
        pairs=tuple(match.value for row in found for match in row),
        matches=tuple(expected_match([match.value for match in row]) for row in several),
        said_pairs=tuple(match.said for row in found for match in row),
        said=tuple(fsum(match.said for match in row) / len(row) for row in several),
        nearest=tuple(one.best for one in near),
        totals=tuple(one.total for one in near if paper.abstract),
        order=tuple(value for value in informed if value is not None),
        negation=tuple(rates.excess(review) for review in cut),
        duties=tuple(
            task_success(human_duties(review, case.paper, counts)) for review in case.references if case.paper
        ),
    )


def _values(scales: HumanScales) -> list[tuple[str, tuple[float, ...]]]:
    return [(field.name, getattr(scales, field.name)) for field in fields(HumanScales)]


def _others(texts: Sequence[str], place: int) -> tuple[str, ...]:
    return (*texts[:place], *texts[place + 1 :])
