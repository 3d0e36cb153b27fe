"""The older formula: results / time / complexity."""

from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Outcome, Span, ToolUse, Trace
from agents_eval_evaluators.graph.result_rate import ResultRate


async def test_it_is_the_declared_result_per_minute_and_part(
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    timed: Callable[..., Span],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    work = (timed("a", 0, 30, operation="execute_tool", tool=ToolUse(name="read")), timed("b", 30, 60))

    async def rate(**outcome: object) -> object:
        trace = a_trace(*work, outcome=Outcome(**outcome) if outcome else None)  # type: ignore[arg-type]
        (measure,) = (await ask(ResultRate(), a_run(trace=trace))).measures
        return measure.reason or measure.value

    assert await rate(success=True) == pytest.approx(1 / 3)
    assert await rate(reward=0.6, success=False) == pytest.approx(0.2)
    assert await rate(success=False) == 0
    assert await rate() == "not_measured"


async def test_without_a_clock_or_a_trace_there_is_none(
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    call: Callable[..., Span],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    timeless = a_trace(call("read"), outcome=Outcome(success=True), clock="none")
    for run in (a_run(trace=timeless), a_run()):
        assert [measure.reason for measure in (await ask(ResultRate(), run)).measures] == ["not_measured"]
