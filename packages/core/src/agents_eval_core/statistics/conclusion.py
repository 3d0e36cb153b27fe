"""From an interval to a conclusion that a person can act on: better, worse, or not enough data."""

from dataclasses import replace

from agents_eval_core.comparison import Conclusion
from agents_eval_core.statistics.clustered import ClusteredMean

MOST_DIGITS = 6


def fewest_papers(confidence: float = 0.95) -> int:
    """Return the least number of papers that can decide anything at this confidence.

    With n independent pairs, the smallest two-sided p that a test without assumptions about the distribution can reach
    is that of n differences with the same sign: 2 / 2^n. Below that number, an interval that excludes 0 rests on the
    normal distribution alone.

    >>> fewest_papers(0.95), fewest_papers(0.99)
    (6, 8)
    """
    papers = 1
    while 2 / 2**papers > 1 - confidence:
        papers += 1
    return papers


def conclude(estimate: ClusteredMean | None, confidence: float = 0.95) -> Conclusion:
    """Return what a paired difference shows about the first side.

    `better` and `worse` need an interval without 0 from at least `fewest_papers` clusters; all else is `not enough
    data`. Whether two sides are equivalent takes a margin, which is not asked for here.

    >>> conclude(ClusteredMean(mean=0.2, standard_error=0.01, low=0.1, high=0.3, n=3, clusters=3))
    'not enough data'
    """
    if estimate is None or estimate.clusters < fewest_papers(confidence):
        return "not enough data"
    if estimate.low > 0:
        return "better"
    return "worse" if estimate.high < 0 else "not enough data"


def conclusion_sentence(
    estimate: ClusteredMean | None, first: str, second: str, *, papers: int, confidence: float = 0.95, unit: str = ""
) -> str:
    """Return the conclusion about the first side in plain words.

    >>> estimate = ClusteredMean(mean=0.05, standard_error=0.02, low=0.01, high=0.09, n=12, clusters=12)
    >>> conclusion_sentence(estimate, "full", "manager", papers=12)
    'full is better than manager by 0.05 [0.01, 0.09] (95 %, 12 papers)'
    >>> conclusion_sentence(None, "full", "manager", papers=1)
    'not enough data: 1 paper cannot decide; at least 6 are needed'
    """
    needed = fewest_papers(confidence)
    if papers == 0:
        return "not enough data: no paper has it measured on both sides"
    if estimate is None or papers < needed:
        return f"not enough data: {count(papers, 'paper')} cannot decide; at least {needed} are needed"
    conclusion = conclude(estimate, confidence)
    if conclusion == "not enough data":
        figures = interval_text(estimate, confidence, unit)
        return f"not enough data: {first} minus {second} is {figures}, so either may be the better one"
    ahead = (
        estimate
        if conclusion == "better"
        else replace(estimate, mean=-estimate.mean, low=-estimate.high, high=-estimate.low)
    )
    return f"{first} is {conclusion} than {second} by {interval_text(ahead, confidence, unit)}"


def interval_text(estimate: ClusteredMean, confidence: float, unit: str = "") -> str:
    """Return a difference with its interval, with as many decimals as it takes to tell the figures from 0."""
    figures = (estimate.mean, estimate.low, estimate.high)
    digits = 2
    while digits < MOST_DIGITS and any(figure and not round(figure, digits) for figure in figures):
        digits += 1
    mean, low, high = (f"{round(figure, digits) + 0.0:.{digits}f}" for figure in figures)
    of_what = f" in {unit}" if unit else ""
    papers = count(estimate.clusters, "paper") + (", the same in each" if estimate.is_constant else "")
    return f"{mean}{of_what} [{low}, {high}] ({100 * confidence:g} %, {papers})"


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "paper"), count(3, "paper")
    ('1 paper', '3 papers')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
