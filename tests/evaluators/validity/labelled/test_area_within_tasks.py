"""Areas under the curve within tasks and pooled, with intervals over tasks."""

import pytest

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_evaluators.validity.labelled.area_within_tasks import Scored, area_over_all, area_within_tasks
from agents_eval_evaluators.validity.ranks import area_under_curve

EASY = [Scored("easy", success, value) for success, value in ((True, 9.0), (True, 8.0), (False, 7.0))]
HARD = [Scored("hard", success, value) for success, value in ((True, 1.0), (False, 2.0), (False, 3.0))]


def test_within_a_task_difficulty_does_not_count() -> None:
    assert area_within_tasks([*EASY, *HARD], resamples=0).value == 0.5
    assert area_within_tasks(EASY, resamples=0).value == 1.0
    assert area_within_tasks(HARD, resamples=0).value == 0.0


def test_pooled_is_the_plain_area() -> None:
    runs = [*EASY, *HARD, Scored("third", success=True, value=2.0)]
    won, lost = ([run.value for run in runs if run.success is outcome] for outcome in (True, False))
    assert area_over_all(runs, resamples=0).value == pytest.approx(area_under_curve(won, lost))


def test_equal_values_count_half_and_tasks_without_contrast_do_not_count() -> None:
    tied = [Scored("tied", success=True, value=1.0), Scored("tied", success=False, value=1.0)]
    area = area_within_tasks([*tied, Scored("all won", success=True, value=5.0)], resamples=0)
    assert area.value == 0.5
    assert area.runs == 2
    with pytest.raises(UndefinedMetricError):
        area_within_tasks([Scored("all won", success=True, value=5.0)], resamples=0)
    with pytest.raises(UndefinedMetricError):
        area_over_all([Scored("all won", success=True, value=5.0)], resamples=0)


def test_an_interval_is_over_tasks_and_the_same_every_time() -> None:
    runs = [run._replace(task=f"{run.task} {number}") for number in range(20) for run in (*EASY, *HARD)]
    first, second = (area_within_tasks(runs, resamples=300) for _ in range(2))
    assert first == second
    assert first.interval is not None
    low, high = first.interval
    assert low < first.value < high
    pooled = area_over_all(runs, resamples=300).interval
    assert pooled is not None
    assert pooled[0] < pooled[1]


def test_one_task_over_and_over_gives_no_narrow_interval() -> None:
    one = [run for _ in range(40) for run in (*EASY, *HARD)]
    many = [run._replace(task=f"{run.task} {number}") for number in range(40) for run in (*EASY, *HARD)]
    wide, narrow = (area_within_tasks(runs, resamples=300).interval for runs in (one, many))
    assert wide is not None
    assert narrow is not None
    assert wide[1] - wide[0] > 3 * (narrow[1] - narrow[0])
