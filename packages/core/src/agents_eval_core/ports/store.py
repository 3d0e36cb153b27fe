"""Where runs and their scores are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agents_eval_core.run import RunRecord
    from agents_eval_core.run_list import RunField, RunFilter, RunOrder, RunPage, ScoreAt
    from agents_eval_core.score import Score, Scorecard
    from agents_eval_core.trace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """How many runs of a sweep (None outside of any) and composition ended in one way, and their mean composite.

    Attributes:
        problem: The type of the error that ended them.
        scored: How many of them have a composite.
        mean: Of those; None where there is none.
    """

    sweep: str | None
    engine: str
    composition: str
    status: str
    problem: str | None
    runs: int
    scored: int
    mean: float | None


class Store(Protocol):
    """Where runs and their scores are kept and found again."""

    def begin(self, record: RunRecord) -> None:
        """Keep that a run was started; its status is `unfinished`."""
        ...

    def finish(self, record: RunRecord, trace: Trace | None, scorecard: Scorecard | None) -> None:
        """Keep a run, its spans and its scores in one transaction; what was kept of it before is replaced."""
        ...

    def rescore(self, record: RunRecord, scorecard: Scorecard) -> None:
        """Keep new scores of a run in one transaction; its spans stay as they are."""
        ...

    def record(self, run_id: str) -> RunRecord | None:
        """Return the run of exactly that id."""
        ...

    def records(self) -> Iterator[RunRecord]:
        """Yield all runs, newest first."""
        ...

    def page(self, wanted: RunFilter, order: RunOrder) -> RunPage:
        """Return a part of the wanted runs in an order, and how many there are."""
        ...

    def choices(self, field: RunField) -> tuple[str, ...]:
        """Return the values that runs have in a field, in order."""
        ...

    def scores_over_time(self, metric: str, wanted: RunFilter, newest: int) -> tuple[ScoreAt, ...]:
        """Return what the newest wanted runs scored in a metric, or their composites, the oldest first."""
        ...

    def metric_names(self, wanted: RunFilter, newest: int) -> tuple[str, ...]:
        """Return the names of what the newest wanted runs scored, in order."""
        ...

    def of_sweep(self, sweep: str) -> Iterator[RunRecord]:
        """Yield the runs of a sweep or batch, by composition."""
        ...

    def scores_of_sweep(self, sweep: str) -> Iterator[tuple[str, Score]]:
        """Yield the scores of a sweep's runs with the runs' ids, without measures and evidence."""
        ...

    def groups(self) -> Iterator[RunGroup]:
        """Yield how many runs there are of each kind."""
        ...

    def missing_scores(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield metric, reason, type of error and number of the scores without a value, the most frequent first."""
        ...

    def find(self, prefix: str) -> tuple[RunRecord, ...]:
        """Return the runs whose id begins so, newest first."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...
