"""How well word lists tell the aspect of a sentence, and how well shares over sets of reviews follow human labels."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_evaluators.text.aspects import ASPECTS, aspect_of, aspect_shares, divergence
from agents_eval_evaluators.validity.intervals import bootstrap_interval
from agents_eval_evaluators.validity.ranks import rank_correlation
from agents_eval_evaluators.validity.repeatable import ByHalves
from agents_eval_evaluators.validity.review_quality import labelled_lines
from agents_eval_evaluators.validity.sentence_roles import REVIEWS, f_score

LABELS: Final = {
    "asp_meaningful-comparison": "meaningful_comparison",
    "asp_originality": "originality",
    "asp_replicability": "replicability",
    "asp_clarity": "clarity",
    "asp_motivation-impact": "motivation_impact",
    "asp_soundness-correctness": "soundness",
    "asp_substance": "substance",
}
SET_SIZE: Final = 10
Review = Sequence[tuple[str, str]]


def macro_f_score(reviews: Sequence[Review]) -> float:
    """Return the mean F1 over the aspects, of sentences that people gave one."""
    pairs = [pair for review in reviews for pair in review]
    return fmean(f_score(pairs, aspect) for aspect in ASPECTS)


def follows_shares(reviews: Sequence[Review]) -> float:
    """Return the rank correlation of an aspect's predicted and labelled share of a review, mean over the aspects."""
    return fmean(
        rank_correlation(
            [_share(review, 0, aspect) for review in reviews], [_share(review, 1, aspect) for review in reviews]
        )
        for aspect in ASPECTS
    )


def _share(review: Review, side: int, aspect: str) -> float:
    return sum(pair[side] == aspect for pair in review) / len(review)


def set_divergence(reviews: Sequence[Review]) -> float:
    """Return how far predicted shares are from labelled ones over sets of ten reviews, on average, in bits."""
    return fmean(divergence(_shares(part, 0), _shares(part, 1)) for part in _sets(reviews))


def divergence_of_the_mean(reviews: Sequence[Review]) -> float:
    """Return the same for somebody who always says the shares of all reviews together."""
    every = _shares(reviews, 0)
    return fmean(divergence(_shares(part, 0), every) for part in _sets(reviews))


def _sets(reviews: Sequence[Review]) -> list[Sequence[Review]]:
    return [reviews[start : start + SET_SIZE] for start in range(0, len(reviews) - SET_SIZE + 1, SET_SIZE)]


def _shares(reviews: Sequence[Review], side: int) -> dict[str, float]:
    return aspect_shares(Counter(pair[side] for pair in review if pair[side]) for review in reviews)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFocusValidity(ByHalves):
    """Measures the aspects that `review_focus` rests on, on DISAPERE (ICLR 2019 and 2020), by its own split."""

    name: str = "review_focus"

    def of_half(self, data: Sequence[Path], half: Half) -> Iterator[ValidityFigure]:
        """Yield macro F1 and divergences of one half.

        Raises:
            PaperError: The data is not there.
        """
        lines = (line for line in labelled_lines(data, REVIEWS) if (line["split"] == "test") == (half == "test half"))
        reviews = [review for line in lines if (review := _told(line))]
        measures: tuple[tuple[str, str, Callable[[Sequence[Review]], float]], ...] = (
            ("macro F1 over seven aspects", "reviews, F1", macro_f_score),
            ("share of an aspect in a review, mean over aspects", "reviews, Spearman", follows_shares),
            ("divergence from people over sets of ten reviews", "reviews, bit", set_divergence),
            ("the same, always saying the mean shares", "reviews, bit", divergence_of_the_mean),
        )
        for measure, unit, figure in measures:
            yield ValidityFigure(
                metric=self.name,
                measure=measure,
                value=figure(reviews),
                interval=bootstrap_interval(reviews, figure, resamples=self.resamples),
                n=len(reviews),
                unit=unit,
                data="DISAPERE",
                half=half,
                chance=0.0 if figure is follows_shares else None,
                tuned="the development half (word lists read against it)",
            )


def _told(line: dict[str, Any]) -> Review:
    labelled = ((LABELS[said[3]], said[0]) for said in line["sentences"] if said[3] in LABELS)
    return [(label, aspect_of(sentence) or "") for label, sentence in labelled]
