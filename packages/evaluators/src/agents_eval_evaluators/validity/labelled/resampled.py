"""Intervals over resampled tasks of any figure about labelled items."""

import random
from collections.abc import Callable, Hashable, Sequence
from statistics import quantiles
from typing import Final, TypeVar

T = TypeVar("T")
SEED: Final = 20261120
FORTIETHS: Final = 40


def interval_over_tasks(
    items: Sequence[T],
    task: Callable[[T], Hashable],
    figure: Callable[[Sequence[T]], float | None],
    *,
    resamples: int,
) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of a figure over resampled tasks, from a fixed seed.

    Draws in which the figure has no value are left out; without two values there is no interval.
    """
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(task(item), []).append(item)
    clusters = list(groups.values())
    draw = random.Random(SEED)  # noqa: S311  statistics, no secret
    samples = ([item for group in draw.choices(clusters, k=len(clusters)) for item in group] for _ in range(resamples))
    values = [value for sample in samples if (value := figure(sample)) is not None]
    if len(values) < 2:  # noqa: PLR2004  quantiles need two
        return None
    cuts = quantiles(values, n=FORTIETHS, method="inclusive")
    return cuts[0], cuts[-1]
