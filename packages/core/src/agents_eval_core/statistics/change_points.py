"""Change points: where a series of values begins to lie elsewhere than before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FEWEST: Final = 5  # values on each side of a change
RESAMPLES: Final = 999
SEED: Final = 20_170_424


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoint:
    """Where the mean changed: the place of the first value after it, and the means of the stretches on both sides."""

    place: int
    before: float
    after: float
    p: float


def change_points(values: Sequence[float], *, level: float = 0.01) -> tuple[ChangePoint, ...]:
    """Return where the mean of a series changed, in order.

    The series is cut where the standardised difference of the means is the largest, if fewer than `level` of its random
    orders have one as large; then each part is looked at in the same way. At least five values lie on each side of a
    cut, so shorter series than ten have none.

    Args:
        values: In the order of time.
        level: How probable one cut is where nothing changed.

    References:
        Page, "Continuous inspection schemes" (1954); Scott and Knott (1974) for cutting again; the level of each cut
        comes from random orders, as in Matteson and James (2014).

    >>> [(cut.place, cut.before, cut.after) for cut in change_points([0.0, 0.1] * 6 + [1.0, 0.9] * 6)]
    [(12, 0.05, 0.95)]
    """
    series = np.asarray(values, dtype=np.float64)
    places = _places(series, 0, level, np.random.default_rng(SEED))
    ends = [0, *(place for place, _ in places), len(series)]
    return tuple(
        ChangePoint(
            place=place,
            before=round(float(series[ends[number] : place].mean()), 12),
            after=round(float(series[place : ends[number + 2]].mean()), 12),
            p=p,
        )
        for number, (place, p) in enumerate(places)
    )


def _places(
    series: NDArray[np.float64], offset: int, level: float, chance: np.random.Generator
) -> list[tuple[int, float]]:
    if len(series) < 2 * FEWEST:
        return []
    sizes = _sizes(series[np.newaxis, :])[0]
    largest = float(sizes.max())
    if largest <= 0.0:
        return []
    shuffled = chance.permuted(np.broadcast_to(series, (RESAMPLES, len(series))), axis=1)
    as_large = int((_sizes(shuffled).max(axis=1) >= largest).sum())
    p = (1 + as_large) / (1 + RESAMPLES)
    if p > level:
        return []
    cut = FEWEST + int(sizes.argmax())
    return [
        *_places(series[:cut], offset, level, chance),
        (offset + cut, p),
        *_places(series[cut:], offset + cut, level, chance),
    ]


def _sizes(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each row and cut how far the means on its sides lie apart, in units that make cuts comparable."""
    number = int(rows.shape[1])
    cuts: NDArray[np.int64] = np.arange(FEWEST, number - FEWEST + 1, dtype=np.int64)
    centred = rows - rows.mean(axis=1, keepdims=True)
    sums = np.cumsum(centred, axis=1)[:, cuts - 1]
    sizes: NDArray[np.float64] = np.abs(sums) / np.sqrt(cuts * (number - cuts) / number)
    return np.where(sizes < 1e-12, 0.0, sizes)  # noqa: PLR2004  rounding of equal values
