"""Many series computed together: those of the same length share what is drawn at random."""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.float64]


def by_length(series: Sequence[Sequence[float]], compute: Callable[[Columns], NDArray[np.float64]]) -> list[float]:
    """Return one number for each series, computed for all series of one length at once.

    Args:
        series: Of any lengths.
        compute: From a matrix with one series a column to one number a column.

    >>> by_length([[1.0, 2.0], [5.0], [3.0, 5.0]], lambda columns: columns.mean(axis=0))
    [1.5, 5.0, 4.0]
    """
    places: defaultdict[int, list[int]] = defaultdict(list)
    for index, each in enumerate(series):
        places[len(each)].append(index)
    found = [0.0] * len(series)
    for indices in places.values():
        results = compute(np.array([series[index] for index in indices], dtype=np.float64).T)
        for index, result in zip(indices, results, strict=True):
            found[index] = float(result)
    return found
