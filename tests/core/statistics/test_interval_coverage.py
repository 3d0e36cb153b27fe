"""How often the headline interval holds the truth. More of it, and the page of figures, is in test_error_rates.py."""

from collections.abc import Callable

import numpy as np
import pytest

from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.paired import paired_difference

Draw = Callable[[np.random.Generator, int], "np.typing.NDArray[np.float64]"]
SPREAD = 0.15


def bell(generator: np.random.Generator, size: int) -> "np.typing.NDArray[np.float64]":
    return generator.normal(size=size)


def estimates(
    draw: Draw, *, papers: int, repetitions: int, correlation: float, truth: float, rounds: int, seed: int
) -> list[ClusteredMean]:
    """Return the estimates of many experiments; `correlation` is that of two repetitions of one paper."""
    generator = np.random.default_rng(seed)
    clusters = [paper for paper in range(papers) for _ in range(repetitions)]
    found: list[ClusteredMean] = []
    for _ in range(rounds):
        shared = np.repeat(draw(generator, papers), repetitions) * correlation**0.5
        own = draw(generator, papers * repetitions) * (1 - correlation) ** 0.5
        found.append(paired_difference((truth + SPREAD * (shared + own)).tolist(), clusters))
    return found


def coverage(found: list[ClusteredMean], truth: float) -> float:
    return sum(each.low <= truth <= each.high for each in found) / len(found)


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_the_interval_holds_the_truth_about_95_times_in_100(correlation: float) -> None:
    found = estimates(bell, papers=10, repetitions=3, correlation=correlation, truth=0.1, rounds=2000, seed=7)
    assert 0.935 <= coverage(found, 0.1) <= 0.965


def test_the_interval_would_fail_if_repetitions_were_taken_for_papers() -> None:
    generator = np.random.default_rng(7)
    naive = [
        paired_difference(np.repeat(generator.normal(0.1, SPREAD, size=10), 3).tolist(), range(30)) for _ in range(1000)
    ]
    assert coverage(naive, 0.1) < 0.85
