"""Whether tier 1 puts texts in the order that is known: the human review above what only looks like one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from typing import Final, TypeVar

from agents_eval_core.errors import PaperError
from agents_eval_core.ports.validation import ValidityFigure
from agents_eval_evaluators.calibration.agreement_table import DEFAULT_VENUE, shipped_table
from agents_eval_evaluators.validity.data_folders import cases_among, reviews_among
from agents_eval_evaluators.validity.intervals import bootstrap_interval
from agents_eval_evaluators.validity.known_ladder import (
    Judged,
    Ladder,
    cross_fitted_ladders,
    half_ladders,
    ladders,
)
from agents_eval_evaluators.validity.known_texts import CHANGED, FURTHER, HALF, LOSING, MISSED
from agents_eval_evaluators.validity.predecessor import predecessor_success

VENUES: Final = ("iclr_2017", "neurips_2025")
WITHOUT_PAPERS: Final = "acl_2017"
CRITICAL: Final = ("empty", "unreadable", "copied", "shuffled", "negated", "off_paper")
WARNINGS: Final = ("quotes", "near_reference", "repeated", "generic")
NEED_PAPER: Final = frozenset({"copied", "off_paper", "generic", "quotes"})
FITTED: Final[Mapping[str, str]] = {
    "iclr_2017": "the other half of the venue's papers",
    "neurips_2025": "the other half of the venue's papers",
    WITHOUT_PAPERS: f"{DEFAULT_VENUE} (the shipped tables)",
}
TUNED: Final[Mapping[str, str]] = {
    "iclr_2017": "these papers: forms and the rule about titles on one half of them, margins of findings on all",
    "neurips_2025": "iclr_2017; the margins of findings on these papers too",
    WITHOUT_PAPERS: "iclr_2017 and neurips_2025",
}
GAIN: Final = 0.01
TEST_HALF: Final = 1
EVERY: Final = 6
BEFORE: Final = "predecessor"
T = TypeVar("T")
Reviews = Sequence[Judged]
Order = Callable[[Judged], tuple[bool, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAnswers:
    """Measures the ladder of known answers and the false alarms on human reviews.

    Each review is judged with tables that were fitted on the other half of the papers, and held against the other
    reviews of its paper. Texts are ordered by (no critical finding, mean of `output_similarity` and `task_success`); a
    text is above another where it is strictly so. What the program before this one made of the same texts stands beside
    it.
    """

    name: str = "known_answers"
    resamples: int = 1000
    venues: tuple[str, ...] = VENUES

    def figures(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the figures of each venue that is there; ACL 2017, which has no papers' texts, with ICLR's tables.

        Raises:
            PaperError: No venue is there.
        """
        found = False
        for venue in self.venues:
            try:
                cases = cases_among(data, venue)
            except PaperError:
                if venue == self.venues[-1] and not found:
                    raise
                continue
            found = True
            yield from self._of_venue(tuple(cross_fitted_ladders(cases, venue)), venue)
        paperless = reviews_among(data, WITHOUT_PAPERS)
        if paperless:
            made = tuple(ladders(paperless, shipped_table(DEFAULT_VENUE), fewest_reviews=2))
            yield from self._of_venue(made, WITHOUT_PAPERS, without=NEED_PAPER)

    def checks(self, data: Sequence[Path]) -> Iterator[ValidityFigure]:
        """Yield the ladder on every sixth paper of one half of ICLR 2017, with tables of the other half.

        Raises:
            PaperError: The venue is not there.
        """
        some = tuple(half_ladders(cases_among(data, VENUES[0]), VENUES[0], TEST_HALF, EVERY))
        quick = replace(self, resamples=0)
        for figure in quick._of_venue(some, VENUES[0]):  # noqa: SLF001  its own
            yield replace(figure, half="test half", data=f"{figure.data}, every sixth")

    def _of_venue(
        self, made: Sequence[Ladder], venue: str, without: frozenset[str] = frozenset()
    ) -> Iterator[ValidityFigure]:
        data = f"{venue}, {len(made)} papers"
        for figure in (*self._ladder_figures(made, data), *self._alarms(made, data, without)):
            yield replace(figure, fitted=FITTED[venue], tuned=TUNED[venue])

    def _ladder_figures(self, made: Sequence[Ladder], data: str) -> Iterator[ValidityFigure]:
        there = made[0].made.keys()
        six = [name for name in LOSING if name in there]
        for metric, order in (("tier_1", _rank), (BEFORE, _before)):
            for name in (name for name in (*LOSING, *FURTHER, *MISSED) if name in there):
                known_miss = " (a known miss)" if name in MISSED else ""
                measure = f"the human review lies above {name}{known_miss}"
                yield self._figure(metric, measure, made, _wins([name], order), data)
            measure = f"the human review lies above all of the first {len(six)} at once"
            yield self._figure(metric, measure, made, _wins(six, order), data)
        if made[0].human.success is not None:
            measure = f"the human review lies above {HALF}"
            yield self._figure("task_success", measure, made, _wins([HALF], _success), data)
        for metric, value in (("tier_1", _mean), (BEFORE, _similarity_before)):
            for name in (name for name in CHANGED if name in there):
                gains, change = _gains(name, value), _mean_change(name, value)
                yield self._figure(metric, f"{name}: gains more than {GAIN}", made, gains, data)
                yield self._figure(metric, f"{name}: mean change", made, change, data, unit="papers, points")
        for name in (name for name in (*LOSING, *FURTHER, *MISSED) if name in there):
            yield self._figure("output_faults", f"critical findings in {name}", made, _found(name), data)

    def _alarms(self, made: Sequence[Ladder], data: str, without: frozenset[str]) -> Iterator[ValidityFigure]:
        papers = [ladder.reviews for ladder in made]
        asked = [(f"false alarms of {name} (critical)", {name}) for name in CRITICAL if name not in without]
        asked += [(f"false alarms of {name} (warning)", {name}) for name in WARNINGS if name not in without]
        asked.append(("false alarms, any critical one", set(CRITICAL)))
        for measure, names in asked:
            alarm, reviews = _alarm(frozenset(names)), sum(map(len, papers))
            yield self._figure("output_faults", measure, papers, alarm, data, unit="reviews, share", count=reviews)

    def _figure(
        self,
        metric: str,
        measure: str,
        papers: Sequence[T],
        figure: Callable[[Sequence[T]], float],
        data: str,
        *,
        unit: str = "papers, share",
        count: int | None = None,
    ) -> ValidityFigure:
        return ValidityFigure(
            metric=metric,
            measure=measure,
            value=figure(papers),
            interval=bootstrap_interval(papers, figure, resamples=self.resamples),
            n=len(papers) if count is None else count,
            unit=unit,
            data=data,
        )


def _rank(judged: Judged) -> tuple[bool, float]:
    return judged.rank


def _success(judged: Judged) -> tuple[bool, float]:
    return True, judged.success or 0.0


def _before(judged: Judged) -> tuple[bool, float]:
    return True, _similarity_before(judged)


def _similarity_before(judged: Judged) -> float:
    """Return the mean of what it called similarity and success: the former counted twice."""
    similarity = judged.predecessor or 0.0
    return (similarity + predecessor_success(similarity)) / 2


def _mean(judged: Judged) -> float:
    return judged.mean


def _wins(names: Sequence[str], order: Order) -> Callable[[Sequence[Ladder]], float]:
    def share(made: Sequence[Ladder]) -> float:
        won = (all(order(ladder.human) > order(ladder.made[name]) for name in names) for ladder in made)
        return sum(won) / len(made)

    return share


def _gains(name: str, value: Callable[[Judged], float]) -> Callable[[Sequence[Ladder]], float]:
    def share(made: Sequence[Ladder]) -> float:
        return sum(value(ladder.made[name]) - value(ladder.human) > GAIN for ladder in made) / len(made)

    return share


def _mean_change(name: str, value: Callable[[Judged], float]) -> Callable[[Sequence[Ladder]], float]:
    def mean(made: Sequence[Ladder]) -> float:
        return fsum(value(ladder.made[name]) - value(ladder.human) for ladder in made) / len(made)

    return mean


def _found(name: str) -> Callable[[Sequence[Ladder]], float]:
    def share(made: Sequence[Ladder]) -> float:
        return sum(bool(ladder.made[name].critical) for ladder in made) / len(made)

    return share


def _alarm(names: frozenset[str]) -> Callable[[Sequence[Reviews]], float]:
    def share(papers: Sequence[Reviews]) -> float:
        accused = sum(not names.isdisjoint(one.critical | one.warnings) for reviews in papers for one in reviews)
        return accused / sum(map(len, papers))

    return share
