"""A review whose provider is in trouble for a while: it is waited for, seen, and not held against the run."""

import time
from collections.abc import Awaitable, Callable

import pytest

from agents_eval_agents.providers import patient_model, traffic
from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.waits import WAIT, WAIT_REASON
from scripted_server.exchange import Ask, Fault, Say
from scripted_server.script import always, capable, one_after_another
from scripted_server.server import ScriptedServer

Review = Callable[..., Awaitable[EvaluatedRun]]
Reached = Callable[[str], str]


async def test_a_rate_limit_is_waited_for_as_the_server_asks_and_not_held_against_the_run(
    scripted_server: ScriptedServer, reached: Reached, review: Review, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patient_model, "FIRST_PAUSE_SECONDS", 100.0)
    limit = Fault(status=429, message="slow down", headers={"retry-after-ms": "300", "retry-after": "1"})
    scripted_server.script = one_after_another([limit])
    done = await review(reached("openai"), composition="manager")
    assert done.run.status == "complete"
    assert done.run.trace is not None
    (wait,) = [span for span in done.run.trace.spans if span.name == WAIT]
    assert wait.attributes[WAIT_REASON] == "rate limit"
    assert any("rate limit of openai (attempt 1 of 5 failed)" in action for action in told)
    assert done.scorecard is not None
    took = done.scorecard.resources
    assert took.waited_seconds
    assert took.elapsed_seconds
    assert 0.3 <= took.waited_seconds < took.elapsed_seconds
    score = next(each for each in done.scorecard.scores if each.name == "time_taken")
    assert score.value == pytest.approx(60 / (60 + took.elapsed_seconds - took.waited_seconds))
    assert "of waiting for the provider" in score.explanation


async def test_a_longer_wait_than_is_waited_for_ends_the_run_at_once_with_its_length(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    scripted_server.script = always(Fault(status=429, headers={"retry-after": "7"}))
    done = await review(reached("openai"), composition="manager", AGENTS_EVAL_LONGEST_WAIT_SECONDS=6.5)
    assert (done.run.status, len(scripted_server.asked)) == ("failed", 1)
    assert done.run.problem is not None
    assert "it asks for a wait of 7 s" in done.run.problem.message


async def test_how_often_the_same_is_asked_is_a_setting(
    scripted_server: ScriptedServer, reached: Reached, review: Review, no_pauses: None
) -> None:
    scripted_server.script = always(Fault(status=503))
    done = await review(reached("openai"), composition="manager", AGENTS_EVAL_ATTEMPTS=2)
    assert len(scripted_server.asked) == 2
    assert done.run.problem is not None
    assert "(asked 2 times)" in done.run.problem.message


async def test_the_next_model_takes_over_where_one_fails(
    scripted_server: ScriptedServer, reached: Reached, review: Review, no_pauses: None
) -> None:
    def only_anthropic(ask: Ask) -> Say | Fault:
        return capable(ask) if ask.dialect == "anthropic" else Fault(status=401)

    scripted_server.script = only_anthropic
    reached("anthropic")
    done = await review(reached("openai"), composition="manager", fallbacks=["anthropic:scripted-2"])
    assert done.run.status == "complete"
    assert done.run.trace is not None
    assert "scripted-2" in {span.model for span in done.run.trace.spans}
    assert any(span.status == "error" for span in done.run.trace.spans)


async def test_where_every_model_of_a_chain_fails_each_is_told_with_its_reason(
    scripted_server: ScriptedServer, reached: Reached, review: Review, no_pauses: None
) -> None:
    def refuse(ask: Ask) -> Fault:
        return Fault(status=401 if ask.dialect == "anthropic" else 404)

    scripted_server.script = refuse
    reached("anthropic")
    done = await review(reached("openai"), composition="manager", AGENTS_EVAL_FALLBACKS="anthropic:scripted-2")
    assert done.run.problem is not None
    message = done.run.problem.message
    assert "every model of the chain failed: openai model" in message
    assert "anthropic model 'scripted-2': the provider refused the key (HTTP 401); check ANTHROPIC_API_KEY" in message


async def test_a_fallback_that_cannot_be_used_is_told_before_anything_is_started(
    reached: Reached, review: Review
) -> None:
    with pytest.raises(UsageError, match="'anthropic' cannot be used: no key; set ANTHROPIC_API_KEY"):
        await review(reached("openai"), fallbacks=["anthropic:scripted-2"])


async def test_a_provider_that_keeps_failing_is_left_alone(
    scripted_server: ScriptedServer, reached: Reached, review: Review, no_pauses: None
) -> None:
    scripted_server.script = always(Fault(status=500))
    first = await review(reached("openai"), composition="manager", AGENTS_EVAL_ATTEMPTS=traffic.FAILURES_IN_A_ROW)
    second = await review("openai", composition="manager")
    assert len(scripted_server.asked) == traffic.FAILURES_IN_A_ROW
    assert (first.run.status, second.run.status) == ("failed", "failed")
    assert second.run.problem is not None
    assert "10 requests in a row failed, so it is left alone for 30 s" in second.run.problem.message


async def test_no_more_requests_are_open_at_a_time_than_the_setting_allows(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    import asyncio

    def slowly(ask: Ask) -> Say:
        time.sleep(0.01)
        return capable(ask)

    scripted_server.script = slowly
    reached("openai")
    papers = ["alloy-cracks", "bus-vouchers", "dialect-tags", "edge-caches"]
    asked = {"composition": "manager", "AGENTS_EVAL_REQUESTS_AT_ONCE": 2, "evaluate": False}
    done = await asyncio.gather(*(review("openai", paper=paper, **asked) for paper in papers))
    assert {each.run.status for each in done} == {"complete"}
    assert scripted_server.most_at_once == 2


async def test_no_more_requests_are_made_a_minute_than_the_setting_allows(
    scripted_server: ScriptedServer, reached: Reached, review: Review
) -> None:
    done = await review(reached("openai"), composition="manager", AGENTS_EVAL_REQUESTS_PER_MINUTE=1200)
    assert done.scorecard is not None
    took = done.scorecard.resources
    assert took.elapsed_seconds
    assert took.elapsed_seconds >= (len(scripted_server.asked) - 1) * 0.05
    assert took.waited_seconds


async def test_a_stream_that_cannot_begin_is_asked_for_again(
    scripted_server: ScriptedServer, reached: Reached, no_pauses: None
) -> None:
    from pydantic_ai import Agent

    scripted_server.script = one_after_another([Fault(status=503)], always(Say(text="All is well. " * 20)))
    model = registry.provider(reached("openai")).agent_model("m")
    patient = patient_model.PatientModel(model, traffic=traffic.Traffic("openai"), at_once=1)
    pieces: list[str] = []
    async with patient, Agent(patient).run_stream("?") as answer:
        pieces = [piece async for piece in answer.stream_text(delta=True, debounce_by=None)]
    assert "".join(pieces) == "All is well. " * 20
    assert len(pieces) > 3
    assert len(scripted_server.asked) == 2
