"""Several runs of one task, by known answers: length, likeness, agreement, reliability, fixed tests."""

from collections.abc import Awaitable, Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agents_eval_core import registry
from agents_eval_core.ports.evaluator import GroupEvaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.statistics.pass_at_k import pass_at_k, pass_hat_k
from agents_eval_core.trace import Agent, Annotation, Span
from agents_eval_evaluators.graph.across_runs.answer_agreement import AnswerAgreement
from agents_eval_evaluators.graph.across_runs.fix_rate import FixRate
from agents_eval_evaluators.graph.across_runs.pass_at_k import PassAtK
from agents_eval_evaluators.graph.across_runs.path_convergence import PathConvergence
from agents_eval_evaluators.graph.across_runs.path_similarity import PathSimilarity

Trial = Callable[..., Run]
Across = Callable[..., Awaitable[Evaluation]]
Figures = Callable[[Evaluation], dict[str, object]]
Spans = Callable[..., Span]
ALL: tuple[GroupEvaluator, ...] = tuple(
    plugin for plugin in registry.group_evaluators() if not isinstance(plugin, BrokenPlugin)
)


async def test_the_shortest_success_sets_the_mark_and_a_run_that_gave_up_does_not(
    trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    runs = (
        trial("short", call("read"), call("book")),
        trial("long", *[call("read")] * 3, call("book")),
        trial("gave_up", call("read"), success=False),
    )
    found = figures(await across(PathConvergence(), *runs))
    assert found["path_convergence"] == pytest.approx((1 + 2 / 4) / 2)
    assert found["shortest_success"] == 2
    assert (found["short.relative_length"], found["long.relative_length"]) == (0.5, 2)
    assert found["gave_up.relative_length"] == 0.5


async def test_a_detour_is_a_finding_with_the_spans_that_came_after_the_mark(
    trial: Trial, across: Across, call: Spans
) -> None:
    runs = (trial("short", call("read")), trial("long", *[call("read")] * 3))
    (finding,) = (await across(PathConvergence(), *runs)).findings
    assert finding.sentence == "Run long took 3 steps to succeed where short needed 1."
    assert finding.evidence.span_ids == ("long/s1", "long/s2")


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [([True], "not_applicable"), ([False, False], "not_applicable"), ([None, None], "not_measured")],
)
async def test_there_is_no_convergence_of_one_run_of_failures_or_of_unknown_outcomes(
    *, outcomes: list[bool | None], reason: str, trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    runs = [trial(f"r{number}", call("read"), success=outcome) for number, outcome in enumerate(outcomes)]
    assert figures(await across(PathConvergence(), *runs))["path_convergence"] == reason


async def test_what_a_user_says_makes_no_path_longer(
    trial: Trial, across: Across, figures: Figures, call: Spans, says: Spans
) -> None:
    talkative = [says("hello", "guest"), call("read"), says("and then?", "guest"), says("thanks a lot", "guest")]
    agents = {"agents": ("manager",)}
    runs = [trial("plain", call("read"), **agents), trial("talkative", *talkative, **agents)]
    people = (Agent(id="manager", name="manager"), Agent(id="guest", name="guest", role="user"))
    assert runs[1].trace is not None
    runs[1] = runs[1].changed(trace=structs.replace(runs[1].trace, agents=people))
    assert figures(await across(PathConvergence(), *runs))["path_convergence"] == 1


async def test_equal_ways_are_alike_whatever_was_asked(
    trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    runs = (
        trial("one", call("read", {"section": 1}), call("book")),
        trial("two", call("read", {"section": 2}), call("book")),
        trial("other", call("search")),
    )
    found = figures(await across(PathSimilarity(), *runs))
    assert (found["one.path_similarity"], found["other.path_similarity"]) == (0.5, 0)
    assert found["path_similarity"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("texts", "agreement", "distinct"),
    [
        ((r"so \boxed{10.0}", r"\boxed{10}", r"thus \boxed{\text{10}} ribbons"), 1, 1),
        ((r"\boxed{\frac{1}{2}}", r"\boxed{0.5}", r"\boxed{2}"), 1 / 3, 2),
        (("The answer is 30.", "the final answer: $30$", "#### 31"), 1 / 3, 2),
        (("Paris", "paris.", "It could be Paris or Rome, nobody knows for sure."), 1 / 3, 1),
    ],
)
async def test_answers_are_compared_by_what_they_say(
    *,
    texts: tuple[str, ...],
    agreement: float,
    distinct: int,
    trial: Trial,
    across: Across,
    figures: Figures,
    says: Spans,
) -> None:
    runs = [trial(f"r{number}", says(text), text=text) for number, text in enumerate(texts)]
    found = figures(await across(AnswerAgreement(), *runs))
    assert found["answer_agreement"] == pytest.approx(agreement)
    assert found["distinct_answers"] == distinct


async def test_where_tools_change_something_what_was_done_is_the_answer(
    trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    booked = [call("get_seats", {"day": 1}, "1A"), call("book", {"seat": "1A"})]
    runs = (
        trial("a", *booked, text="Your seat is booked. Have a good flight, and goodbye!"),
        trial("b", *reversed(booked), text="You are welcome."),
        trial("c", booked[0], text="Sorry."),
    )
    given = await across(AnswerAgreement(), *runs)
    assert figures(given)["answer_agreement"] == pytest.approx(1 / 3)
    (finding,) = given.findings
    assert "Run c did 'no change' where 2 of 3 runs did" in finding.sentence


async def test_texts_that_cannot_be_equal_are_not_compared(
    trial: Trial, across: Across, figures: Figures, says: Spans
) -> None:
    runs = [trial(name, says(f"A long and thoughtful text by {name}, of many words.")) for name in "ab"]
    assert figures(await across(AnswerAgreement(), *runs))["answer_agreement"] == "not_applicable"


@given(outcomes=st.lists(st.booleans(), min_size=1, max_size=6), k=st.integers(1, 6))
def test_both_estimators_equal_the_share_of_all_draws(outcomes: list[bool], k: int) -> None:
    if k > len(outcomes):
        return
    draws = list(combinations(outcomes, k))
    wins = sum(outcomes)
    assert pass_at_k(len(outcomes), wins, k) == pytest.approx(sum(any(draw) for draw in draws) / len(draws))
    assert pass_hat_k(len(outcomes), wins, k) == pytest.approx(sum(all(draw) for draw in draws) / len(draws))


async def test_more_runs_than_there_are_cannot_be_drawn(
    trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    runs = [trial(name, call("read"), success=name == "a") for name in "abc"]
    given = await across(PassAtK(), *runs, trial("unknown", call("read"), success=None))
    found = figures(given)
    assert found["pass_at_1"] == pytest.approx(1 / 3)
    assert found["pass_at_2"] == pytest.approx(2 / 3)
    assert (found["pass_hat_2"], found["pass_at_4"]) == (0, "not_applicable")
    assert found["runs_with_outcome"] == 3
    assert [finding.sentence for finding in given.findings] == ["The task was solved in 1 of 3 runs; not in b, c."]


def with_results(trial: Trial, name: str, span: Span, fixed: int, broken: int) -> Run:
    names = [str(number) for number in range(10)]
    status = {
        "FAIL_TO_PASS": {"success": names[:fixed], "failure": names[fixed:4]},
        "PASS_TO_PASS": {"success": names[broken:], "failure": names[:broken]},
    }
    return trial(name, span, annotations=(Annotation(name="tests_status", value=status),))


async def test_a_broken_test_takes_the_whole_rate_away(
    trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    runs = [with_results(trial, "most", call("edit"), 3, 0), with_results(trial, "breaks", call("edit"), 4, 1)]
    given = await across(FixRate(), *runs)
    found = figures(given)
    assert (found["fix_rate"], found["resolved"]) == (0.375, 0)
    assert found["retention"] == pytest.approx(0.95)
    assert [finding.sentence for finding in given.findings] == ["Run breaks broke 1 of 10 tests that had passed."]


async def test_results_of_another_shape_are_no_results(
    trial: Trial, across: Across, figures: Figures, call: Spans
) -> None:
    odd = trial("odd", call("edit"), annotations=(Annotation(name="tests_status", value="all green"),))
    assert figures(await across(FixRate(), odd))["fix_rate"] == "not_measured"


@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
async def test_every_metric_across_runs_gives_its_scores_or_says_why_not(
    evaluator: GroupEvaluator, trial: Trial, across: Across, call: Spans, a_run: Callable[..., Run]
) -> None:
    untraced = a_run(id="untraced", trace=None, text="x", output=None)
    for runs in ((), (untraced,), (trial("a"),), (trial("a"), untraced), (trial("a", call("x")), trial("b"))):
        given = await across(evaluator, *runs)
        assert tuple(score.name for score in given.scores) == evaluator.metrics
        assert all(score.value is None or 0 <= score.value <= 1 for score in given.scores)
        assert all(score.reason != "failed" for score in given.scores)
        assert given == await across(evaluator, *runs)


def test_the_metrics_across_runs_are_declared() -> None:
    assert {plugin.name for plugin in ALL} >= {
        "answer_agreement",
        "fix_rate",
        "pass_at_k",
        "path_convergence",
        "path_similarity",
    }
