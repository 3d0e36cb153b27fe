"""Every behaviour metric gives the values that small traces must have."""

import pytest

from agents_eval_evaluators.validity.known_traces import KnownTraces, is_given
from agents_eval_evaluators.validity.predecessor_behaviour import PREDECESSOR
from agents_eval_evaluators.validity.readings import readings
from agents_eval_evaluators.validity.small_traces import KNOWN


@pytest.mark.parametrize("name", KNOWN)
def test_a_small_trace_gets_the_values_that_follow_from_it(name: str) -> None:
    said = readings(KNOWN[name].run)
    wrong = {
        metric: (said.get(metric), wanted)
        for metric, wanted in KNOWN[name].values.items()
        if not is_given(said.get(metric), wanted)
    }
    assert wrong == {}


def test_a_hundred_rounds_are_not_one_but_were_to_the_predecessor() -> None:
    one, many = (readings(KNOWN[name].run) for name in ("one round of three calls", "a hundred rounds of them"))
    for metric in ("tool_efficiency", "loop_score", "identical_repeats", "calls_per_distinct_call"):
        assert one[metric] != many[metric]
    assert one[f"{PREDECESSOR}path_convergence"] == many[f"{PREDECESSOR}path_convergence"] == 0.75


def test_a_star_that_reports_is_not_one_that_never_returns_but_was_to_the_predecessor() -> None:
    stars = ("a star whose workers report back", "a star that never returns")
    back, away = (readings(KNOWN[name].run) for name in stars)
    for metric in ("reciprocity", "density", "most_betweenness", "handoff.acknowledged"):
        assert back[metric] != away[metric]
    name = f"{PREDECESSOR}coordination_centrality"
    assert back[name] == away[name] == 0.0


def test_a_larger_team_could_only_lose_by_the_predecessors_formula() -> None:
    name = f"{PREDECESSOR}coordination_centrality"
    assert readings(KNOWN["two agents who do as much"].run)[name] == 0.5
    assert readings(KNOWN["a star whose workers report back"].run)[name] == 0.0


def test_a_wrong_answer_would_lower_the_figure() -> None:
    figures = list(KnownTraces().figures([]))
    assert {figure.value for figure in figures} == {1.0}
    assert not is_given(0.5, 1.0)
    assert not is_given("not_measured", "not_applicable")
    assert not is_given(None, 0.0)
