"""How well `review_substance` follows what people think of whole reviews, with length beside it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from pathlib import Path
from statistics import fmean
from typing import Final

from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.review_points import points_of_text
from agents_eval_evaluators.text.review_substance import review_substance
from agents_eval_evaluators.text.words import words
from agents_eval_evaluators.validity.repeatable import Repeatable
from agents_eval_evaluators.validity.review_quality import (
    Labelled,
    beats_length_by,
    beyond_length,
    follows_label,
    labelled_lines,
    length_follows_label,
    paper_interval,
)

REVIEWS: Final = "rottenreviews/reviews.jsonl"
TARGETS: Final = ("Overall_Quality", "Comprehensiveness", "Actionability", "Constructiveness")
CLEAR_GAP: Final = 10
MEASURES: Final[tuple[tuple[str, Callable[[Sequence[Labelled]], float]], ...]] = (
    ("", follows_label),
    (" beyond length", beyond_length),
    (", length alone", length_follows_label),
    (", more than length alone", beats_length_by),
)


def right_order(items: Sequence[Labelled]) -> float:
    """Return the share of pairs of one paper's reviews, 10 points or more apart, that are ordered as people do."""
    return _share_ordered(items, lambda item: item.given)


def right_order_by_length(items: Sequence[Labelled]) -> float:
    """Return the share of those pairs that their length orders as people do."""
    return _share_ordered(items, lambda item: item.length)


def _share_ordered(items: Sequence[Labelled], value: Callable[[Labelled], float]) -> float:
    papers: dict[str, list[Labelled]] = {}
    for item in items:
        papers.setdefault(item.paper, []).append(item)
    pairs = [
        (first, second) if first.label > second.label else (second, first)
        for group in papers.values()
        for first, second in combinations(group, 2)
        if abs(first.label - second.label) >= CLEAR_GAP
    ]
    return fmean((value(better) > value(worse)) + (value(better) == value(worse)) / 2 for better, worse in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSubstanceValidity(Repeatable):
    """Measures `review_substance` on 264 whole reviews judged by people (RottenReviews).

    All of them were written after chat models became public; which, if any, a machine wrote is not known.
    """

    name: str = "review_substance"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield rank correlations with human judgements, beyond length and beside it.

        Raises:
            PaperError: The data is not there.
        """
        for target in TARGETS:
            items = list(_judged(data, target))
            named = target.replace("_", " ").lower()
            for what, figure in MEASURES:
                yield self._figure(f"{named}{what}", figure, items, "reviews, Spearman")
            if target == TARGETS[0]:
                unit = "reviews, share of pairs of one paper"
                yield self._figure(f"order by {named}", right_order, items, unit)
                yield self._figure(f"order by {named}, length alone", right_order_by_length, items, unit)

    def _figure(
        self, measure: str, figure: Callable[[Sequence[Labelled]], float], items: Sequence[Labelled], unit: str
    ) -> ValidityFigure:
        return ValidityFigure(
            metric=self.name,
            measure=measure,
            value=figure(items),
            interval=paper_interval(items, figure, resamples=self.resamples),
            n=len(items),
            unit=unit,
            data="RottenReviews, 86 papers",
            fitted="iclr_2017 (stop words)",
            tuned="nothing: weights set once by judgement",
            chance=0.5 if "share" in unit else 0.0,
        )


def _judged(data: Sequence[Path], target: str) -> Iterator[Labelled]:
    stop_words = shipped_table().words.stop_words
    for line in labelled_lines(data, REVIEWS):
        text = str(line["review"])
        yield Labelled(
            given=review_substance(points_of_text(text), text, stop_words).value,
            label=fmean(float(rating[target]) for rating in line["human"]),
            length=log(1 + len(words(text))),
            paper=str(line["paper"]),
        )
