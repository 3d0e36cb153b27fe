from datetime import UTC, datetime

import pytest

from agents_eval_core.case import Case
from agents_eval_core.resources import resources_of, resources_of_run
from agents_eval_core.run import Resources, Run, System
from agents_eval_core.trace import Operation, Source, Span, Status, Trace, Usage


def a_span(usage: Usage | None, *, operation: Operation = "chat", status: Status = "ok", at: int | None = None) -> Span:
    moment = None if at is None else datetime(2026, 1, 1, 0, 0, at, tzinfo=UTC)
    return Span(
        id="a", seq=0, operation=operation, name="x", usage=usage, status=status, started_at=moment, ended_at=moment
    )


def a_trace(*spans: Span) -> Trace:
    return Trace(id="t", source=Source(format="test"), spans=spans)


def test_requests_tokens_and_cost_are_added_up() -> None:
    usage = Usage(input_tokens=10, output_tokens=2, cost_usd=0.25)
    took = resources_of(a_trace(a_span(usage), a_span(usage), a_span(None, operation="execute_tool")))
    assert took == Resources(model_requests=2, input_tokens=20, output_tokens=4, cost_usd=0.5)


def test_what_agents_say_about_their_subtree_is_not_added_again() -> None:
    chat = a_span(Usage(input_tokens=10))
    agent = a_span(Usage(input_tokens=10, scope="subtree"), operation="invoke_agent")
    assert resources_of(a_trace(agent, chat)).input_tokens == 10


def test_an_empty_trace_tells_nothing_and_never_zero() -> None:
    assert resources_of(a_trace()) == Resources()


def test_a_missing_part_makes_the_total_unknown() -> None:
    priced = a_span(Usage(input_tokens=10, cost_usd=0.1))
    took = resources_of(a_trace(priced, a_span(Usage(input_tokens=5))))
    assert (took.input_tokens, took.cost_usd) == (15, None)


@pytest.mark.parametrize(("status", "total"), [("error", 10), ("ok", None), ("unknown", None)])
def test_only_a_failed_request_may_say_nothing(status: Status, total: int | None) -> None:
    took = resources_of(a_trace(a_span(Usage(input_tokens=10)), a_span(None, status=status)))
    assert (took.model_requests, took.input_tokens) == (2, total)


def test_a_measured_zero_is_zero() -> None:
    assert resources_of(a_trace(a_span(Usage(output_tokens=0)))).output_tokens == 0


def test_time_is_from_the_first_beginning_to_the_last_end() -> None:
    took = resources_of(a_trace(a_span(None, at=1), a_span(None, at=4)))
    assert (took.elapsed_seconds, took.waited_seconds) == (3.0, None)


def test_what_the_whole_workflow_declares_is_the_total_and_what_it_leaves_open_is_added_up() -> None:
    declared = Usage(input_tokens=30, cost_usd=0.5, scope="subtree")
    workflow = Span(id="w", seq=0, operation="invoke_workflow", name="w", usage=declared)
    chat = Span(id="c", seq=1, operation="chat", name="c", parent_id="w", usage=Usage(input_tokens=10, output_tokens=3))
    took = resources_of(a_trace(workflow, chat))
    assert (took.input_tokens, took.output_tokens, took.cost_usd) == (30, 3, 0.5)


@pytest.mark.parametrize(("has_language_model", "known"), [(False, (0, 0, 0.0)), (True, (None, None, None))])
def test_without_a_language_model_nothing_is_paid_and_with_one_silence_is_unknown(
    has_language_model: bool, known: tuple[float | None, ...]
) -> None:
    system = System(engine="mas", has_language_model=has_language_model)
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    case = Case(id="c", task="review")
    run = Run(id="r", status="complete", case=case, system=system, trace=a_trace(a_span(None)), created_at=moment)
    took = resources_of_run(run)
    assert (took.input_tokens, took.output_tokens, took.cost_usd) == known
