"""Luck, blame and kinds of errors: what is found, with the spans, and what is not claimed."""

from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.ports import Evaluator
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Outcome, Span, Trace
from agents_eval_evaluators.graph.blame import Blame
from agents_eval_evaluators.graph.error_rules import ErrorRules
from agents_eval_evaluators.graph.lucky_pass import LuckyPass

PASSED, FAILED = Outcome(success=True), Outcome(success=False)
Ask = Callable[..., Awaitable[Evaluation]]


@pytest.fixture
def given(a_run: Callable[..., Run], a_trace: Callable[..., Trace], ask: Ask) -> Ask:
    async def evaluate(evaluator: Evaluator, *spans: Span, outcome: Outcome | None = None) -> Evaluation:
        case = Case(id="c", task="other", needs_tools=True)
        return await ask(evaluator, a_run(case=case, trace=a_trace(*spans, outcome=outcome)))

    return evaluate


def say(agent: str, text: str = "I will look") -> Span:
    return Span(id="", seq=0, operation="chat", name="chat", agent_id=agent, text=text)


async def test_a_pass_after_blind_retries_a_broken_check_or_no_check_is_lucky(
    given: Ask, call: Callable[..., Span]
) -> None:
    edit, test = call("edit_file", {"f": 1}), call("run_tests", {})
    retry = [call("fetch", {"u": 1}, "no", "error")] * 2
    broken = call("run_tests", {}, "no", "error")
    for spans, sign in (
        ([*retry, edit, test], "1 blind retries"),
        ([test, edit, broken, test], "a check that had passed failed again (run_tests)"),
        ([test, edit], "without looking at what its last change (edit_file) did"),
    ):
        (finding,) = (await given(LuckyPass(), *spans, outcome=PASSED)).findings
        assert sign in finding.sentence
        assert finding.evidence.span_ids
    tidied = call("bash", {"command": "rm reproduce.py 2>/dev/null"})
    clean = await given(LuckyPass(), edit, test, tidied, outcome=PASSED)
    assert [measure.value for measure in clean.measures] == [False, 0]


@pytest.mark.parametrize(("outcome", "reason"), [(None, "not_measured"), (FAILED, "not_applicable")])
async def test_only_a_success_can_be_lucky(
    outcome: Outcome | None, reason: str, given: Ask, call: Callable[..., Span]
) -> None:
    found = await given(LuckyPass(), call("edit_file"), outcome=outcome)
    assert {measure.reason for measure in found.measures} == {reason}
    assert not found.findings


async def test_the_most_active_worker_is_blamed_for_the_step_before_its_failed_call(
    given: Ask, call: Callable[..., Span]
) -> None:
    spans = [say("a"), say("b"), say("b"), call("run", {}, "no", "error", by="b"), say("b")]
    found = await given(Blame(), *spans, outcome=FAILED)
    assert [measure.value for measure in found.measures] == ["b", "s2", "failed_call", "b", "s1"]
    (finding,) = found.findings
    assert finding.sentence.startswith("The failure most likely goes back to b: it did most of the steps, and its call")
    assert finding.evidence.span_ids == ("s2", "s3")


async def test_without_a_sign_the_prior_is_what_is_left(given: Ask) -> None:
    found = await given(Blame(), say("a"), say("b"), say("a"), outcome=FAILED)
    assert [measure.value for measure in found.measures] == ["a", "s2", "first_step", "a", "s0"]


@pytest.mark.parametrize(("outcome", "reason"), [(None, "not_measured"), (PASSED, "not_applicable")])
async def test_nobody_is_blamed_for_what_did_not_fail(outcome: Outcome | None, reason: str, given: Ask) -> None:
    found = await given(Blame(), say("a"), outcome=outcome)
    assert {measure.reason for measure in found.measures} == {reason}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("HTTP 401 Unauthorized", "authentication_error"),
        ("TypeError: f() got an unexpected keyword argument 'x'", "formatting_error"),
        ("429 Too Many Requests", "rate_limit_error"),
        ("Reached max steps.", "resource_exhaustion_error"),
        ("the request timed out", "timeout_error"),
        ("FileNotFoundError: a.txt", "not_found_error"),
        ("503 Service Unavailable", "service_error"),
        ("bash: foo: command not found", "environment_error"),
    ],
)
async def test_a_failed_span_tells_its_kind_and_a_successful_one_does_not(
    text: str, kind: str, given: Ask, call: Callable[..., Span]
) -> None:
    (finding,) = (await given(ErrorRules(), call("a", {}, text, "error"))).findings
    assert (finding.name, finding.evidence.span_ids, finding.about) == (kind, ("s0",), "process")
    assert not (await given(ErrorRules(), call("a", {}, text))).findings


async def test_calls_repeated_and_answers_without_tools_are_found(given: Ask, call: Callable[..., Span]) -> None:
    repeated = await given(ErrorRules(), *[call("page_down", {}, "x")] * 3)
    assert [finding.name for finding in repeated.findings] == ["resource_abuse"]
    guessed = await given(ErrorRules(), say("a", "It is 42."))
    assert [finding.sentence for finding in guessed.findings] == ["a answered without using any of its tools."]
