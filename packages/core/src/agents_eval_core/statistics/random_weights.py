"""Whether a ranking by a weighted mean survives other weights."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

DRAWS: Final = 10_000
SEED: Final = 20_170_428
FLIPS_ALLOWED: Final = 0.05
TIE: Final = 1e-12


def flips(differences: Sequence[float], weights: Sequence[float]) -> float | None:
    """Return the share of random weights under which the other side is ahead.

    Weights are drawn uniformly from all that are not negative and sum to 1 (a flat Dirichlet distribution).

    Args:
        differences: The mean difference of each part.
        weights: Those in use, with the same order.

    Returns:
        In [0, 1]; None where the sides are level by the weights in use, so that nothing can flip.

    >>> flips([0.1, 0.2], [1, 1]), round(flips([0.1, -0.1], [0.6, 0.4]) or 0, 1), flips([0.0], [1])
    (0.0, 0.5, None)
    """
    parts = np.array(differences)
    difference = float(parts @ np.array(weights, dtype=np.float64))
    if abs(difference) < TIE:
        return None
    drawn = _weights(len(parts)) @ parts
    return float((drawn * np.sign(difference) < -TIE).mean())


def first_places(means: Sequence[Sequence[float]]) -> list[float]:
    """Return in which share of random weights each side is first; a shared first place counts in parts.

    Args:
        means: For each side the mean of each part, in the same order.

    >>> first_places([[0.5, 0.5], [0.6, 0.7]])
    [0.0, 1.0]
    """
    sides = np.array(means, dtype=np.float64)
    composites = _weights(sides.shape[1]) @ sides.T
    firsts = composites >= composites.max(axis=1, keepdims=True) - TIE
    return [float(share) for share in (firsts / firsts.sum(axis=1, keepdims=True)).mean(axis=0)]


def _weights(parts: int) -> NDArray[np.float64]:
    return np.random.default_rng(SEED).dirichlet(np.ones(parts), size=DRAWS)
