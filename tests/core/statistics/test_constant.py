from importlib import import_module

import pytest

from agents_eval_core.statistics.constant import constant_interval

stats = import_module("scipy.stats")  # by name: its types are unknown


@pytest.mark.parametrize("clusters", [1, 6, 50])
def test_the_room_left_is_the_exact_binomial_bound(clusters: int) -> None:
    low, high = constant_interval(0.0, clusters, lowest=-1, highest=1)
    exact = stats.binomtest(0, clusters, alternative="less").proportion_ci(0.95, method="exact").high
    assert (low, high) == (pytest.approx(-exact), pytest.approx(exact))


def test_it_stays_within_the_range_of_the_quantity() -> None:
    assert constant_interval(1.0, 3, lowest=0, highest=1)[1] == 1.0


def test_more_clusters_leave_less_room() -> None:
    widths = [high - low for low, high in (constant_interval(0.2, n, lowest=-1, highest=1) for n in (2, 6, 20, 200))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] > 0
