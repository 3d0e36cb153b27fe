"""How much one quantity changes with another: the slope of a straight line."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.student_t import critical_t


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """The slope of a straight line with its interval."""

    value: float
    low: float
    high: float
    n: int


def slope(x: Sequence[float], y: Sequence[float], confidence: float = 0.95) -> Slope:
    """Return the least-squares slope of y on x.

    Raises:
        UndefinedMetricError: There are fewer than three points, or x does not vary.

    >>> round(slope([1, 2, 3, 4], [1.1, 1.9, 3.1, 3.9]).value, 2)
    0.96
    """
    n = len(x)
    if n < 3 or min(x) == max(x):  # noqa: PLR2004  a line and a spread around it take three
        raise UndefinedMetricError("the slope", because=f"it needs three points that differ, and there are {n}")
    mean_x, mean_y = fmean(x), fmean(y)
    pairs = list(zip(x, y, strict=True))
    spread = fsum((a - mean_x) ** 2 for a in x)
    value = fsum((a - mean_x) * (b - mean_y) for a, b in pairs) / spread
    squares = fsum((b - mean_y - value * (a - mean_x)) ** 2 for a, b in pairs)
    margin = critical_t(confidence, n - 2) * sqrt(squares / (n - 2) / spread)
    return Slope(value=value, low=value - margin, high=value + margin, n=n)
