"""The ways in which the signs of a few differences can be reversed."""

import numpy as np
from numpy.typing import NDArray


def sign_patterns(papers: int) -> NDArray[np.float64]:
    """Return all patterns of signs, one a row, that leave the first sign as it is.

    The mirror image of a pattern gives the same absolute sum, so half of them are enough.

    >>> sign_patterns(2).tolist()
    [[1.0, 1.0], [1.0, -1.0]]
    """
    numbers = np.arange(2 ** max(papers - 1, 0), dtype=np.int64)[:, None] << 1
    bits = np.right_shift(numbers, np.arange(papers, dtype=np.int64)) & 1
    return (1.0 - 2.0 * bits).astype(np.float64)
