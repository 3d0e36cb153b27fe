from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_core.trace import Span, ToolUse, Trace
from agents_eval_evaluators.graph.tool_efficiency import ToolEfficiency, tool_efficiency

Build = Callable[..., Span]
Traced = Callable[..., Trace]
Runs = Callable[..., Run]
ScoreOf = Callable[..., Awaitable[Score]]


@pytest.fixture
def value(a_run: Runs, a_trace: Traced, score_of: ScoreOf) -> Callable[..., Awaitable[float | None]]:
    async def evaluate(*spans: Span) -> float | None:
        return (await score_of(ToolEfficiency(), a_run(trace=a_trace(*spans)))).value

    return evaluate


Value = Callable[..., Awaitable[float | None]]


async def test_ninety_nine_failures_are_not_excused_by_one_success(call: Build, value: Value) -> None:
    """Guards D11: the mean of success rates per tool was a flag, 1.0 in every real run."""
    failures = [call("a", {"n": number}, "down", "error") for number in range(99)]
    assert await value(*failures, call("b")) == pytest.approx(0.01)
    assert await value(*failures, call("a", {"n": 99})) == pytest.approx(0.02)


async def test_a_retry_that_works_makes_its_failure_good(call: Build, value: Value) -> None:
    assert await value(call("a", {"q": 1}, "down", "error"), call("a", {"q": 1}, "found")) == 1


async def test_a_success_makes_good_no_failure_of_another_agent_or_after_it(call: Build, value: Value) -> None:
    failure = call("a", {}, "down", "error")
    assert await value(failure, call("a", {}, "found", by="researcher")) == 0.5
    assert await value(call("a", {}, "found"), failure) == 0.5


async def test_going_round_in_loops_costs_and_new_reading_does_not(call: Build, value: Value) -> None:
    """Guards D12: three tools gave the same value once and in a hundred loops."""
    once = [call("read", {"section": number}, f"text {number}") for number in range(3)]
    assert await value(*once) == 1
    assert await value(*once * 100) == pytest.approx(0.01)


async def test_the_order_of_arguments_does_not_make_a_call_new(call: Build, value: Value) -> None:
    assert await value(call("read", {"a": 1, "b": 2}, "x"), call("read", {"b": 2, "a": 1}, "x")) == 0.5


async def test_a_call_is_no_repeat_after_something_changed_or_with_another_result(call: Build, value: Value) -> None:
    test = call("run_tests", {}, "1 failed")
    assert await value(test, call("edit_file", {"line": 3}, "ok"), test) == 1
    assert await value(test, call("edit_file", {"line": 3}, "denied", "error"), test) == pytest.approx(1 / 3)
    assert await value(call("search", {"q": 1}, "a"), call("search", {"q": 1}, "b")) == 1
    assert await value(call("search", {"q": 1}, "a"), call("search", {"q": 1}, "a", by="other")) == 1


async def test_where_no_result_is_recorded_equal_arguments_decide(call: Build, value: Value) -> None:
    assert await value(*[call("read", {"section": 1}, None)] * 3) == pytest.approx(1 / 3)
    assert await value(*[call("read", {"section": number}, None) for number in range(3)]) == 1


async def test_without_arguments_is_a_repeat_only_where_the_trace_records_arguments(call: Build, value: Value) -> None:
    bare = [call("final_answer", None, "42", tool=ToolUse(name="final_answer", result="42"))] * 3
    assert await value(*bare) == 1
    assert await value(call("read", {"section": 1}), *bare) == 0.5


async def test_a_success_at_the_same_time_makes_no_failure_good(call: Build, value: Value) -> None:
    start, middle, end, later_end = (datetime(2026, 5, 1, 12, minute, tzinfo=UTC) for minute in range(4))
    failure = call("a", {"n": 1}, "down", "error", started_at=start, ended_at=end)
    together = call("a", {"n": 2}, "found", started_at=middle, ended_at=later_end)
    later = call("a", {"n": 2}, "found", started_at=end, ended_at=later_end)
    assert [await value(failure, together), await value(together, failure)] == [0.5, 0.5]
    assert await value(failure, later) == 1
    assert await value(failure, together, later) == 1 - 1 / 3  # the repeat costs, the failure no more


async def test_delegations_are_no_tool_calls(call: Build, delegate: Build, value: Value) -> None:
    assert await value(call("read"), delegate("analyst", "x", "y"), delegate("analyst", "x", "y")) == 1


async def test_the_spans_that_cost_are_given_as_evidence(
    a_run: Runs, a_trace: Traced, call: Build, score_of: ScoreOf
) -> None:
    trace = a_trace(call("read", {}, "x"), call("read", {}, "x"), call("search", {}, "", "error"))
    score = await score_of(ToolEfficiency(), a_run(trace=trace))
    assert score.evidence.span_ids == ("s2", "s1")
    assert score.explanation.startswith("3 tool calls: 1 failed, of which 1 was never made good; 1 repeated")


async def test_calling_no_tool_is_zero_where_tools_were_needed_and_never_a_way_out(
    a_run: Runs, a_trace: Traced, case: Case, score_of: ScoreOf
) -> None:
    async def outcome(needs_tools: bool | None, offered: tuple[str, ...] | None) -> tuple[float | None, str | None]:
        run = a_run(trace=a_trace(), case=case.changed(needs_tools=needs_tools), system={"tools_offered": offered})
        score = await score_of(ToolEfficiency(), run)
        return score.value, score.reason

    assert await outcome(True, ("read",)) == (0, None)
    assert await outcome(True, None) == (0, None)
    assert await outcome(None, ("read",)) == (None, "not_measured")
    assert await outcome(False, None) == (None, "not_measured")
    assert await outcome(True, ()) == (None, "not_applicable")


async def test_without_a_trace_nothing_is_measured(a_run: Runs, score_of: ScoreOf) -> None:
    assert (await score_of(ToolEfficiency(), a_run())).reason == "not_measured"


def test_without_calls_there_is_no_share() -> None:
    with pytest.raises(UndefinedMetricError, match="no tool was called"):
        tool_efficiency(0, 0)
