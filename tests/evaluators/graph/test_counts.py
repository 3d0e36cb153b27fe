from collections.abc import Awaitable, Callable

from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.counts import Counts, counts, delegation_depth

Build = Callable[..., Span]
Traced = Callable[..., Trace]
Runs = Callable[..., Run]


async def _counted(ask: Callable[..., Awaitable[Evaluation]], run: Run) -> dict[str, object]:
    return {measure.name: measure.value for measure in (await ask(Counts(), run)).measures}


def test_what_happened_is_counted(a_trace: Traced, call: Build, delegate: Build, timed: Build) -> None:
    trace = a_trace(
        timed("manager", 0, 1),
        delegate("researcher", id="d"),
        call("read", {}, "down", "error", by="researcher", parent_id="d"),
        call("read", {}, "text", by="researcher", parent_id="d"),
        timed("manager", 3, 4),
        agents=("manager", "researcher"),
    )
    assert counts(trace) == {
        "agents": 2,
        "spans": 5,
        "model_requests": 2,
        "tool_calls": 2,
        "failed_calls": 1,
        "delegations": 1,
        "delegation_depth": 1,
        "retries": 1,
    }


async def test_without_a_trace_everything_is_unknown_and_nothing_is_zero(
    a_run: Runs, ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    assert set((await _counted(ask, a_run())).values()) == {None}


def test_depth_follows_nested_spans_and_not_the_number_of_delegations(a_trace: Traced, delegate: Build) -> None:
    wide = a_trace(delegate("a"), delegate("b"), delegate("c"))
    deep = a_trace(
        delegate("a", id="1"),
        delegate("b", id="2", by="a", parent_id="1"),
        delegate("c", id="3", by="b", parent_id="2"),
    )
    assert (delegation_depth(a_trace()), delegation_depth(wide), delegation_depth(deep)) == (0, 1, 3)
