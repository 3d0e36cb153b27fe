"""One question to one judge: what is sent, what is kept, what stops it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from agents_eval_core.errors import BudgetSpentError
from agents_eval_core.judging import Budget, JudgeLedger
from agents_eval_core.ports.chat_model import ChatMessage
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_evaluators.judge.evidence import occurs, plain
from agents_eval_evaluators.judge.fence import Part, new_mark
from agents_eval_evaluators.judge.grading import grade
from agents_eval_evaluators.judge.questioning import Answer, NoAnswer, Question, ask
from agents_eval_evaluators.judge.rubric import shipped_rubric
from agents_eval_evaluators.judge.tally import tally

Make = Callable[..., Any]
QUESTION = Question(
    rubric=shipped_rubric("planning_rationality"), parts=(Part(name="steps", text="1. ann reads \\frac{a}{b}"),)
)


async def one(context: EvaluationContext, seconds: float = 5.0) -> Answer | NoAnswer:
    return await ask(context.judges[0], QUESTION, context, seconds=seconds)


async def test_every_question_has_a_new_mark_and_the_same_key(scripted: Make, judged_by: Make) -> None:
    judge = scripted()
    context = judged_by(judge)
    await one(context)
    await one(context)
    first, second = context.ledger.exchanges
    assert first.key == second.key
    assert judge.asked[0][1].text != judge.asked[1][1].text
    marks = {messages[1].text.split(" ")[0] for messages in judge.asked}
    assert len(marks) == 2


def test_a_mark_that_occurs_in_the_material_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["aa" * 12, "bb" * 12])

    def draw(_: int) -> str:
        return next(drawn)

    monkeypatch.setattr("agents_eval_evaluators.judge.fence.secrets.token_hex", draw)
    assert new_mark([Part(name="review", text="AA" * 12)]) == "bb" * 12


async def test_a_repair_turn_says_what_was_wrong_and_is_the_last(scripted: Make, judged_by: Make) -> None:
    def script(_: object, number: int) -> Any:
        return "Five!" if number == 1 else {"answers": []}

    judge = scripted(script=script)
    context = judged_by(judge)
    reply = await one(context)
    assert isinstance(reply, NoAnswer)
    assert reply.error_type == "unreadable"
    assert len(judge.asked) == 2
    assistant, repair = judge.asked[1][2:]
    assert assistant == ChatMessage(role="assistant", text="Five!")
    assert "it is not in form" in repair.text
    assert [each.outcome for each in context.ledger.exchanges] == ["unreadable", "unreadable"]


async def test_a_judge_that_is_late_is_not_waited_for(judged_by: Make, scripted: Make) -> None:
    context = judged_by(scripted(after_seconds=30.0))
    reply = await one(context, seconds=0.05)
    assert isinstance(reply, NoAnswer)
    assert (reply.error_type, reply.sentence) == ("timeout", "no answer within 0.05 s")
    assert context.ledger.exchanges[0].outcome == "timeout"


async def test_what_is_set_aside_gives_way_to_what_was_used(judged_by: Make, scripted: Make) -> None:
    """Each question may take some 5,000 tokens and takes 15; so many fit one after another, and two at a time."""
    context = judged_by(scripted(after_seconds=0.01), budget=Budget(tokens=12_000))
    for _ in range(30):
        assert isinstance(await one(context), Answer)
    together = await asyncio.gather(*(one(context) for _ in range(4)))
    assert sorted(type(reply).__name__ for reply in together) == ["Answer", "Answer", "NoAnswer", "NoAnswer"]


def test_requests_at_the_same_time_cannot_exceed_a_budget_together() -> None:
    ledger = JudgeLedger(Budget(usd=1.0))
    held = ledger.reserve("a", "a:m", 10, 0.6)
    with pytest.raises(BudgetSpentError, match=r"0\.4000 of 1 USD left"):
        ledger.reserve("a", "a:m", 10, 0.6)
    ledger.settle(held, tokens=5, usd=0.1)
    ledger.reserve("b", "b:m", 10, 0.9)


async def test_a_cost_budget_holds_to_the_cent(judged_by: Make, scripted: Make) -> None:
    judge = scripted(usd_per_token=1e-6)
    context = judged_by(judge, budget=Budget(usd=0.0105))
    replies = [await one(context) for _ in range(8)]
    spent = sum(each.cost_usd or 0 for each in context.ledger.exchanges)
    assert spent <= 0.0105
    assert 0 < len(judge.asked) < 8
    assert isinstance(replies[-1], NoAnswer)
    assert (replies[-1].reason, replies[-1].error_type) == ("not_measured", None)


async def test_each_judge_of_a_panel_counts_the_same_however_often_it_was_asked(
    judged_by: Make, levels: Make, scripted: Make
) -> None:
    mild, strict = scripted(name="mild", script=levels(5)), scripted(name="strict", script=levels(1))
    context = judged_by(mild, strict)
    replies = [await ask(judge, QUESTION, context, seconds=5.0) for judge in context.judges]
    first, second = (reply for reply in replies if isinstance(reply, Answer))
    found = tally(QUESTION.rubric, [first, first, first, second])
    assert found.value == 0.5
    assert found.alpha is not None
    assert found.alpha < 0
    assert found.flip_rate == 0


async def test_a_criterion_that_may_not_apply_leaves_and_others_may_not(judged_by: Make, saying: Make) -> None:
    rubric = shipped_rubric("agent_task")
    given = {"completion": 5, "correctness": 5, "faithfulness": 3, "constraints": None}
    answers: list[dict[str, Any]] = [
        {"criterion": name, "evidence": [], "reason": "", "level": level} for name, level in given.items()
    ]
    grading = await grade(Question(rubric=rubric, parts=QUESTION.parts), judged_by(saying({"answers": answers})))
    assert grading.tally is not None
    assert grading.tally.value == (2 * 1 + 2 * 1 + 0.5) / 5
    assert "constraints does not apply" in grading.explanation
    answers[0]["level"] = None
    failed = await grade(Question(rubric=rubric, parts=QUESTION.parts), judged_by(saying({"answers": answers})))
    assert failed.tally is None
    assert "'completion', which always applies" in failed.problem


def test_quotations_are_found_whatever_their_typography_and_not_by_a_syllable() -> None:
    material = plain("They report a \u201cgain\u201d of 0.4 \u2013 without\nvariance over \\frac{a}{b}.")
    assert occurs('They report a "gain" of 0.4 - without variance', material)
    assert occurs("'a gain' … over \\frac{a}{b}", plain("'a gain' is over \\frac{a}{b}"))
    assert not occurs("variance … They report", material)
    assert not occurs("They", material)
    assert not occurs("a gain of 0.5", material)
    assert not occurs(" ", material)
