"""Change points: found where there is one, and seldom where there is none."""

from random import Random

from agents_eval_core.statistics.change_points import change_points


def noise(seed: int, number: int, level: float = 0.5) -> list[float]:
    draw = Random(seed)  # noqa: S311  the same values every time
    return [draw.gauss(level, 0.1) for _ in range(number)]


def test_two_shifts_are_both_found_near_where_they_are() -> None:
    found = change_points([*noise(1, 40, 0.3), *noise(2, 40, 0.6), *noise(3, 40, 0.4)])
    assert len(found) == 2
    assert abs(found[0].place - 40) <= 3
    assert abs(found[1].place - 80) <= 3
    assert found[0].after == found[1].before


def test_of_a_hundred_series_without_a_change_few_have_one() -> None:
    assert sum(bool(change_points(noise(seed, 40))) for seed in range(100)) <= 4


def test_a_short_or_a_constant_series_has_none() -> None:
    assert change_points([0.0] * 4 + [1.0] * 5) == ()
    assert change_points([0.3] * 50) == ()
    assert change_points([]) == ()
