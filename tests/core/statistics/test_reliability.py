"""Agreement of raters: known values, other libraries, and intervals that hold."""

import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.reliability import flip_rate, krippendorff_alpha, majority_share, weighted_kappa

LEVELS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=40)


@given(pairs=LEVELS)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    if len({*first, *second}) < 2:
        return
    expected = float(cohen_kappa_score(first, second, weights="quadratic", labels=list(range(5))))
    found = weighted_kappa(first, second, levels=5)
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert -1 <= found.low <= found.high <= 1


def test_kappa_without_variation_or_items_is_undefined() -> None:
    for first, second in (([], []), ([1], [1]), ([2, 2, 2], [2, 2, 2])):
        with pytest.raises(UndefinedMetricError):
            weighted_kappa(first, second, levels=5)


def rated(generator: random.Random, n: int) -> tuple[list[int], list[int]]:
    truth = [generator.randrange(5) for _ in range(n)]
    return truth, [min(4, max(0, level + generator.choice((-1, 0, 0, 1, 2)))) for level in truth]


def test_the_interval_of_kappa_covers_the_truth() -> None:
    generator = random.Random(7)  # noqa: S311  a simulation
    truth = weighted_kappa(*rated(generator, 60_000), levels=5).value
    found = [weighted_kappa(*rated(generator, 60), levels=5) for _ in range(600)]
    covered = sum(one.low <= truth <= one.high for one in found) / len(found)
    assert 0.95 - 3 * sqrt(0.95 * 0.05 / 600) - 0.02 < covered < 0.99


def test_alpha_of_krippendorffs_own_example_is_his() -> None:
    """Four observers, twelve units, with gaps: 0.849 for interval data (Krippendorff 2011, "Computing alpha")."""
    gap = None
    a = [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap]
    b = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3]
    c = [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap]
    d = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap]
    alpha = krippendorff_alpha([list(unit) for unit in zip(a, b, c, d, strict=True)])
    assert alpha == pytest.approx(0.849, abs=0.0005)


@given(units=st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=4), min_size=1, max_size=12))
def test_alpha_is_at_most_1_and_without_variation_undefined(units: list[list[int]]) -> None:
    alpha = krippendorff_alpha(units)
    values = {value for unit in units for value in unit}
    assert (alpha is None) == (len(values) == 1)
    assert alpha is None or alpha <= 1


def test_raters_that_contradict_one_another_are_below_chance() -> None:
    alpha = krippendorff_alpha([[1, 5], [5, 1], [1, 5], [5, 1]])
    assert alpha is not None
    assert alpha < 0


def test_a_unit_with_one_rating_says_nothing() -> None:
    assert krippendorff_alpha([[1, 1], [2, 2], [5, None]]) == krippendorff_alpha([[1, 1], [2, 2]])
    assert krippendorff_alpha([[1, None], [None, 2]]) is None


def test_majority_and_flips() -> None:
    assert majority_share([]) is None
    assert flip_rate([]) is None
    assert flip_rate([[4, 4], [3, 3]]) == 0
    assert flip_rate([[1, 2, 1, 2]]) == 0.5
