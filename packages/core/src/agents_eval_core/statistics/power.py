"""How probable it is that a true difference is found, and how many papers that takes."""

from functools import lru_cache
from math import ceil, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents_eval_core.statistics.fewest import fewest
from agents_eval_core.statistics.fewest_papers import fewest_papers
from agents_eval_core.statistics.sign_patterns import sign_patterns
from agents_eval_core.statistics.student_t import critical_t, shifted_upper_tail

GOAL: Final = 0.8
MOST_PAPERS: Final = 10_000
STEPS: Final = 10  # halvings: the effect to a thousandth or so
SIMULATED: Final = 4  # so many papers beyond the fewest, the signs hold t back; further on by less than 3 points
EXPERIMENTS: Final = (2_000, 8_000)  # fewest and most: as many as fit beside their patterns of signs
SUMS: Final = 4_194_304
SEED: Final = 20_170_426
TIE: Final = 1e-9


def power(effect: float, papers: int, confidence: float = 0.95) -> float:
    """Return how probable the right conclusion (better or worse) is if the true difference is `effect`.

    The rule is the one of `conclude`: t interval and sign-flip test both. For the first few numbers of papers that can
    decide at all it is simulated with normal differences, beyond it is the noncentral t.

    Args:
        effect: The true difference, in standard deviations of the papers' mean differences; its sign does not matter.
        papers: How many.
        confidence: Of the conclusion.

    References:
        Miller, "Adding Error Bars to Evals" (arXiv 2411.00640), section 5, with t instead of the normal distribution.

    >>> round(power(1.0, 20), 2), power(3.0, 5)
    (0.99, 0.0)
    """
    fewest = fewest_papers(confidence)
    if papers < fewest:
        return 0.0
    critical = critical_t(confidence, papers - 1)
    if papers > fewest + SIMULATED:
        return shifted_upper_tail(critical, papers - 1, abs(effect) * sqrt(papers))
    draws, flipped, weights = _experiments(papers)
    shifted = draws + abs(effect)
    means = shifted.mean(axis=1)
    by_t = means / (shifted.std(axis=1, ddof=1) / sqrt(papers)) > critical
    sums = flipped + np.float32(abs(effect)) * weights
    as_large = (np.abs(sums) >= (np.abs(means * papers) - 1e-4)[:, None]).mean(axis=1)
    return float((by_t & (as_large <= 1 - confidence + TIE)).mean())


def papers_needed(effect: float, confidence: float = 0.95, goal: float = GOAL) -> int | None:
    """Return the fewest papers that find a true difference with a probability of `goal`; None beyond `MOST_PAPERS`.

    >>> papers_needed(0.5), papers_needed(0.0)
    (34, None)
    """
    return fewest(fewest_papers(confidence), MOST_PAPERS, lambda papers: power(effect, papers, confidence) >= goal)


def equivalence_power(effect: float, margin: float, papers: int, confidence: float = 0.95) -> float:
    """Return how probable the conclusion `equivalent` is, approximated by two shifted t tests.

    Args:
        effect: The true difference, in standard deviations of the papers' mean differences.
        margin: The margin, in the same.
        papers: How many, at least 2.
        confidence: Each of the two one-sided tests errs with 1 - confidence.

    >>> round(equivalence_power(0.0, 1.0, 20), 2)
    0.99
    """
    critical = critical_t(2 * confidence - 1, papers - 1)
    sides = (shifted_upper_tail(critical, papers - 1, (margin + way * effect) * sqrt(papers)) for way in (1, -1))
    return max(0.0, sum(sides) - 1)


def papers_needed_for_equivalence(
    effect: float, margin: float, confidence: float = 0.95, goal: float = GOAL
) -> int | None:
    """Return the fewest papers that find equivalence with a probability of `goal`; None beyond `MOST_PAPERS`.

    >>> papers_needed_for_equivalence(0.0, 0.5), papers_needed_for_equivalence(0.6, 0.5)
    (36, None)
    """
    if abs(effect) >= margin:
        return None

    def is_enough(papers: int) -> bool:
        return equivalence_power(effect, margin, papers, confidence) >= goal

    return fewest(fewest_papers(confidence), MOST_PAPERS, is_enough)


def papers_of_a_constant(rate: float, confidence: float = 0.95) -> int | None:
    """Return how many papers must agree until (1 - rate)^papers falls to what the confidence allows.

    >>> papers_of_a_constant(0.05), papers_of_a_constant(0.0)
    (59, None)
    """
    if rate <= 0:
        return None
    needed = ceil(log(1 - confidence) / log(1 - rate)) if rate < 1 else 1
    return max(fewest_papers(confidence), needed)


@lru_cache(maxsize=256)
def detectable_effect(papers: int, confidence: float = 0.95, goal: float = GOAL) -> float | None:
    """Return the smallest true difference found with a probability of `goal`, in standard deviations; None if none is.

    >>> round(detectable_effect(34) or 0, 2), detectable_effect(5)
    (0.5, None)
    """
    if papers < fewest_papers(confidence):
        return None
    low, high = 0.0, 1.0
    while power(high, papers, confidence) < goal:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle, papers, confidence) >= goal else (middle, high)
    return high


Float = NDArray[np.float32]


@lru_cache(maxsize=SIMULATED)
def _experiments(papers: int) -> tuple[Float, Float, Float]:
    """Return draws, their sums under each pattern of signs, and the sum of each pattern."""
    signs = sign_patterns(papers).astype(np.float32)
    fewest, most = EXPERIMENTS
    experiments = min(most, max(fewest, SUMS // len(signs)))
    draws = np.random.default_rng(SEED + papers).normal(size=(experiments, papers)).astype(np.float32)
    return draws, draws @ signs.T, signs.sum(axis=1)
