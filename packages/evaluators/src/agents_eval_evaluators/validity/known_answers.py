"""Whether tier 1 puts texts in the order that is known: the human review above what only looks like one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Final, TypeVar

from agents_eval_core.errors import PaperError
from agents_eval_core.ports import ValidityFigure
from agents_eval_evaluators.calibration.agreement_table import DEFAULT_VENUE, shipped_table
from agents_eval_evaluators.validity.data_folders import cases_among, reviews_among
from agents_eval_evaluators.validity.intervals import bootstrap_interval
from agents_eval_evaluators.validity.known_ladder import (
    Judged,
    Ladder,
    cross_fitted_ladders,
    judged_reviews,
)
from agents_eval_evaluators.validity.known_texts import CHANGED, FURTHER, HALF, LOSING

VENUES: Final = ("iclr_2017", "neurips_2025")
WITHOUT_PAPERS: Final = "acl_2017"
CRITICAL: Final = ("empty", "unreadable", "copied", "shuffled", "negated", "off_paper")
WARNINGS: Final = ("quotes", "near_reference", "repeated", "generic")
NEED_PAPER: Final = frozenset({"off_paper", "generic", "quotes"})
GAIN: Final = 0.01
T = TypeVar("T")
Reviews = Sequence[Judged]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAnswers:
    """Measures the ladder of known answers and the false alarms on human reviews.

    Each review is judged with tables that were fitted on the other half of the papers, and held against the other
    reviews of its paper. Texts are ordered by (no critical finding, mean of `output_similarity` and `task_success`).
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
            ladders = tuple(cross_fitted_ladders(cases, venue))
            yield from self._ladder_figures(ladders, f"{venue}, {len(ladders)} papers, tables of the other half")
        cases = reviews_among(data, WITHOUT_PAPERS)
        if cases:
            reviews = tuple(judged_reviews(cases, shipped_table(DEFAULT_VENUE)))
            tested = f"{WITHOUT_PAPERS}, {len(reviews)} papers without their texts, tables of {DEFAULT_VENUE}"
            yield from self._alarms(reviews, tested, without=NEED_PAPER)

    def _ladder_figures(self, ladders: Sequence[Ladder], data: str) -> Iterator[ValidityFigure]:
        for name in (*LOSING, *FURTHER):
            yield self._figure("tier_1", f"the human review lies above {name}", ladders, _wins(name), data)
        yield self._figure("tier_1", "the human review lies above all of the first six", ladders, _wins_all, data)
        yield self._figure("task_success", f"the human review lies above {HALF}", ladders, _wins(HALF, _success), data)
        for name in CHANGED:
            gains = _gains(name)
            yield self._figure("tier_1", f"{name}: gains more than {GAIN}", ladders, gains, data)
            yield self._figure("tier_1", f"{name}: mean change", ladders, _mean_change(name), data, unit="points")
        yield from self._alarms([ladder.reviews for ladder in ladders], data)

    def _alarms(
        self, papers: Sequence[Reviews], data: str, without: frozenset[str] = frozenset()
    ) -> Iterator[ValidityFigure]:
        reviews = sum(map(len, papers))
        for kind, names in (("critical", CRITICAL), ("warning", WARNINGS)):
            for name in (name for name in names if name not in without):
                yield self._figure(
                    "output_faults",
                    f"false alarms of {name} ({kind})",
                    papers,
                    _alarm(frozenset({name})),
                    data,
                    count=reviews,
                )
        every = _alarm(frozenset(CRITICAL))
        yield self._figure("output_faults", "false alarms, any critical one", papers, every, data, count=reviews)

    def _figure(
        self,
        metric: str,
        measure: str,
        papers: Sequence[T],
        figure: Callable[[Sequence[T]], float],
        data: str,
        *,
        unit: str = "share",
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


def _wins(name: str, key: Callable[[Judged], float] | None = None) -> Callable[[Sequence[Ladder]], float]:
    def share(ladders: Sequence[Ladder]) -> float:
        return sum(_is_above(ladder, name, key) for ladder in ladders) / len(ladders)

    return share


def _is_above(ladder: Ladder, name: str, key: Callable[[Judged], float] | None = None) -> bool:
    if key is not None:
        return key(ladder.human) > key(ladder.made[name])
    return ladder.human.rank > ladder.made[name].rank


def _wins_all(ladders: Sequence[Ladder]) -> float:
    return sum(all(_is_above(ladder, name) for name in LOSING) for ladder in ladders) / len(ladders)


def _success(judged: Judged) -> float:
    return judged.success


def _gains(name: str) -> Callable[[Sequence[Ladder]], float]:
    def share(ladders: Sequence[Ladder]) -> float:
        return sum(_change(ladder, name) > GAIN for ladder in ladders) / len(ladders)

    return share


def _mean_change(name: str) -> Callable[[Sequence[Ladder]], float]:
    def mean(ladders: Sequence[Ladder]) -> float:
        return fsum(_change(ladder, name) for ladder in ladders) / len(ladders)

    return mean


def _change(ladder: Ladder, name: str) -> float:
    return ladder.made[name].mean - ladder.human.mean


def _alarm(names: frozenset[str]) -> Callable[[Sequence[Reviews]], float]:
    def share(papers: Sequence[Reviews]) -> float:
        accused = sum(not names.isdisjoint(one.critical | one.warnings) for reviews in papers for one in reviews)
        return accused / sum(map(len, papers))

    return share
