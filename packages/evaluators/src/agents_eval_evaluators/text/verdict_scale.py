"""How far human reviewers of one paper lie apart in their ratings, by venue."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from statistics import fmean
from typing import Final, Literal

from pydantic import Field

from agents_eval_core.case import Case
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.frozen import Frozen
from agents_eval_core.review import Rating, Scale
from agents_eval_evaluators.calibration.venue_tables import own_table, shipped_in

CALIBRATION: Final = "verdict_scale"
DIGITS: Final = 6
FEWEST_RATINGS: Final = 2


class VerdictScale(Frozen):
    """A venue's gaps between a reviewer's rating and the mean of the paper's others, in points of its scale.

    Attributes:
        gaps: All gaps, sorted.
        mean_rating: The mean of all ratings: what somebody would say who never reads a paper.
        baseline_mean: The agreement that always saying the mean has, on average.
        baseline_random: The agreement that a rating of another paper has, on average.
    """

    schema_name: Literal["agents-eval/verdict-scale/1"] = Field(alias="schema")
    venue: str
    source: str
    fitted_on: str
    papers: int
    rating_scale: Scale
    gaps: tuple[float, ...]
    mean_rating: float
    baseline_mean: float
    baseline_random: float

    def agreement(self, gap: float) -> float:
        """Return the share of human gaps that are at least as large, equal ones counting half.

        A typical human has 0.5; a gap of 0 has less than 1 where humans agree exactly, too.
        """
        return agreement(gap, self.gaps)


def agreement(gap: float, gaps: Sequence[float]) -> float:
    """Return the mid-rank share of sorted gaps that a gap is below.

    >>> agreement(1.0, (0.0, 1.0, 1.0, 3.0))
    0.5
    """
    return 1 - (bisect_left(gaps, gap) + bisect_right(gaps, gap)) / (2 * len(gaps))


def human_gap(rating: float, others: Sequence[float]) -> float:
    """Return how far a rating lies from the mean of the others, rounded so that equal gaps are equal.

    >>> human_gap(6, [3, 8])
    0.5
    """
    return round(abs(rating - fmean(others)), DIGITS)


def fit_verdict_scale(cases: Iterable[Case], venue: str, *, source: str, fitted_on: str) -> VerdictScale:
    """Return a venue's scale; papers with fewer than two ratings say nothing.

    Raises:
        UndefinedMetricError: No paper has two ratings, or they are on several scales.
    """
    groups = [ratings for case in cases if len(ratings := _ratings(case)) >= FEWEST_RATINGS]
    scales = {(rating.scale.lowest, rating.scale.highest) for group in groups for rating in group}
    if len(scales) != 1:
        raise UndefinedMetricError(
            "verdict_agreement", because=f"{venue!r} has {len(groups)} papers with two ratings, on {len(scales)} scales"
        )
    lowest, highest = scales.pop()
    values = [[rating.value for rating in group] for group in groups]
    gaps = sorted(gap for group in values for gap in _gaps(group))
    every = [value for group in values for value in group]
    mean = fmean(every)
    means = [human_gap(mean, _others(group, place)) for group in values for place in range(len(group))]
    strangers = [human_gap(value, group) for place, group in enumerate(values) for value in values[place - 1]]
    return VerdictScale(
        schema="agents-eval/verdict-scale/1",
        venue=venue,
        source=source,
        fitted_on=fitted_on,
        papers=len(groups),
        rating_scale=Scale(lowest=lowest, highest=highest),
        gaps=tuple(gaps),
        mean_rating=round(mean, DIGITS),
        baseline_mean=round(fmean(agreement(gap, gaps) for gap in means), DIGITS),
        baseline_random=round(fmean(agreement(gap, gaps) for gap in strangers), DIGITS),
    )


def _ratings(case: Case) -> list[Rating]:
    return [review.rating for review in case.references if review.rating is not None]


def _gaps(values: Sequence[float]) -> list[float]:
    return [human_gap(value, _others(values, place)) for place, value in enumerate(values)]


def _others(values: Sequence[float], place: int) -> list[float]:
    return [*values[:place], *values[place + 1 :]]


def venue_verdict_scale(venue: str, tables: Path | None = None) -> VerdictScale | None:
    """Return the scale of a venue: the user's own, else the one that comes with the package, else None.

    Raises:
        SettingsError: There is one of the user's own and it cannot be read.
    """
    return own_table(tables, CALIBRATION, venue, VerdictScale) or shipped_verdict_scale(venue)


@cache
def shipped_verdict_scale(venue: str) -> VerdictScale | None:
    """Return the scale of a venue that comes with the package, or None: gaps of one venue say nothing of another.

    >>> shipped_verdict_scale("iclr_2017").rating_scale.highest, shipped_verdict_scale("somewhere_1999")
    (10.0, None)
    """
    return shipped_in(resources.files("agents_eval_evaluators.text") / "verdict_scales", venue, VerdictScale)
