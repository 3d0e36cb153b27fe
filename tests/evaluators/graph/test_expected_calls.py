"""Calls against expected calls: the conventions of four other tools, and known answers."""

from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.case import Case, ExpectedCall
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph import call_match
from agents_eval_evaluators.graph.argument_score import argument_score
from agents_eval_evaluators.graph.call_overlap import (
    call_overlap,
    common_subsequence,
    edit_distance,
    edit_similarity,
    ordered_overlap,
)
from agents_eval_evaluators.graph.expected_calls import ExpectedCalls

CALLS = st.lists(st.sampled_from("abcd"), max_size=12)
Values = Callable[..., Awaitable[dict[str, float | str | None]]]


@pytest.fixture
def values(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], ask: Callable[..., Awaitable[Evaluation]]
) -> Values:
    """Return each metric's value, or the reason why there is none."""

    async def evaluate(expected: Sequence[ExpectedCall], *spans: Span) -> dict[str, float | str | None]:
        run = a_run(case=Case(id="c", expected_calls=tuple(expected)), trace=a_trace(*spans))
        scores = (await ask(ExpectedCalls(), run)).scores
        return {score.name: score.reason if score.value is None else round(score.value, 2) for score in scores}

    return evaluate


@pytest.mark.parametrize(
    ("expected", "called", "pydantic_evals", "adk", "azure", "deepeval"),
    [
        ("abc", "acb", (0.67, 1), (0, 0, 1), (0, 1), (1, 0.67)),
        ("abc", "axbc", (0.86, 0.86), (0, 1, 1), (0, 0.86), (1, 1)),
        ("", "", (1, 1), (1, 1, 1), None, (1, 1)),
    ],
)
def test_one_trace_four_tools_four_numbers(
    *,
    expected: str,
    called: str,
    pydantic_evals: tuple[float, float],
    adk: tuple[int, int, int],
    azure: tuple[int, float] | None,
    deepeval: tuple[float, float],
) -> None:
    bag, ordered = call_overlap(expected, called), ordered_overlap(expected, called)
    assert (round(ordered.f1, 2), round(bag.f1, 2)) == pydantic_evals
    exact = call_match.exact_match(expected, called)
    assert (exact, call_match.in_order_match(expected, called), call_match.any_order_match(expected, called)) == adk
    if azure is not None:  # an error there
        assert (exact, round(bag.f1, 2)) == azure
    if expected:  # a recall, and 1 by their convention where nothing is expected
        assert (bag.recall, round(ordered.recall or 0, 2)) == deepeval


def test_ragas_differs_on_repeats_and_on_nothing() -> None:
    assert call_overlap("aab", "ab").f1 == 0.8  # sets: 1
    assert call_overlap("", "").f1 == 1  # ragas: 0


@given(CALLS, CALLS)
def test_fast_sequence_measures_equal_the_textbook_tables(first: list[str], second: list[str]) -> None:
    common = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    edits = [[max(i, j) if not i or not j else 0 for j in range(len(second) + 1)] for i in range(len(first) + 1)]
    for i, one in enumerate(first, 1):
        for j, other in enumerate(second, 1):
            longer = max(common[i - 1][j], common[i][j - 1])
            common[i][j] = common[i - 1][j - 1] + 1 if one == other else longer
            replaced = edits[i - 1][j - 1] + (one != other)
            edits[i][j] = min(replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1)
    assert common_subsequence(first, second) == common[-1][-1]
    assert edit_distance(first, second) == edits[-1][-1]


@given(CALLS, CALLS)
def test_matches_imply_one_another_as_their_definitions_say(first: list[str], second: list[str]) -> None:
    exact = call_match.exact_match(first, second)
    in_order, any_order = call_match.in_order_match(first, second), call_match.any_order_match(first, second)
    unordered = call_match.unordered_match(first, second)
    assert exact <= in_order <= any_order
    assert unordered == (any_order and call_match.subset_match(first, second))
    assert exact == call_match.strict_match(first, [[call] for call in second])
    if first or second:
        assert (edit_similarity(first, second) == 1) == exact


@pytest.mark.parametrize(
    ("expected", "made", "value"),
    [
        ({}, {}, 1),
        (None, {}, 0),
        ({"a": 1}, {"a": "1"}, 0),
        ({"a": 1, "b": 2}, {"b": 2, "c": 3}, 1 / 3),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "y": 3}}, 0.5),
        ('{"a": [1, 2]}', {"a": [1, 2]}, 1),
        ({"a": [1, 2]}, {"a": [2, 1]}, 0),
    ],
)
def test_arguments_are_compared_key_by_key(expected: object, made: object, value: float) -> None:
    assert argument_score(expected, made) == pytest.approx(value)


async def test_swapped_calls_lose_order_and_nothing_else(values: Values, call: Callable[..., Span]) -> None:
    expected = [ExpectedCall(name=name) for name in "abc"]
    found = await values(expected, call("a"), call("c"), call("b"))
    assert found == {
        "exact_match": 0, "in_order_match": 0, "any_order_match": 1, "strict_match": 0, "unordered_match": 1,
        "subset_match": 1, "superset_match": 1, "call_precision": 1, "call_recall": 1, "call_f1": 1,
        "call_lcs_f1": 0.67, "argument_score": "not_applicable", "call_edit_similarity": 0.33,
    }  # fmt: skip


async def test_calls_of_one_reply_may_stand_in_any_order_for_a_strict_match(
    values: Values, call: Callable[..., Span]
) -> None:
    reply = Span(id="", seq=0, operation="chat", name="chat", agent_id="manager")
    expected = [ExpectedCall(name=name) for name in "abc"]
    assert (await values(expected, reply, call("a"), reply, call("c"), call("b")))["strict_match"] == 1
    assert (await values(expected, reply, call("a"), reply, call("c"), reply, call("b")))["strict_match"] == 0


async def test_an_expected_call_without_arguments_takes_any_and_leaves_the_stated_ones_to_theirs(
    values: Values, call: Callable[..., Span]
) -> None:
    expected = [ExpectedCall(name="book"), ExpectedCall(name="book", arguments={"to": "Rome"})]
    rome, oslo = call("book", {"to": "Rome"}), call("book", '{ "to": "Oslo" }')
    assert (await values(expected, oslo, rome))["exact_match"] == 1
    assert (await values(expected, rome, rome))["any_order_match"] == 1
    assert (await values(expected, oslo, oslo))["call_recall"] == 0.5


async def test_a_hand_off_is_expected_by_its_receiver(values: Values, delegate: Callable[..., Span]) -> None:
    expected = [ExpectedCall(name="researcher")]
    assert (await values(expected, delegate("researcher")))["exact_match"] == 1
    assert (await values(expected, delegate("analyst")))["any_order_match"] == 0
    assert (await values([ExpectedCall(name="read")], delegate("analyst")))["call_precision"] == "not_applicable"


async def test_nothing_expected_is_not_applicable_whatever_was_called(
    values: Values, call: Callable[..., Span]
) -> None:
    assert set((await values([], call("a"))).values()) == {"not_applicable"}


async def test_what_differs_is_named_with_its_spans(
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    call: Callable[..., Span],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    case = Case(id="c", expected_calls=(ExpectedCall(name="a"), ExpectedCall(name="b")))
    found = (await ask(ExpectedCalls(), a_run(case=case, trace=a_trace(call("a"), call("x"))))).findings
    assert [(one.name, one.sentence) for one in found] == [
        ("missing_calls", "Expected and not made: b."),
        ("unexpected_calls", "Made and not expected: x."),
    ]
    assert found[1].evidence.span_ids == ("s1",)
