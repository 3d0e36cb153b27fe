from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.text.time_taken import TimeTaken, time_taken

ScoreOf = Callable[..., Awaitable[Score]]


async def test_time_is_that_of_the_trace_and_differs_between_runs(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], timed: Callable[..., Span], score_of: ScoreOf
) -> None:
    """Guards D4: the stamps were taken microseconds apart around nothing, so that every run had 0.999."""
    quick, slow = (a_run(trace=a_trace(timed("m", 0, 1), timed("m", 2, end))) for end in (20, 180))
    assert [(await score_of(TimeTaken(), run)).value for run in (quick, slow)] == [0.75, 0.25]


async def test_the_budget_of_the_case_comes_before_the_default(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], timed: Callable[..., Span], case: Case, score_of: ScoreOf
) -> None:
    run = a_run(trace=a_trace(timed("m", 0, 30)), case=case.changed(budget_seconds=10))
    assert (await score_of(TimeTaken(), run)).value == 0.25
    other = a_run(trace=a_trace(timed("m", 0, 30)))
    assert (await score_of(TimeTaken(), other, EvaluationContext(time_budget_seconds=30))).value == 0.5


async def test_without_a_language_model_time_says_nothing(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], timed: Callable[..., Span], score_of: ScoreOf
) -> None:
    run = a_run(trace=a_trace(timed("m", 0, 1)), system={"has_language_model": False})
    assert (await score_of(TimeTaken(), run)).reason == "not_applicable"


async def test_an_empty_output_earns_nothing_by_being_quick(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], timed: Callable[..., Span], score_of: ScoreOf
) -> None:
    score = await score_of(TimeTaken(), a_run(trace=a_trace(timed("m", 0, 1)), text=" "))
    assert (score.reason, score.explanation) == ("not_measured", "the output is empty: its time is no merit")


async def test_a_trace_without_a_clock_is_not_measured(
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    timed: Callable[..., Span],
    call: Callable[..., Span],
    score_of: ScoreOf,
) -> None:
    for trace in (a_trace(timed("m", 0, 9), clock="none"), a_trace(call("read")), a_trace(), None):
        assert (await score_of(TimeTaken(), a_run(trace=trace))).reason == "not_measured"


async def test_a_trace_that_ends_before_it_begins_is_not_measured(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], timed: Callable[..., Span], score_of: ScoreOf
) -> None:
    score = await score_of(TimeTaken(), a_run(trace=a_trace(timed("m", 5, 1))))
    assert score.reason == "not_measured"
    assert "before it begins" in score.explanation


def test_a_budget_must_be_positive() -> None:
    with pytest.raises(UndefinedMetricError, match="no budget"):
        time_taken(1, 0)
