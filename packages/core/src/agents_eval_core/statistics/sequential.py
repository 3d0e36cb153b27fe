"""Looking at results as they come in, and stopping when the conclusion is in, without more errors for having looked."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents_eval_core.comparison import Conclusion

GRID: Final = 2_001
BOLDEST: Final = 0.5  # of the capital in one bet: less learns slower, more can lose nearly all


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """What is concluded, and after how many papers; `low` and `high` hold at every look at once."""

    conclusion: Conclusion
    papers: int
    low: float
    high: float


class ConfidenceSequence:
    """An interval of a mean that holds the truth at all times at once, with at least the confidence asked for.

    For each possible mean, a gambler bets against it in both directions; under the true mean the capital seldom grows
    (an e-process), so the means against which it exceeds 1 / (1 - confidence) are ruled out, for good. Values need
    only be bounded and have the same mean given the past: any distribution will do.

    References:
        Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024), the
        hedged capital process with the predictable plug-in bets of their section 4.
    """

    def __init__(self, *, lowest: float = -1.0, highest: float = 1.0, confidence: float = 0.95) -> None:
        self._lowest, self._span = lowest, highest - lowest
        self._error = 1 - confidence
        self._means: NDArray[np.float64] = np.linspace(0.0, 1.0, GRID)
        self._up = np.zeros(GRID)
        self._down = np.zeros(GRID)
        self._possible = np.ones(GRID, dtype=np.bool_)
        self._count = 0
        self._sum, self._squares = 0.5, 0.25  # one made-up value in the middle, with the largest possible spread

    def add(self, value: float) -> None:
        """Take one more value into account, between lowest and highest.

        Raises:
            ValueError: It lies outside.
        """
        scaled = (value - self._lowest) / self._span
        if not 0 <= scaled <= 1:
            raise ValueError(f"{value} lies outside of what was said to be possible")
        self._count += 1
        bet = sqrt(2 * log(2 / self._error) / (self._squares * log(self._count + 1)))
        with np.errstate(divide="ignore"):
            up = np.minimum(bet, BOLDEST / self._means)
            down = np.minimum(bet, BOLDEST / (1 - self._means))
        self._up += np.log1p(up * (scaled - self._means))
        self._down += np.log1p(-down * (scaled - self._means))
        capital = np.maximum(self._up, self._down) + log(0.5)
        self._possible &= capital < log(1 / self._error)
        self._sum += scaled
        self._squares += (scaled - self._sum / (self._count + 1)) ** 2

    @property
    def interval(self) -> tuple[float, float]:
        """What is still possible, rounded outwards to the grid; everything before the first value."""
        places = np.flatnonzero(self._possible)
        if not len(places):  # only where the values have no common mean
            return self._lowest, self._lowest + self._span
        low, high = max(0, int(places[0]) - 1), min(GRID - 1, int(places[-1]) + 1)
        return self._value(float(self._means[low])), self._value(float(self._means[high]))

    def e_value(self, mean: float) -> float:
        """Return the evidence against a mean: what a fair bet of 1 against it has become; 1 / e is an anytime-valid p.

        Under that mean it exceeds 20 at any time with a probability of at most 5 %.
        """
        place = round((mean - self._lowest) / self._span * (GRID - 1))
        return float(np.exp(self._up[place]) + np.exp(self._down[place])) / 2

    def _value(self, scaled: float) -> float:
        return self._lowest + self._span * scaled


class SequentialComparison:
    """Two systems compared after every paper, until there is a conclusion, which then stands.

    However often one looks, a false conclusion is at most 1 - confidence probable. Stopping for one metric leaves the
    others without that guarantee.
    """

    def __init__(self, *, margin: float | None = None, confidence: float = 0.95) -> None:
        self._sequence = ConfidenceSequence(confidence=confidence)
        self._margin, self._papers = margin, 0

    def add(self, difference: float) -> None:
        """Take the mean difference of one more paper into account, unless there is a conclusion already."""
        if self.stop.conclusion == "not enough data":
            self._sequence.add(difference)
            self._papers += 1

    @property
    def stop(self) -> Stop:
        """What is concluded so far, and from how many papers."""
        low, high = self._sequence.interval
        return Stop(conclusion=_concluded(low, high, self._margin), papers=self._papers, low=low, high=high)


def sequential_conclusion(
    differences: Iterable[float], *, margin: float | None = None, confidence: float = 0.95
) -> Stop:
    """Return the first conclusion that papers in the order of their arrival allow, or `not enough data` after all.

    Args:
        differences: One mean difference a paper, candidate minus baseline, of scores in [0, 1], in an order that does
            not depend on them.
        margin: The smallest difference that matters; without it nothing is called equivalent.
        confidence: Of the conclusion.

    >>> stop = sequential_conclusion([0.3, 0.2, 0.25, 0.35] * 50)
    >>> stop.conclusion, stop.papers < 60
    ('better', True)
    """
    comparison = SequentialComparison(margin=margin, confidence=confidence)
    for difference in differences:
        comparison.add(difference)
        if comparison.stop.conclusion != "not enough data":
            break
    return comparison.stop


def _concluded(low: float, high: float, margin: float | None) -> Conclusion:
    if margin is not None and -margin < low and high < margin:
        return "equivalent"
    if low > 0:
        return "better"
    return "worse" if high < 0 else "not enough data"
