"""The clustered mean and its interval, against scipy where that has the same."""

import math
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.statistics.clustered import clustered_mean

stats = import_module("scipy.stats")  # by name: its types are unknown

samples = st.lists(st.floats(-1, 1), min_size=2, max_size=30)


@given(samples, st.sampled_from([0.8, 0.95, 0.99]))
def test_one_observation_a_cluster_is_the_t_interval_of_scipy(values: list[float], confidence: float) -> None:
    ours = clustered_mean(values, range(len(values)), confidence)
    error = float(stats.sem(values))
    assert ours.standard_error == pytest.approx(error, abs=1e-12)
    if error > 1e-12:
        low, high = stats.t.interval(confidence, len(values) - 1, loc=float(np.mean(values)), scale=error)
        assert (ours.low, ours.high) == (pytest.approx(float(low)), pytest.approx(float(high)))


@given(samples)
def test_copies_of_each_observation_in_its_cluster_leave_everything_as_it_is(values: list[float]) -> None:
    once = clustered_mean(values, range(len(values)))
    thrice = clustered_mean(values * 3, [*range(len(values))] * 3)
    assert (thrice.mean, thrice.low, thrice.high) == (
        pytest.approx(once.mean, abs=1e-12),
        pytest.approx(once.low, abs=1e-12),
        pytest.approx(once.high, abs=1e-12),
    )
    assert (thrice.n, thrice.clusters) == (3 * once.n, once.clusters)


@given(samples)
def test_the_order_of_observations_does_not_matter(values: list[float]) -> None:
    rows = [(value, index % 3) for index, value in enumerate(values)]
    turned = rows[::-1]
    one, other = (clustered_mean([v for v, _ in each], [c for _, c in each]) for each in (rows, turned))
    assert math.isclose(one.standard_error, other.standard_error, abs_tol=1e-15)


def test_the_formula_by_hand() -> None:
    estimate = clustered_mean([1.0, 2.0, 6.0], ["a", "a", "b"])
    assert estimate.mean == 3
    assert estimate.standard_error == pytest.approx(math.sqrt(((-2 - 1) ** 2 + 3**2) * 2 / 1) / 3)


@pytest.mark.parametrize("clusters", [[], ["a"], ["a", "a", "a"]])
def test_fewer_than_two_clusters_have_no_interval(clusters: list[str]) -> None:
    with pytest.raises(UndefinedMetricError, match="it needs two clusters"):
        clustered_mean([0.5] * len(clusters), clusters)


def test_each_value_needs_its_cluster() -> None:
    with pytest.raises(ValueError, match="zip"):
        clustered_mean([0.1, 0.2], ["a"])
