"""Intervals over resampled tasks of any figure about labelled items."""

from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeVar

from agents_eval_evaluators.validity.intervals import Interval, clustered_interval

T = TypeVar("T")
SEED: Final = 20261120


def interval_over_tasks(
    items: Sequence[T],
    task: Callable[[T], Hashable],
    figure: Callable[[Sequence[T]], float | None],
    *,
    resamples: int,
) -> Interval:
    """Return the interval of a figure over resampled tasks."""
    return clustered_interval(items, task, figure, resamples=resamples, seed=SEED)
