"""What the critic objects to."""

from typing import Any

import pytest

from agents_eval_agents.providers.extractive.objector import object_to
from agents_eval_agents.review_team.outputs import DraftPoint, ReviewDraft


def said(text: str, anchor: str | None = "3 Results") -> DraftPoint:
    return DraftPoint(text=text, anchor=anchor)


SOUND = ReviewDraft(
    summary="FooNet parses web text.",
    strengths=[said("The comparison with BarNet covers three corpora.")],
    weaknesses=[said("Error bars are absent beside the parsing accuracy.")],
    questions=[said("How many seeds stand behind Table 2?")],
    suggestions=[said("Please release the training scripts.")],
    rating=5,
    confidence=1,
    recommendation="weak_accept",
)


def objections(**changes: Any) -> list[str]:
    return [objection.text for objection in object_to(SOUND.model_copy(update=changes)).objections]


def test_a_sound_draft_meets_no_objection() -> None:
    assert objections() == []


@pytest.mark.parametrize("part", ["summary", "strengths", "weaknesses", "questions", "suggestions", "recommendation"])
def test_a_missing_part_is_named(part: str) -> None:
    empty: Any = "" if part == "summary" else None if part == "recommendation" else []
    assert f"The review has no {part}." in objections(**{part: empty})


@pytest.mark.parametrize("anchor", [None, "", "  "])
def test_a_point_without_an_anchor_is_shown(anchor: str | None) -> None:
    assert any("to which part" in text for text in objections(weaknesses=[said("Error bars are absent here.", anchor)]))


def test_a_point_made_twice_is_shown() -> None:
    twice = [said("Error bars are absent beside accuracy."), said("Absent are error bars beside the accuracy!")]
    assert any(text.startswith("This was said before") for text in objections(weaknesses=twice))


def test_a_point_that_says_nothing_is_shown() -> None:
    assert any("too little" in text for text in objections(weaknesses=[said("It is bad.")]))


@pytest.mark.parametrize(("recommendation", "good", "bad"), [("accept", 1, 3), ("reject", 3, 1), ("weak_reject", 1, 0)])
def test_a_recommendation_against_the_balance_is_named(recommendation: str, good: int, bad: int) -> None:
    strengths = [said(f"Corpus {i} is compared with parser {i}.") for i in range(good)]
    weaknesses = [said(f"Table {i} leaves out variance {i} of encoder {i}.") for i in range(bad)]
    found = objections(strengths=strengths, weaknesses=weaknesses, recommendation=recommendation)
    assert any(text.startswith(f"The recommendation {recommendation} does not follow") for text in found)


def test_a_balanced_draft_may_go_either_way() -> None:
    assert objections(recommendation="weak_reject") == objections(recommendation="accept") == []
