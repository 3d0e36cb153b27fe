"""Intervals by bootstrap over papers."""

import random
from collections.abc import Callable, Sequence
from statistics import quantiles
from typing import Final, TypeVar

SEED: Final = 20170424
FORTIETHS: Final = 40
T = TypeVar("T")


def bootstrap_interval(
    papers: Sequence[T], figure: Callable[[Sequence[T]], float], *, resamples: int
) -> tuple[float, float] | None:
    """Return the 95 % percentile interval over resampled papers, from a fixed seed; None without resamples."""
    if not resamples:
        return None
    draw = random.Random(SEED)  # noqa: S311  statistics, no secret
    values = [figure(draw.choices(papers, k=len(papers))) for _ in range(resamples)]
    cuts = quantiles(values, n=FORTIETHS, method="inclusive")
    return cuts[0], cuts[-1]
