"""Two runs are compared over what both measured, by the same weights."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.composite import SIX, compose
from agents_eval_core.composite_pair import composite_pair
from agents_eval_core.score import Reason, Score


def measured(name: str, value: float, version: str = "1") -> Score:
    return Score(name=name, value=value, evaluator=name, version=version, tier=1)


def missing(name: str, reason: Reason = "not_measured") -> Score:
    return Score(name=name, reason=reason, explanation="for the test", evaluator=name, version="1", tier=1)


weightings = st.fixed_dictionaries(dict.fromkeys(SIX, st.floats(0.01, 100)))
sides = st.fixed_dictionaries(dict.fromkeys(SIX, st.floats(0, 1)))


@given(sides, sides, st.sets(st.sampled_from(SIX), max_size=5), weightings)
def test_where_both_measured_all_that_applies_they_are_the_composites_of_the_scorecards(
    first: dict[str, float], second: dict[str, float], gone: set[str], weights: dict[str, float]
) -> None:
    both = [
        [missing(name, "not_applicable") if name in gone else measured(name, side[name]) for name in SIX]
        for side in (first, second)
    ]
    pair = composite_pair(*both, weights=weights)
    assert pair is not None
    assert pair.first == pytest.approx(compose(both[0], weights=weights).composite, abs=1e-9)
    assert pair.second == pytest.approx(compose(both[1], weights=weights).composite, abs=1e-9)


@given(sides, st.sets(st.sampled_from(SIX)), st.sets(st.sampled_from(SIX)))
def test_equal_runs_have_equal_composites_whatever_each_has_lost(
    values: dict[str, float], lost: set[str], also_lost: set[str]
) -> None:
    one, other = (
        [missing(name) if name in gone else measured(name, values[name]) for name in SIX] for gone in (lost, also_lost)
    )
    pair = composite_pair(one, other)
    assert (pair is None) == (lost | also_lost == set(SIX))
    if pair is not None:
        assert pair.first == pair.second
        assert set(pair.metrics) == set(SIX) - lost - also_lost


def test_a_metric_that_does_not_apply_to_one_run_leaves_both() -> None:
    team = [measured("task_success", 0.5), measured("coordination_quality", 1.0)]
    alone = [measured("task_success", 0.5), missing("coordination_quality", "not_applicable")]
    for pair in (composite_pair(team, alone), composite_pair(alone, team)):
        assert pair is not None
        assert pair.first == pair.second == 0.5


def test_the_weight_of_a_metric_that_leaves_goes_to_the_others_in_equal_parts() -> None:
    weights = {"task_success": 3.0, "tool_efficiency": 1.0, "coordination_quality": 4.0}
    team = [measured("task_success", 1.0), measured("tool_efficiency", 0.0), measured("coordination_quality", 1.0)]
    pair = composite_pair(team, [*team[:2], missing("coordination_quality", "not_applicable")], weights=weights)
    assert pair is not None
    assert pair.first == pair.second == 5 / 8


def test_scores_of_different_versions_are_not_compared() -> None:
    assert composite_pair([measured("task_success", 0.5)], [measured("task_success", 0.9, version="2")]) is None


def test_the_weights_count() -> None:
    first = [measured("task_success", 1.0), measured("time_taken", 0.0)]
    pair = composite_pair(first, first, weights={"task_success": 3.0, "time_taken": 1.0})
    assert pair is not None
    assert pair.first == 0.75
