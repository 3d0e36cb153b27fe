"""Intervals by bootstrap over papers, tasks, or whatever belongs together."""

import random
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from statistics import quantiles
from typing import Final, TypeVar

SEED: Final = 20170424
FORTIETHS: Final = 40
T = TypeVar("T")
R = TypeVar("R", bound=float | None)
Interval = tuple[float, float] | None


def bootstrap_interval(
    papers: Sequence[T], figure: Callable[[Sequence[T]], float | None], *, resamples: int, seed: int = SEED
) -> Interval:
    """Return the 95 % percentile interval of a figure over resampled papers, from a fixed seed.

    Draws in which the figure has no value are left out; without two values there is no interval.
    """
    draw = random.Random(seed)  # noqa: S311  statistics, no secret
    drawn = (figure(draw.choices(papers, k=len(papers))) for _ in range(resamples))
    values = [value for value in drawn if value is not None]
    if len(values) < 2:  # noqa: PLR2004  quantiles need two
        return None
    cuts = quantiles(values, n=FORTIETHS, method="inclusive")
    return cuts[0], cuts[-1]


def clustered_interval(
    items: Sequence[T],
    cluster: Callable[[T], Hashable],
    figure: Callable[[Sequence[T]], float | None],
    *,
    resamples: int,
    seed: int,
) -> Interval:
    """Return the same for a figure about items, of which those of one paper or task are drawn together."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(cluster(item), []).append(item)
    return bootstrap_interval(list(groups.values()), over_all(figure), resamples=resamples, seed=seed)


def over_all(figure: Callable[[Sequence[T]], R]) -> Callable[[Sequence[Sequence[T]]], R]:
    """Return a figure about items as one about groups of them.

    >>> over_all(sum)([[1, 2], [3]])
    6
    """
    return lambda groups: figure(list(chain.from_iterable(groups)))
