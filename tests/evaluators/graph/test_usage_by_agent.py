from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Agent, Source, Span, Trace, Usage
from agents_eval_evaluators.graph.usage_by_agent import UsageByAgent, usage_by_agent

Build = Callable[..., Span]
Traced = Callable[..., Trace]


def _usage(tokens: int | None, cost: float | None = None) -> Usage:
    return Usage(input_tokens=tokens, output_tokens=1, cost_usd=cost)


def test_tokens_cost_and_time_belong_to_the_agent_that_spent_them(a_trace: Traced, timed: Build) -> None:
    trace = a_trace(
        timed("manager", 0, 10, id="run", operation="invoke_agent"),
        timed("manager", 0, 2, parent_id="run", usage=_usage(100, 0.5)),
        timed("manager", 2, 8, id="ask", parent_id="run", operation="execute_tool", to_agent_id="analyst"),
        timed("analyst", 3, 7, id="sub", parent_id="ask", operation="invoke_agent"),
        timed("analyst", 3, 7, parent_id="sub", usage=_usage(7, 0.25)),
        timed("manager", 8, 10, parent_id="run", usage=_usage(200, 0.25)),
    )
    assert usage_by_agent(trace) == {
        "manager": {"input_tokens": 300, "output_tokens": 2, "cost_usd": 0.75, "seconds": 6.0},
        "analyst": {"input_tokens": 7, "output_tokens": 1, "cost_usd": 0.25, "seconds": 4.0},
    }


def test_a_request_without_a_figure_makes_the_sum_unknown_and_never_zero(a_trace: Traced, timed: Build) -> None:
    trace = a_trace(timed("a", 0, 1, usage=_usage(5)), timed("a", 1, 2), timed("b", 2, 3, usage=_usage(5)))
    found = usage_by_agent(trace)
    assert (found["a"]["input_tokens"], found["b"]["input_tokens"]) == (None, 5)
    assert found["b"]["cost_usd"] is None


def test_a_branch_total_counts_only_where_nobody_else_worked_beneath(a_trace: Traced, timed: Build) -> None:
    total = Usage(input_tokens=50, scope="subtree")
    alone = a_trace(timed("a", 0, 2, operation="invoke_agent", usage=total))
    shared = a_trace(
        timed("a", 0, 2, id="a", operation="invoke_agent", usage=total),
        timed("b", 1, 2, parent_id="a", usage=_usage(5)),
    )
    assert usage_by_agent(alone)["a"]["input_tokens"] == 50
    assert usage_by_agent(shared)["a"]["input_tokens"] is None


def test_agents_of_one_name_are_told_apart_by_their_ids(timed: Build) -> None:
    people = tuple(Agent(id=name, name="worker") for name in ("w1", "w2"))
    trace = Trace(
        id="t",
        source=Source(format="native"),
        agents=people,
        spans=(timed("w1", 0, 1, id="1"), timed("w2", 0, 3, id="2")),
    )
    assert {name: figures["seconds"] for name, figures in usage_by_agent(trace).items()} == {
        "worker (w1)": 1,
        "worker (w2)": 3,
    }


async def test_a_trace_without_a_clock_has_no_times(
    a_run: Callable[..., Run], a_trace: Traced, timed: Build, ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    async def seconds(**changes: str) -> list[object]:
        measures = (await ask(UsageByAgent(), a_run(trace=a_trace(timed("a", 0, 2), **changes)))).measures
        return [measure.value for measure in measures if measure.name == "a.seconds"]

    assert await seconds() == [2.0]
    assert await seconds(clock="none") == [None]


async def test_without_a_trace_no_agent_is_known(
    a_run: Callable[..., Run], ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    assert await ask(UsageByAgent(), a_run()) == Evaluation()


def test_overlapping_requests_of_one_agent_take_their_time_once(a_trace: Traced, timed: Build) -> None:
    assert usage_by_agent(a_trace(timed("a", 0, 4), timed("a", 2, 6)))["a"]["seconds"] == pytest.approx(6)
