"""Failed calls, loops and entropy: a hundred rounds are not one."""

from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Agent, Source, Span, Trace
from agents_eval_evaluators.graph.call_entropy import CallEntropy
from agents_eval_evaluators.graph.counts import Counts
from agents_eval_evaluators.graph.failed_calls import FailedCalls
from agents_eval_evaluators.graph.loops import Loops

Figures = Callable[..., Awaitable[dict[str, object]]]


@pytest.fixture
def figures(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], ask: Callable[..., Awaitable[Evaluation]]
) -> Figures:
    """Return scores and measures by name; a reason where there is no value."""

    async def evaluate(evaluator: Evaluator, *spans: Span) -> dict[str, object]:
        given = await ask(evaluator, a_run(trace=a_trace(*spans)))
        return {one.name: one.reason or one.value for one in (*given.scores, *given.measures)}

    return evaluate


async def test_a_hundred_rounds_are_not_one(figures: Figures, call: Callable[..., Span]) -> None:
    once = [call(name, {"q": 1}, "same") for name in ("search", "read", "write")]
    assert (await figures(Loops(), *once))["loop_score"] == 1
    many = await figures(Loops(), *once * 100)
    assert (many["loop_score"], many["identical_repeats"]) == (0, 297)
    assert (await figures(CallEntropy(), *once))["calls_per_distinct_call"] == 1
    assert (await figures(CallEntropy(), *once * 100))["calls_per_distinct_call"] == 100


@pytest.mark.parametrize(("times", "value"), [(2, 1), (3, 0.5), (5, 0.5), (6, 0)])
async def test_the_most_repeated_call_decides(
    times: int, value: float, figures: Figures, call: Callable[..., Span]
) -> None:
    assert (await figures(Loops(), *[call("read", {"a": 1}, "x")] * times))["loop_score"] == value


async def test_asking_until_the_answer_changes_is_no_loop(figures: Figures, call: Callable[..., Span]) -> None:
    waiting = [call("status", {"job": 1}, f"{percent} %") for percent in range(0, 100, 10)]
    assert (await figures(Loops(), *waiting))["loop_score"] == 1


async def test_the_layout_of_json_makes_no_other_call(figures: Figures, call: Callable[..., Span]) -> None:
    spans = call("a", {"x": 1, "y": 2}, '{"r": 1}'), call("a", '{"y":2, "x":1}', '{ "r": 1 }')
    assert (await figures(Loops(), *spans))["identical_repeats"] == 1


async def test_saying_the_same_again_and_again_is_stagnation(figures: Figures, timed: Callable[..., Span]) -> None:
    words = "I will now look for the missing file in the second folder"
    said = [timed("manager", n, n + 1, text=words) for n in range(4)]
    found = await figures(Loops(), *said)
    assert (found["loop_score"], found["stagnant_outputs"]) == (0.5, 3)
    others = [timed("manager", n, n + 1, text=f"part {n} holds {n * 7} words of {n * 3}") for n in range(4)]
    assert (await figures(Loops(), *others))["stagnant_outputs"] == 0


async def test_work_started_within_itself_is_a_cycle(figures: Figures, call: Callable[..., Span]) -> None:
    above = call("plan", {"goal": "x"}, id="p")
    assert (await figures(Loops(), above, call("plan", {"goal": "x"}, id="q", parent_id="p")))["loop_score"] == 0
    assert (await figures(Loops(), above, call("plan", {"goal": "y"}, id="q", parent_id="p")))["loop_score"] == 1


async def test_ninety_nine_failures_are_not_excused_by_one_success(figures: Figures, call: Callable[..., Span]) -> None:
    spans = [call("a", {"n": n}, "no", "error") for n in range(99)] + [call("a")]
    found = await figures(FailedCalls(), *spans)
    assert found == {
        "recovery": pytest.approx(1 / 99),
        "unrecovered_calls": 98,
        "recovered_calls": 1,
        "repeated_failures": 0,
    }


async def test_trying_again_unchanged_is_counted_until_it_works(figures: Figures, call: Callable[..., Span]) -> None:
    failing, working = call("a", {"n": 1}, "no", "error"), call("a", {"n": 1}, "yes")
    assert (await figures(FailedCalls(), failing, failing, working, failing))["repeated_failures"] == 1


async def test_what_ran_at_once_says_nothing_about_one_another_in_either_order(
    figures: Figures, call: Callable[..., Span], timed: Callable[..., Span]
) -> None:
    def timed_call(status: str, start: int, end: int) -> Span:
        times = timed("manager", start, end)
        return call("a", {"n": 1}, status, status, started_at=times.started_at, ended_at=times.ended_at)

    failure, success = timed_call("error", 0, 2), timed_call("ok", 0, 2)
    again, works = timed_call("error", 2, 3), timed_call("ok", 3, 4)
    for first, second in ((failure, success), (success, failure)):
        assert (await figures(FailedCalls(), first, second))["recovery"] == 0
        assert (await figures(Counts(), first, second))["retries"] == 0
        assert (await figures(FailedCalls(), first, second, again))["repeated_failures"] == 1
        found = await figures(FailedCalls(), first, second, again, works)
        assert (found["recovery"], (await figures(Counts(), first, second, again, works))["retries"]) == (0.5, 2)


async def test_without_failures_nothing_is_claimed(figures: Figures, call: Callable[..., Span]) -> None:
    assert (await figures(FailedCalls(), call("a")))["recovery"] == "not_applicable"
    assert (await figures(FailedCalls(), call("a", status="unknown")))["recovery"] == "not_measured"
    assert (await figures(FailedCalls()))["unrecovered_calls"] == "not_applicable"
    assert (await figures(CallEntropy()))["call_entropy"] == "not_applicable"


async def test_every_finding_is_a_sentence_with_spans(
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    call: Callable[..., Span],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    trace = a_trace(*[call("a", {"n": 1}, "no", "error", error_type="KeyError")] * 3)
    findings = [
        finding for one in (FailedCalls(), Loops()) for finding in (await ask(one, a_run(trace=trace))).findings
    ]
    assert [finding.sentence for finding in findings] == [
        "3 failed calls were never made good; the last is a by manager (KeyError).",
        "A call that had failed was made again unchanged 2 times and failed again (a).",
        "manager called a 3 times with the same arguments and the same result.",
    ]
    assert all(finding.about == "process" and finding.evidence.span_ids for finding in findings)


async def test_what_users_say_is_no_stagnation(
    a_run: Callable[..., Run], timed: Callable[..., Span], ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    spans = tuple(timed("user", n, n, id=str(n), seq=n, text="please go on with the task") for n in range(5))
    user = Agent(id="user", name="user", role="user")
    trace = Trace(id="t", source=Source(format="native"), spans=spans, agents=(user,))
    (score,) = (await ask(Loops(), a_run(trace=trace))).scores
    assert score.value == 1
