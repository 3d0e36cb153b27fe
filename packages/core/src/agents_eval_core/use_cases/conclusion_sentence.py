"""The conclusion about one metric in plain words."""

from dataclasses import dataclass
from math import exp

from agents_eval_core.comparison import Conclusion, Outlook
from agents_eval_core.counted import count
from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.use_cases.metric_scale import LOGARITHMIC

MOST_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked about whom.

    Attributes:
        unit: Of the values, where it is not the score itself.
        family: How many are claimed, or screened, along with it.
        fewest: The fewest papers that could decide it.
    """

    baseline: str
    candidate: str
    confidence: float
    margin: float | None
    unit: str
    claimed: bool
    family: int
    fewest: int

    @property
    def correction(self) -> str:
        """How p-values were adjusted, empty where there was nothing to adjust for."""
        if self.family < 2:  # noqa: PLR2004
            return ""
        return f"after {'Holm' if self.claimed else 'Benjamini-Hochberg'} over {self.family}"


def conclusion_sentence(
    conclusion: Conclusion, estimate: ClusteredMean | None, asked: Asked, *, papers: int, adjusted_p: float
) -> str:
    """Return the conclusion about the candidate, with the figures it rests on.

    >>> estimate = ClusteredMean(mean=0.05, standard_error=0.02, low=0.01, high=0.09, n=12, clusters=12)
    >>> asked = Asked(baseline="manager", candidate="full", confidence=0.95, margin=None, unit="", claimed=True,
    ...               family=1, fewest=6)
    >>> conclusion_sentence("better", estimate, asked, papers=12, adjusted_p=0.03)
    'full is better than manager by 0.05 [0.01, 0.09] (95 %, 12 papers)'
    >>> conclusion_sentence("not enough data", None, asked, papers=1, adjusted_p=1.0)
    'not enough data: 1 paper cannot decide; at least 6 are needed'
    """
    if papers == 0:
        return "not enough data: no paper has it measured on both sides"
    if conclusion == "equivalent" and estimate is not None:
        sides, figures = _minus(asked), interval_text(estimate, asked.confidence, asked.unit)
        return f"{asked.candidate} and {asked.baseline} are equivalent within {asked.margin:g}: {sides} is {figures}"
    if conclusion == "not enough data" or estimate is None:
        return f"not enough data: {_undecided(estimate, asked, papers, adjusted_p)}"
    if asked.unit.startswith(LOGARITHMIC):
        return f"{asked.candidate} is {conclusion} than {asked.baseline}: {ratio_text(estimate, asked)}"
    ahead = estimate if estimate.mean > 0 else estimate.reversed
    figures = interval_text(ahead, asked.confidence, asked.unit)
    return f"{asked.candidate} is {conclusion} than {asked.baseline} by {figures}"


def outlook_sentence(outlook: Outlook | None, papers: int, repetitions: float, goal: float = 0.8) -> str:
    """Return what would settle an undecided comparison, empty where that is not known.

    >>> outlook_sentence(Outlook(power=0.4, papers=34, repetitions=None), 16, 1.0)
    '18 more papers would settle it (80 % power at the difference seen)'
    """
    if outlook is None:
        return ""
    parts = [_further(outlook, papers, repetitions, goal)]
    if outlook.detectable is not None:
        parts.append(f"with {count(papers, 'paper')}, differences from {outlook.detectable:.2g} on are found")
    return "; ".join(parts)


def interval_text(estimate: ClusteredMean, confidence: float, unit: str = "") -> str:
    """Return a difference with its interval, with as many decimals as it takes to tell the figures from 0."""
    mean, low, high = _rounded(estimate.mean, estimate.low, estimate.high)
    of_what = f" in {unit}" if unit else ""
    papers = count(estimate.clusters, "paper") + (", the same in each" if estimate.is_constant else "")
    return f"{mean}{of_what} [{low}, {high}] ({100 * confidence:g} %, {papers})"


def ratio_text(estimate: ClusteredMean, asked: Asked) -> str:
    """Return a difference of logarithms as a ratio with its interval."""
    mean, low, high = _rounded(exp(estimate.mean), exp(estimate.low), exp(estimate.high))
    what = asked.unit.removeprefix(LOGARITHMIC)
    papers = count(estimate.clusters, "paper")
    return f"{mean} times the {what} [{low}, {high}] ({100 * asked.confidence:g} %, {papers})"


def _undecided(estimate: ClusteredMean | None, asked: Asked, papers: int, adjusted_p: float) -> str:
    if estimate is None or papers < asked.fewest:
        among = f" for {asked.family} claims" if asked.claimed and asked.family > 1 else ""
        if estimate is None and papers >= asked.fewest:
            return f"{count(papers, 'paper')} without any spread give no interval"
        return f"{count(papers, 'paper')} cannot decide; at least {asked.fewest} are needed{among}"
    is_ratio = asked.unit.startswith(LOGARITHMIC)
    figures = (
        f"{asked.candidate} takes {ratio_text(estimate, asked)}"
        if is_ratio
        else f"{_minus(asked)} is {interval_text(estimate, asked.confidence, asked.unit)}"
    )
    if not estimate.low <= 0 <= estimate.high:
        how = (
            f"p = {adjusted_p:.2g} {asked.correction}".strip()
            if asked.correction
            else f"sign-flip p = {adjusted_p:.2g}"
        )
        return f"{figures}, which may be chance ({how})"
    return f"{figures}, so either may be the better one"


def _further(outlook: Outlook, papers: int, repetitions: float, goal: float) -> str:
    if outlook.papers is None:
        return "10,000 papers would not settle it at the difference seen; state a margin to ask whether it matters"
    ways = [f"{count(max(1, outlook.papers - papers), 'more paper')}"]
    if outlook.repetitions is not None and outlook.repetitions > repetitions:
        ways.append(f"{outlook.repetitions} repetitions of each paper in place of {repetitions:.2g}")
    likely = f"{100 * goal:.0f} % power at the difference seen"
    return f"{', or '.join(ways)} would settle it ({likely})"


def _minus(asked: Asked) -> str:
    return f"{asked.candidate} minus {asked.baseline}"


def _rounded(*figures: float) -> tuple[str, ...]:
    digits = 2
    while digits < MOST_DIGITS and any(figure and not round(figure, digits) for figure in figures):
        digits += 1
    return tuple(f"{round(figure, digits) + 0.0:.{digits}f}" for figure in figures)
