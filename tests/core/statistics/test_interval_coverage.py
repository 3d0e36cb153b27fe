"""How often the headline interval holds the truth, and how often two equal systems are told apart."""

from collections.abc import Callable

import numpy as np
import pytest

from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.conclusion import conclude
from agents_eval_core.statistics.paired import paired_difference

Draw = Callable[[np.random.Generator, int], "np.typing.NDArray[np.float64]"]
SPREAD = 0.15


def bell(generator: np.random.Generator, size: int) -> "np.typing.NDArray[np.float64]":
    return generator.normal(size=size)


def skewed(generator: np.random.Generator, size: int) -> "np.typing.NDArray[np.float64]":
    """Draw from a gamma distribution with skewness 1, mean 0 and variance 1."""
    return (generator.gamma(4.0, size=size) - 4) / 2


def two_valued(generator: np.random.Generator, size: int) -> "np.typing.NDArray[np.float64]":
    """Draw what a pass-or-fail metric gives."""
    return generator.choice([-1.0, 1.0], size=size)


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


def test_two_equal_systems_are_told_apart_at_most_5_times_in_100() -> None:
    found = estimates(bell, papers=6, repetitions=2, correlation=0.5, truth=0.0, rounds=2000, seed=11)
    assert sum(conclude(each) != "not enough data" for each in found) / len(found) <= 0.065


def test_a_real_difference_is_found() -> None:
    found = estimates(bell, papers=20, repetitions=2, correlation=0.2, truth=0.15, rounds=200, seed=13)
    assert sum(conclude(each) == "better" for each in found) / len(found) > 0.95


@pytest.mark.proof
@pytest.mark.parametrize("draw", [bell, skewed, two_valued])
@pytest.mark.parametrize("correlation", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("papers", [10, 50, 200])
def test_coverage_stays_within_93_to_97_percent(draw: Draw, correlation: float, papers: int) -> None:
    found = estimates(
        draw, papers=papers, repetitions=3, correlation=correlation, truth=0.1, rounds=10_000, seed=papers
    )
    assert 0.93 <= coverage(found, 0.1) <= 0.97
