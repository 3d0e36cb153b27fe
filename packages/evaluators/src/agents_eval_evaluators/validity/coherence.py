"""How well the rating of a review's words goes with its own rating, and what the warning finds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from agents_eval_core.case import Case
from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_core.review import Scale
from agents_eval_evaluators.calibration.rating_fit import fit_rating_model
from agents_eval_evaluators.text.coherence import RARE, rating_of_words
from agents_eval_evaluators.validity.data_folders import cases_among
from agents_eval_evaluators.validity.halves import HALVES
from agents_eval_evaluators.validity.intervals import bootstrap_interval, over_all
from agents_eval_evaluators.validity.ranks import area_under_curve, rank_correlation
from agents_eval_evaluators.validity.repeatable import ByHalves

VENUE: Final = "iclr_2017"
SHIFT: Final = 3.0
FOLDS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedWords:
    """A human review: what it rates, what its words would go with, how wide a gap is not warned of, and its scale."""

    stated: float
    of_words: float
    widest: float
    scale: Scale

    @property
    def mirrored(self) -> float:
        """The opposite rating."""
        return self.scale.lowest + self.scale.highest - self.stated

    @property
    def shifted(self) -> float:
        """A rating three points off, towards the middle of the scale."""
        up = self.stated < (self.scale.lowest + self.scale.highest) / 2
        return self.stated + SHIFT if up else self.stated - SHIFT

    def gap(self, rating: float) -> float:
        """Return how far a rating lies from what the words would go with."""
        return abs(rating - self.of_words)


Reviews = Sequence[RatedWords]


def _correlation(reviews: Reviews) -> float:
    return rank_correlation([one.stated for one in reviews], [one.of_words for one in reviews])


def _mean_gap(reviews: Reviews) -> float:
    return fmean(one.gap(one.stated) for one in reviews)


def _told_apart(reviews: Reviews) -> float:
    return area_under_curve([one.gap(one.mirrored) for one in reviews], [one.gap(one.stated) for one in reviews])


def _warned(rating: Callable[[RatedWords], float]) -> Callable[[Reviews], float]:
    return lambda reviews: fmean(one.gap(rating(one)) > one.widest for one in reviews)


MEASURES: Final[tuple[tuple[str, str, Callable[[Reviews], float], float | None], ...]] = (
    ("rating of the words with the stated one", "reviews, Spearman", _correlation, 0.0),
    ("mean gap", "reviews, points of ten", _mean_gap, None),
    ("mirrored rating against the stated one", "reviews, AUC", _told_apart, 0.5),
    ("false alarms of incoherent", "reviews, share", _warned(lambda one: one.stated), None),
    ("mirrored ratings found", "reviews, share", _warned(lambda one: one.mirrored), None),
    ("ratings shifted by three found", "reviews, share", _warned(lambda one: one.shifted), None),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoherenceValidity(ByHalves):
    """Measures `coherence` on ICLR 2017: each half of the papers by a model that was fitted on the other."""

    name: str = "coherence"

    def of_half(self, data: Sequence[Path], half: Half) -> Iterator[ValidityFigure]:
        """Yield correlation, gap, false alarms and what is found on one half.

        Raises:
            PaperError: The data is not there.
        """
        cases = cases_among(data, VENUE)
        fold = HALVES.index(half)
        papers = list(_rated_papers(cases[fold::2], cases[1 - fold :: 2]))
        for measure, unit, figure, chance in MEASURES:
            over_papers = over_all(figure)
            yield ValidityFigure(
                metric=self.name,
                measure=measure,
                value=over_papers(papers),
                interval=bootstrap_interval(papers, over_papers, resamples=self.resamples),
                n=sum(map(len, papers)),
                unit=unit,
                data=f"{VENUE}, {len(papers)} papers",
                half=half,
                fitted="the other half",
                tuned="nothing: ridge and its strength as in a pilot",
                chance=chance,
            )


def _rated_papers(tested: Sequence[Case], others: Sequence[Case]) -> Iterator[Reviews]:
    model = fit_rating_model(others, VENUE, source="", licence="", fitted_on="", folds=FOLDS)
    for case in tested:
        rated = [
            RatedWords(
                stated=review.rating.value, of_words=value, widest=model.widest(1 - RARE), scale=model.rating_scale
            )
            for review in case.references
            if review.rating is not None and (value := rating_of_words(review.text, model)) is not None
        ]
        if rated:
            yield rated
