"""How far judges agree: with themselves, with one another, and with people."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist

from agents_eval_core.errors import UndefinedMetricError


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """A kappa with its interval, from `n` items rated by two."""

    value: float
    low: float
    high: float
    n: int


def weighted_kappa(first: Sequence[int], second: Sequence[int], *, levels: int, confidence: float = 0.95) -> Kappa:
    """Return the agreement of two raters beyond chance, where a distance of two levels counts four times one of one.

    Quadratic weights: 1 - (i - j)^2 / (levels - 1)^2. The interval rests on the large-sample standard error; below some
    thirty items it is too narrow.

    Args:
        first: The levels that one gave, from 0 to `levels` - 1.
        second: Those of the other, for the same items in the same order.
        levels: How many there are, at least 2.
        confidence: Between 0 and 1, both excluded.

    Raises:
        UndefinedMetricError: There are fewer than two items, or both raters gave every item one and the same level.

    References:
        Cohen (1968); Fleiss, Cohen and Everitt, Psychological Bulletin 72 (1969), for the standard error.

    >>> round(weighted_kappa([0, 1, 2, 2], [0, 1, 2, 1], levels=3).value, 3)
    0.8
    """
    n = len(first)
    pairs = Counter(zip(first, second, strict=True))
    if n < 2:  # noqa: PLR2004  one item has no agreement beyond chance
        raise UndefinedMetricError("kappa", because=f"it needs two items and there are {n}")
    rows, columns = Counter(first), Counter(second)
    weight = [[1 - ((i - j) / (levels - 1)) ** 2 for j in range(levels)] for i in range(levels)]
    row_mean = [fsum(weight[i][j] * columns[j] / n for j in range(levels)) for i in range(levels)]
    column_mean = [fsum(weight[i][j] * rows[i] / n for i in range(levels)) for j in range(levels)]
    observed = fsum(count / n * weight[i][j] for (i, j), count in pairs.items())
    expected = fsum(rows[i] / n * row_mean[i] for i in range(levels))
    if expected >= 1:
        raise UndefinedMetricError("kappa", because="both raters gave every item the same level")
    value = (observed - expected) / (1 - expected)
    squares = fsum(
        count / n * (weight[i][j] - (row_mean[i] + column_mean[j]) * (1 - value)) ** 2
        for (i, j), count in pairs.items()
    )
    variance = max(0.0, squares - (value - expected * (1 - value)) ** 2) / (n * (1 - expected) ** 2)
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(variance)
    return Kappa(value=value, low=max(-1.0, value - margin), high=min(1.0, value + margin), n=n)


def krippendorff_alpha(ratings: Sequence[Sequence[float | None]]) -> float | None:
    """Return Krippendorff's alpha for interval data: 1 is full agreement, 0 is that of chance, below 0 is worse.

    Args:
        ratings: A row for each unit, in it the ratings of the raters; None is no rating. Rows with fewer than two
            ratings say nothing and are left out.

    Returns:
        None where fewer than two ratings can be paired, or where all are equal: without variation there is nothing to
        agree about.

    References:
        Krippendorff, "Content Analysis", chapter on reliability.

    >>> round(krippendorff_alpha([[1, 1], [2, 2], [3, 3], [3, 3], [2, 2], [1, 2]]), 3)
    0.867
    """
    units = [known for row in ratings if len(known := [one for one in row if one is not None]) > 1]
    values = [value for unit in units for value in unit]
    count = len(values)
    if not values or min(values) == max(values):
        return None
    total = _pair_distances(values) / (count * (count - 1))
    within = fsum(_pair_distances(unit) / (len(unit) - 1) for unit in units) / count
    return 1 - within / total


def _pair_distances(values: Sequence[float]) -> float:
    """Return the sum of squared differences over ordered pairs."""
    mean = fsum(values) / len(values)
    return 2 * len(values) * fsum((value - mean) ** 2 for value in values)


def majority_share(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Return the mean share of the raters that gave a unit its commonest rating; None without units.

    It is 1 for full agreement and at least 1 / (number of ratings). Chance is not taken out.

    >>> majority_share([[5, 5, 5], [4, 4, 2]])
    0.8333333333333333
    """
    shares = [max(Counter(unit).values()) / len(unit) for unit in units if unit]
    return fsum(shares) / len(shares) if shares else None


def flip_rate(repeats: Sequence[Sequence[Hashable]]) -> float | None:
    """Return how often a rater that is asked again differs from its own commonest answer; None without repeats.

    For two answers of which one has the share p it is 1 - max(p, 1 - p), between 0 and 0.5.

    >>> flip_rate([[4, 4, 4, 5], [2, 2, 2, 2]])
    0.125
    """
    share = majority_share(repeats)
    return None if share is None else 1 - share
