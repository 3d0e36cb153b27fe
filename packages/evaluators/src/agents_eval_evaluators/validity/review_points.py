"""How well the worth of single points follows human raters, and how well points are counted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.text.review_points import PointQuality, point_quality, points_of_text
from agents_eval_evaluators.text.words import words
from agents_eval_evaluators.validity.ranks import area_under_curve
from agents_eval_evaluators.validity.repeatable import Repeatable
from agents_eval_evaluators.validity.review_quality import (
    Labelled,
    beyond_length,
    follows_label,
    labelled_lines,
    length_follows_label,
    paper_interval,
)

POINTS: Final = "revutil/points.jsonl"
BORDERS: Final = "ape-review-points/reviews.jsonl"
LAST_YEAR_BEFORE_MODELS: Final = 2022
TUNED: Final = {
    False: "nothing: weights set once by judgement",
    True: "these reviews: of two ways of joining sentences the better one",
}
HIGH: Final = 4.0
LOW: Final = 2.0
RATED: Final[Mapping[str, str]] = {
    "grounding": "grounding_specificity",
    "actionability": "actionability",
    "verifiability": "verifiability",
    "helpfulness": "helpfulness",
}
MEASURES: Final[tuple[tuple[str, Callable[[Sequence[Labelled]], float]], ...]] = (
    ("mean of human raters", follows_label),
    ("mean of human raters beyond length", beyond_length),
    ("length alone with the mean of human raters", length_follows_label),
)


def is_written_before_models(venue: str) -> bool:
    """Whether a venue's reviews were written before November 2022, when chat models became public.

    Reviews of ICLR 2023 were due in October 2022.

    >>> [is_written_before_models(venue) for venue in ("NIPS_2022", "ICLR_2023", "EMNLP_2023", "ICLR_2025")]
    [True, True, False, False]
    """
    return venue == "ICLR_2023" or int(venue.rpartition("_")[2]) <= LAST_YEAR_BEFORE_MODELS


def rated_points(lines: Sequence[Mapping[str, Any]], aspect: str) -> list[Labelled]:
    """Return the points with the mean of what their raters gave; a point that nobody could rate is left out."""
    return [
        Labelled(
            given=_aspect(point_quality(line["point"]), aspect),
            label=label,
            length=log(1 + len(words(line["point"]))),
            paper=line["paper"],
        )
        for line in lines
        if (label := _mean_rating(line, RATED[aspect])) is not None
    ]


def _aspect(quality: PointQuality, aspect: str) -> float:
    return float(getattr(quality, aspect))


def _mean_rating(line: Mapping[str, Any], aspect: str) -> float | None:
    values = [float(value) for value in line[aspect].values() if value != "X"]
    return fmean(values) if values else None


def high_against_low(items: Sequence[Labelled]) -> float:
    """Return the chance that a point rated 4 or more is placed above one rated 2 or less."""
    high = [item.given for item in items if item.label >= HIGH]
    low = [item.given for item in items if item.label <= LOW]
    return area_under_curve(high, low)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPointsValidity(Repeatable):
    """Measures point quality on rated points (RevUtil) and the number of points on marked reviews (APE).

    The data does not say which texts a machine wrote. What was written before chat models became public is shown apart
    from what was written since, which may be either.
    """

    name: str = "review_points"

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield rank correlations with raters, beyond length and by time of writing, and of the number of points.

        Raises:
            PaperError: The data is not there.
        """
        lines = list(labelled_lines(data, POINTS))
        for aspect in RATED:
            items = rated_points(lines, aspect)
            for measure, figure in MEASURES:
                yield self._figure(aspect, measure, figure, items, "RevUtil, 15 venues")
            yield self._figure(
                aspect, "rated 4 or more against 2 or less", high_against_low, items, "RevUtil, 15 venues"
            )
            for is_before, when in ((True, "before November 2022: human"), (False, "since then: human or machine")):
                chosen = [line for line in lines if is_written_before_models(line["venue"]) is is_before]
                for measure, figure in MEASURES[:2]:
                    items_then = rated_points(chosen, aspect)
                    yield self._figure(aspect, measure, figure, items_then, f"RevUtil, written {when}")
        counted = list(_counted_points(data))
        yield self._figure(
            "points", "number of human-marked points", follows_label, counted, "APE, ICLR", unit="reviews"
        )
        yield self._figure(
            "points", "number of human-marked points beyond length", beyond_length, counted, "APE, ICLR", unit="reviews"
        )

    def _figure(
        self,
        metric: str,
        measure: str,
        figure: Callable[[Sequence[Labelled]], float],
        items: Sequence[Labelled],
        data: str,
        *,
        unit: str = "points",
    ) -> ValidityFigure:
        scale = "AUC" if figure is high_against_low else "Spearman"
        return ValidityFigure(
            metric=metric,
            measure=measure,
            value=figure(items),
            interval=paper_interval(items, figure, resamples=self.resamples),
            n=len(items),
            unit=f"{unit}, {scale}",
            data=data,
            tuned=TUNED[metric == "points"],
            chance=0.5 if scale == "AUC" else 0.0,
        )


def _counted_points(data: Sequence[Path]) -> Iterator[Labelled]:
    for line in labelled_lines(data, BORDERS):
        sentences = [(str(sentence[0]), sentence[1]) for sentence in line["sentences"]]
        text = " ".join(sentence for sentence, _ in sentences).replace("<sep>", "\n")
        yield Labelled(
            given=sum(point.polarity == "weakness" for point in points_of_text(text)),
            label=sum(mark == "B" for _, mark in sentences),
            length=len(words(text)),
            paper=str(line["paper"]),
        )
