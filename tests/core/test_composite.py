"""The composite rule, as properties over every mixture of measured and missing metrics, and its known mistakes."""

import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.composite import (
    EQUAL_WEIGHTS,
    SIX,
    Thresholds,
    applicable_weights,
    compose,
)
from agents_eval_core.score import VERDICTS, Composite, Finding, Reason, Score, Severity, Tier, Verdict

TIERS: Mapping[str, Tier] = {
    "time_taken": 1,
    "task_success": 1,
    "output_similarity": 1,
    "planning_rationality": 2,
    "judge_score": 2,
    "tool_efficiency": 3,
    "coordination_quality": 3,
}
NOISE = 1e-9


def measured(name: str, value: float) -> Score:
    return Score(name=name, value=value, evaluator=name, version="1", tier=TIERS[name])


def missing(name: str, reason: Reason = "not_measured") -> Score:
    return Score(
        name=name,
        reason=reason,
        explanation="for the test",
        error_type="TimeoutError" if reason == "failed" else None,
        evaluator=name,
        version="1",
        tier=TIERS[name],
    )


def critical(name: str = "copied", severity: Severity = "critical") -> Finding:
    return Finding(name=name, severity=severity, sentence="It was copied.")


def all_six(value: float) -> list[Score]:
    return [measured(name, value) for name in SIX]


def rank(verdict: Verdict | None) -> int:
    return -1 if verdict is None else VERDICTS.index(verdict)


values = st.floats(0, 1) | st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
LOSSES: Sequence[Reason] = ("not_measured", "failed")
missing_reasons = st.sampled_from(LOSSES)
weightings = st.fixed_dictionaries(dict.fromkeys(SIX, st.just(1.0) | st.floats(0, 100))).filter(
    lambda weights: any(weights.values())
)
finding_lists = st.lists(
    st.builds(
        Finding,
        name=st.sampled_from(["copied", "empty"]),
        severity=st.sampled_from(["critical", "warning"]),
        sentence=st.just("It was seen."),
        about=st.sampled_from(["output", "input"]),
    ),
    max_size=2,
)
unchecked_lists = st.lists(st.sampled_from(["copied", "negated"]), max_size=2)


@st.composite
def score_lists(draw: st.DrawFn) -> list[Score]:
    """Draw some of the metrics in any state, in any order."""
    names = draw(st.lists(st.sampled_from(sorted(TIERS)), unique=True))
    return [draw(_scores(name)) for name in names]


def _scores(name: str) -> st.SearchStrategy[Score]:
    reasons: list[Reason] = ["not_applicable", "not_measured", "failed"]
    return values.map(lambda value: measured(name, value)) | st.sampled_from(reasons).map(
        lambda reason: missing(name, reason)
    )


@given(score_lists(), weightings)
def test_the_weights_that_were_used_sum_to_one(scores: list[Score], weights: dict[str, float]) -> None:
    composite = compose(scores, weights=weights)
    assert (composite.composite is None) == (not composite.weights_used)
    if composite.weights_used:
        assert math.isclose(sum(composite.weights_used.values()), 1)


@given(score_lists(), weightings)
def test_what_applies_shares_the_whole_weight(scores: list[Score], weights: dict[str, float]) -> None:
    applicable = applicable_weights({score.name: score for score in scores}, weights)
    gone = {score.name for score in scores if score.reason == "not_applicable"}
    assert set(applicable) == {name for name in weights if weights[name] > 0 and name not in gone}
    if applicable:
        assert math.isclose(sum(applicable.values()), 1)


@given(weightings, st.sampled_from(SIX))
def test_a_metric_that_does_not_apply_leaves_its_weight_in_equal_parts(weights: dict[str, float], gone: str) -> None:
    total = sum(weights.values())
    applicable = applicable_weights({gone: missing(gone, "not_applicable")}, weights)
    shares = [weight - weights[name] / total for name, weight in applicable.items()]
    assert all(math.isclose(share, shares[0], abs_tol=NOISE) for share in shares)
    if shares:
        assert math.isclose(sum(shares), weights[gone] / total, abs_tol=NOISE)


@given(score_lists(), st.sampled_from(SIX), values, weightings)
def test_each_further_measured_metric_only_tightens_the_bounds(
    scores: list[Score], name: str, value: float, weights: dict[str, float]
) -> None:
    others = [score for score in scores if score.name != name]
    before, after = compose(others, weights=weights), compose([*others, measured(name, value)], weights=weights)
    assert after.coverage >= before.coverage
    if before.bounds is not None:
        assert after.bounds is not None
        assert before.bounds.low <= after.bounds.low <= after.bounds.high <= before.bounds.high


@given(score_lists(), st.data(), weightings, finding_lists, unchecked_lists)
def test_no_missing_metric_ever_gives_a_better_verdict(
    scores: list[Score],
    data: st.DataObject,
    weights: dict[str, float],
    findings: list[Finding],
    unchecked: list[str],
) -> None:
    def verdict(of: Sequence[Score]) -> int:
        return rank(compose(of, findings=findings, unchecked=unchecked, weights=weights).verdict)

    lost = set(data.draw(st.lists(st.sampled_from(sorted(TIERS)), unique=True)))
    as_reason = data.draw(missing_reasons)
    hurt = [missing(s.name, as_reason) if s.name in lost and s.value is not None else s for s in scores]
    gone = [s for s in scores if s.name not in lost or s.reason == "not_applicable"]
    assert verdict(hurt) <= verdict(scores)
    assert verdict(gone) <= verdict(scores)


@given(score_lists(), st.data(), finding_lists, unchecked_lists)
def test_a_finding_or_an_unrun_check_never_gives_a_better_verdict(
    scores: list[Score], data: st.DataObject, findings: list[Finding], unchecked: list[str]
) -> None:
    fewer = data.draw(st.sampled_from([0, len(findings) // 2]))
    plain = compose(scores, findings=findings[:fewer])
    laden = compose(scores, findings=findings, unchecked=unchecked)
    assert rank(laden.verdict) <= rank(plain.verdict)
    assert laden.composite == plain.composite
    assert laden.bounds == plain.bounds


@given(score_lists().flatmap(lambda scores: st.tuples(st.just(scores), st.permutations(scores))), weightings)
def test_the_order_of_the_scores_does_not_matter(
    orders: tuple[list[Score], list[Score]], weights: dict[str, float]
) -> None:
    assert compose(orders[0], weights=weights) == compose(orders[1], weights=weights)


@given(score_lists(), weightings, finding_lists, unchecked_lists)
def test_every_number_is_finite_and_in_its_place(
    scores: list[Score], weights: dict[str, float], findings: list[Finding], unchecked: list[str]
) -> None:
    composite = compose(scores, weights=weights, findings=findings, unchecked=unchecked)
    assert 0 <= composite.coverage <= 1
    numbers = [number for number in composite.tier_scores.values() if number is not None]
    if composite.composite is not None:
        assert composite.bounds is not None
        assert composite.bounds.low - NOISE <= composite.composite <= composite.bounds.high + NOISE
        numbers += [composite.composite, composite.bounds.low, composite.bounds.high]
    assert all(math.isfinite(number) and 0 <= number <= 1 for number in numbers)
    assert Composite.model_validate_json(composite.model_dump_json()) == composite


@given(score_lists())
def test_both_ends_of_the_verdict_range_are_in_order_and_its_lower_end_is_the_verdict(scores: list[Score]) -> None:
    composite = compose(scores)
    if composite.verdict_range is None:
        assert composite.verdict is None
    else:
        assert composite.verdict == composite.verdict_range.low
        assert rank(composite.verdict_range.low) <= rank(composite.verdict_range.high)


@given(st.floats(0, 1))
def test_the_composite_of_equal_scores_is_that_score(value: float) -> None:
    composite = compose(all_six(value)).composite
    assert composite is not None
    assert math.isclose(composite, value, abs_tol=NOISE)


@pytest.mark.parametrize(("value", "verdict"), [(0.8, "accept"), (0.6, "weak_accept"), (0.4, "weak_reject")])
def test_a_value_at_a_threshold_reaches_its_class_whatever_floating_point_makes_of_the_sum(
    value: float, verdict: Verdict
) -> None:
    assert compose(all_six(value)).verdict == verdict


def test_a_single_agent_has_five_metrics_of_a_fifth() -> None:
    scores = [*(score for score in all_six(0.5) if score.name != "coordination_quality")]
    composite = compose([*scores, missing("coordination_quality", "not_applicable")])
    assert composite.single_agent_mode
    assert composite.weights_used == pytest.approx(dict.fromkeys(set(SIX) - {"coordination_quality"}, 0.2))
    assert composite.coverage == 1


def test_a_team_that_did_not_coordinate_is_no_single_agent() -> None:
    composite = compose([*all_six(0.9)[:2], measured("coordination_quality", 0.0)])
    assert not composite.single_agent_mode


@pytest.mark.parametrize("names", [["task_success", "output_similarity", "time_taken"], ["judge_score"]])
def test_one_tier_alone_is_at_most_weak_reject(names: list[str]) -> None:
    composite = compose([measured(name, 1.0) for name in names], weights=dict.fromkeys(names, 1.0))
    assert composite.composite == 1
    assert composite.verdict_range is not None
    assert composite.verdict_range.high == composite.verdict == "weak_reject"
    assert "two tiers" in composite.caps[0]


def test_time_taken_alone_makes_no_tier() -> None:
    composite = compose([measured("time_taken", 1.0), measured("judge_score", 1.0)], weights={"time_taken": 1.0})
    assert composite.verdict == "weak_reject"


@pytest.mark.parametrize(
    "names", [["tool_efficiency", "coordination_quality", "time_taken"], ["tool_efficiency", "planning_rationality"]]
)
def test_without_a_metric_about_the_outcome_there_is_a_profile_and_no_verdict(names: list[str]) -> None:
    composite = compose([measured(name, 1.0) for name in names])
    assert composite.composite == 1
    assert composite.verdict is None
    assert composite.verdict_range is None


def test_the_judges_score_of_the_output_is_an_outcome() -> None:
    scores = [measured("judge_score", 0.9), measured("tool_efficiency", 1.0)]
    assert compose(scores, weights={"judge_score": 1.0, "tool_efficiency": 1.0}).verdict == "accept"


def test_nothing_measured_is_no_composite_and_no_zero() -> None:
    composite = compose([missing(name) for name in SIX])
    assert composite.composite is None
    assert composite.bounds is None
    assert composite.verdict is None
    assert composite.coverage == 0
    assert composite.tier_scores == {1: None, 2: None, 3: None}


def test_a_critical_finding_about_the_output_caps_and_leaves_the_values() -> None:
    composite = compose(all_six(1.0), findings=[critical()])
    assert composite.verdict == "weak_reject"
    assert composite.composite == 1
    assert "copied" in composite.caps[0]


@pytest.mark.parametrize("finding", [critical().changed(about="input"), critical(severity="warning")])
def test_hostile_input_and_warnings_are_not_the_agents_fault(finding: Finding) -> None:
    assert compose(all_six(1.0), findings=[finding]).verdict == "accept"


def test_a_check_that_could_not_run_caps_at_weak_accept() -> None:
    composite = compose(all_six(1.0), unchecked=["negated"])
    assert composite.verdict == "weak_accept"
    assert "negated" in composite.caps[0]


def test_complete_means_three_tiers_with_content() -> None:
    assert compose(all_six(0.5)).complete
    assert not compose([score for score in all_six(0.5) if score.tier != 2]).complete


def test_tiers_two_classes_apart_are_reported_as_disagreement() -> None:
    scores = [measured("task_success", 0.9), measured("tool_efficiency", 0.2)]
    (sentence,) = compose(scores).tier_agreement
    assert "the text (tier 1) scores 0.90 but the behaviour (tier 3) 0.20" in sentence
    assert not compose([measured("task_success", 0.7), measured("tool_efficiency", 0.5)]).tier_agreement


def test_a_tier_without_content_disagrees_with_nobody() -> None:
    composite = compose([measured("time_taken", 0.01), measured("tool_efficiency", 1.0)])
    assert composite.tier_scores[1] == 0.01
    assert not composite.tier_agreement


def test_thresholds_decide_the_verdict() -> None:
    strict = Thresholds(accept=0.95, weak_accept=0.9, weak_reject=0.85)
    assert [compose(all_six(0.87), thresholds=each).verdict for each in (Thresholds(), strict)] == [
        "accept",
        "weak_reject",
    ]


def test_weights_decide_the_composite() -> None:
    scores = [measured("task_success", 1.0), measured("tool_efficiency", 0.0)]
    assert compose(scores, weights={**EQUAL_WEIGHTS, "task_success": 3.0}).composite == 0.75


def test_d7_a_judge_that_timed_out_costs_its_own_metric_and_nothing_else() -> None:
    rest = [score for score in all_six(0.9) if score.tier != 2]
    composite = compose([*rest, missing("planning_rationality", "failed")])
    assert composite.composite == 0.9
    assert composite.tier_scores[3] == 0.9
    assert composite.verdict == "weak_accept"
    assert composite.verdict_range is not None
    assert composite.verdict_range.high == "accept"


def test_d8_a_run_without_references_does_not_beat_the_same_run_with_them() -> None:
    full = [measured("output_similarity", 0.3), *(s for s in all_six(0.7) if s.name != "output_similarity")]
    without = [missing("output_similarity") if s.name == "output_similarity" else s for s in full]
    assert rank(compose(without).verdict) <= rank(compose(full).verdict)
    with_bounds, without_bounds = compose(full).bounds, compose(without).bounds
    assert with_bounds is not None
    assert without_bounds is not None
    assert without_bounds.low <= with_bounds.low


@pytest.mark.parametrize("reason", ["not_measured", "failed"])
def test_d9_a_judge_that_did_not_answer_is_no_half_point(reason: Reason) -> None:
    composite = compose([*(s for s in all_six(1.0) if s.tier != 2), missing("planning_rationality", reason)])
    assert composite.tier_scores[2] is None
    assert "planning_rationality" not in composite.weights_used
    assert composite.composite == 1
    assert composite.coverage == pytest.approx(5 / 6)


def test_d15_accept_is_within_reach_of_a_good_run_that_is_as_near_the_references_as_humans_are() -> None:
    median_human = measured("output_similarity", 0.5)
    rest = [score for score in all_six(0.9) if score.name != "output_similarity"]
    assert compose([median_human, *rest]).verdict == "accept"
