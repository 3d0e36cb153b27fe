"""Whether a sweep may stop early: the conclusion about one metric, looked at after every paper."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import fsum
from typing import Final

from agents_eval_core.comparison import Conclusion
from agents_eval_core.statistics.sequential import SequentialComparison, Stop
from agents_eval_core.sweep import SweepOrder
from agents_eval_core.sweep_outcome import CellOutcome

ERROR: Final = 0.05  # of any false conclusion, over all candidates and all looks
UNDECIDED: Final[Conclusion] = "not enough data"
System = tuple[str, str]
Cells = list[float | None]


class EarlyStop:
    """Watches one metric of a sweep, and says when it needs no further paper.

    The first system is the baseline, each other a candidate. Papers count in the order in which the sweep takes them,
    each as soon as all of its cells have ended, with the difference of the means over repetitions; a paper that one of
    the two has no value for is passed over. The conclusions hold although it is looked at after every paper: the
    allowed error is shared equally among the candidates, and each has an anytime-valid interval.
    """

    def __init__(self, order: SweepOrder, metric: str, ended: Iterable[CellOutcome] = ()) -> None:
        self._metric = metric
        self._repetitions = order.plan.repetitions
        self._papers = order.papers
        self._baseline, *candidates = ((system.engine, system.composition) for system in order.systems)
        confidence = 1 - ERROR / len(candidates)
        self._comparisons = {
            candidate: SequentialComparison(margin=order.plan.margin, confidence=confidence) for candidate in candidates
        }
        self._next = 0
        self._values: defaultdict[str, defaultdict[System, Cells]] = defaultdict(lambda: defaultdict(list))
        for cell in ended:
            if cell.state in ("done", "failed"):
                self.add(cell.paper, (cell.engine, cell.composition), cell.scores)

    def add(self, paper: str, system: System, scores: Mapping[str, float]) -> None:
        """Take a cell that ended into account, with the scores that have a value; of a failed one there are none."""
        self._values[paper][system].append(scores.get(self._metric))
        while self._next < len(self._papers) and self._has_ended(self._papers[self._next]):
            self._look_at(self._papers[self._next])
            self._next += 1

    def answer(self) -> str:
        """Return what was concluded of every candidate, in words; empty where one is undecided."""
        stops = {candidate: comparison.stop for candidate, comparison in self._comparisons.items()}
        if any(stop.conclusion == UNDECIDED for stop in stops.values()):
            return ""
        return "; ".join(self._told(stops))

    def _told(self, stops: dict[System, Stop]) -> Iterator[str]:
        for candidate, stop in stops.items():
            relation = "equivalent to" if stop.conclusion == "equivalent" else f"{stop.conclusion} than"
            yield (
                f"{candidate[1] or candidate[0]} is {relation} {self._baseline[1] or self._baseline[0]} in "
                f"{self._metric} [{stop.low:+.2f}, {stop.high:+.2f}] after {stop.papers} papers"
            )

    def _has_ended(self, paper: str) -> bool:
        cells = self._values[paper]
        return all(len(cells[system]) >= self._repetitions for system in (self._baseline, *self._comparisons))

    def _look_at(self, paper: str) -> None:
        means = {system: _mean(cells) for system, cells in self._values.pop(paper).items()}
        baseline = means[self._baseline]
        for candidate, comparison in self._comparisons.items():
            mean = means[candidate]
            if mean is not None and baseline is not None:
                comparison.add(mean - baseline)


def _mean(cells: Cells) -> float | None:
    known = [value for value in cells if value is not None]
    return fsum(known) / len(known) if known else None
