"""Luck, blame and kinds of errors: what is found, with the spans, and what is not claimed."""

from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Outcome, Span, Trace
from agents_eval_core.validity import figures_of
from agents_eval_evaluators.graph.blame import Blame
from agents_eval_evaluators.graph.error_rules import ErrorRules
from agents_eval_evaluators.graph.lucky_pass import LuckyPass

PASSED, FAILED = Outcome(success=True), Outcome(success=False)
Ask = Callable[..., Awaitable[Evaluation]]


@pytest.fixture
def given(a_run: Callable[..., Run], a_trace: Callable[..., Trace], ask: Ask) -> Ask:
    async def evaluate(
        evaluator: Evaluator, *spans: Span, outcome: Outcome | None = None, needs_tools: bool | None = True
    ) -> Evaluation:
        case = Case(id="c", task="other", needs_tools=needs_tools)
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
        ([*retry, edit, test], "after 1 blind retry of a call"),
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
    assert finding.sentence.startswith(
        "If one agent must be named for the failure, b: it did most of the steps, and its call"
    )
    assert finding.evidence.span_ids == ("s2", "s3")


async def test_how_often_such_guesses_are_right_is_said_as_it_is_published(
    given: Ask, call: Callable[..., Span]
) -> None:
    spans = [say("a"), say("b"), say("b"), call("run", {}, "no", "error", by="b"), say("b")]
    (finding,) = (await given(Blame(), *spans, outcome=FAILED)).findings
    agent, step = (
        next(one.value for one in figures_of("blame") if one.half == "test half" and one.measure.startswith(what))
        for what in ("agent named rightly", "step named rightly")
    )
    assert agent is not None
    assert step is not None
    assert f"{100 * agent:.0f} % name the right agent, {100 * step:.0f} % the right step" in finding.sentence


async def test_without_a_sign_the_prior_is_what_is_left(given: Ask) -> None:
    found = await given(Blame(), say("a"), say("b"), say("a"), outcome=FAILED)
    assert [measure.value for measure in found.measures] == ["a", "s2", "first_step", "a", "s0"]
    assert not found.findings


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
    tested = [call("run_tests", {}, "red"), call("edit_file", {"line": 1})] * 3
    assert not (await given(ErrorRules(), *tested)).findings
    guessed = await given(ErrorRules(), say("a", "It is 42."))
    assert [finding.sentence for finding in guessed.findings] == ["a answered without using any of its tools."]


async def test_a_finding_quotes_the_words_that_tell_it(given: Ask, call: Callable[..., Span]) -> None:
    text = "Traceback:\nFileNotFoundError: a.txt\nin line 3"
    (finding,) = (await given(ErrorRules(), call("open", {}, text, "error"))).findings
    assert finding.evidence.quotes == ("FileNotFoundError: a.txt",)
    assert finding.sentence.startswith("A call of open by manager asked for something that is not there: ")


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        (["1. Search the archive for it.", "I just know."], True),
        (["1. Think hard.", "I just know."], False),
        (["```py\nprint(6 * 7)\n```"], True),
        (["```py\ntext = open('a.txt').read()\n```"], False),
    ],
)
async def test_an_answer_handed_in_by_a_tool_is_no_use_of_tools(
    *, said: list[str], is_found: bool, given: Ask, call: Callable[..., Span]
) -> None:
    spans = [*(say("manager", text) for text in said), call("final_answer", {"answer": "42"})]
    found = (await given(ErrorRules(), *spans, needs_tools=None)).findings
    assert [finding.evidence.span_ids for finding in found] == ([(f"s{len(said) - 1}",)] if is_found else [])


async def test_who_looked_something_up_or_handed_it_on_did_not_answer_out_of_his_head(
    given: Ask, call: Callable[..., Span], delegate: Callable[..., Span]
) -> None:
    for used in (call("search", {"q": 1}, "x"), delegate("analyst")):
        assert not (await given(ErrorRules(), used, say("manager", "It is 42."), call("final_answer"))).findings
