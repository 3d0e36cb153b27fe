"""How well a value tells success from failure: within tasks, over all runs, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents_eval_core.errors import UndefinedMetricError

SEED: Final = 20261120
LOW, HIGH = 2.5, 97.5


class Scored(NamedTuple):
    """A run: its task, whether it succeeded, and what a metric says of it."""

    task: str
    success: bool
    value: float


class Area(NamedTuple):
    """An area under the curve, its 95 % interval over resampled tasks, and the runs that it rests on."""

    value: float
    interval: tuple[float, float] | None
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """How often the successes of each task lie above the failures of each task; equal values count half.

    Attributes:
        wins: Row: the success's task; column: the failure's.
        successes: By task.
        failures: By task.
    """

    wins: NDArray[np.float64]
    successes: NDArray[np.float64]
    failures: NDArray[np.float64]


def pair_counts(runs: Sequence[Scored]) -> PairCounts:
    """Return the counts over all pairs of a success and a failure, by task."""
    places = {task: place for place, task in enumerate(dict.fromkeys(run.task for run in runs))}
    task = np.array([places[run.task] for run in runs])
    value = np.array([run.value for run in runs])
    won = np.array([run.success for run in runs])
    above = (value[won][:, None] > value[~won][None, :]) + 0.5 * (value[won][:, None] == value[~won][None, :])
    wins = np.zeros((len(places), len(places)))
    np.add.at(wins, (task[won][:, None], task[~won][None, :]), above)
    count = len(places)
    return PairCounts(
        wins=wins,
        successes=np.bincount(task[won], minlength=count).astype(float),
        failures=np.bincount(task[~won], minlength=count).astype(float),
    )


def area_within_tasks(runs: Sequence[Scored], *, resamples: int) -> Area:
    """Return the mean over tasks with both outcomes of the chance that a success lies above a failure of the same task.

    Raises:
        UndefinedMetricError: No task has both outcomes.

    >>> def run(task: str, success: bool, value: float) -> Scored:
    ...     return Scored(task, success, value)
    >>> runs = [run("easy", True, 9), run("easy", False, 8), run("hard", True, 2), run("hard", False, 1)]
    >>> area_within_tasks(runs, resamples=0).value, area_over_all(runs, resamples=0).value
    (1.0, 0.75)
    """
    counts = pair_counts(runs)
    pairs = counts.successes * counts.failures
    mixed = pairs > 0
    if not mixed.any():
        raise UndefinedMetricError("area_within_tasks", because="no task has both a success and a failure")
    areas = np.diag(counts.wins)[mixed] / pairs[mixed]
    return Area(
        value=float(areas.mean()),
        interval=_interval(_drawn(len(areas), resamples) @ areas / len(areas)) if resamples else None,
        runs=int((counts.successes + counts.failures)[mixed].sum()),
    )


def area_over_all(runs: Sequence[Scored], *, resamples: int) -> Area:
    """Return the chance that any success lies above any failure, whatever their tasks: difficulty mixes in.

    Raises:
        UndefinedMetricError: There are not both successes and failures.
    """
    counts = pair_counts(runs)
    total = counts.successes.sum() * counts.failures.sum()
    if not total:
        raise UndefinedMetricError("area_over_all", because="there are not both successes and failures")
    return Area(value=float(counts.wins.sum() / total), interval=_pooled(counts, resamples), runs=len(runs))


def _pooled(counts: PairCounts, resamples: int) -> tuple[float, float] | None:
    if not resamples:
        return None
    drawn = _drawn(len(counts.successes), resamples)
    pairs = (drawn @ counts.successes) * (drawn @ counts.failures)
    wins = np.einsum("rs,st,rt->r", drawn, counts.wins, drawn, optimize=True)
    return _interval(wins[pairs > 0] / pairs[pairs > 0])


def _drawn(count: int, resamples: int) -> NDArray[np.float64]:
    """Return how often each task is drawn in each resample, from a fixed seed."""
    chances = np.full(count, 1 / count)
    return np.random.default_rng(SEED).multinomial(count, chances, size=resamples).astype(float)


def _interval(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.percentile(values, [LOW, HIGH])
    return float(low), float(high)
