from collections.abc import Callable

import pytest
from pydantic_ai import RunContext, ToolFailed

from agents_eval_agents.review_team.desk import Desk
from agents_eval_agents.tools.search import PASSAGE_CHARACTERS, passages, ranked_passages, search_paper
from agents_eval_core.paper import Paper, Section


def test_the_passage_with_the_rare_word_comes_first(a_paper: Paper) -> None:
    assert ranked_passages(a_paper, "the ENZYMES data")[0].heading == "3 Experiments"


def test_regular_expressions_are_only_words(a_paper: Paper) -> None:
    assert ranked_passages(a_paper, "(.*)") == []


def test_equal_passages_keep_the_order_of_the_paper() -> None:
    sections = tuple(Section(heading=name, text="same words") for name in "cab")
    paper = Paper(id="1", dataset="d", title="T", sections=sections)
    assert [passage.heading for passage in ranked_passages(paper, "words")] == ["c", "a", "b"]


def test_a_heading_counts_for_its_passages(a_paper: Paper) -> None:
    assert ranked_passages(a_paper, "experiments")[0].section == 3


def test_passages_together_are_the_whole_text(a_paper: Paper) -> None:
    method = [passage.text for passage in passages(a_paper) if passage.section == 2]
    assert " ".join(" ".join(method).split()) == " ".join(a_paper.sections[1].text.split())
    assert max(map(len, method)) <= PASSAGE_CHARACTERS


def test_text_without_any_space_is_cut_all_the_same() -> None:
    paper = Paper(id="1", dataset="d", title="T", abstract="x" * 5000)
    assert sum(len(passage.text) for passage in passages(paper)) == 5000


async def test_no_match_is_an_answer_and_no_words_is_a_refusal(
    a_paper: Paper, called_by: Callable[[Paper], RunContext[Desk]]
) -> None:
    assert (await search_paper(called_by(a_paper), "xylophone")).startswith("No passage of the paper holds any word")
    with pytest.raises(ToolFailed, match="holds no word"):
        await search_paper(called_by(a_paper), "?!")


async def test_weaker_passages_are_left_out_and_counted(
    a_paper: Paper, called_by: Callable[[Paper], RunContext[Desk]]
) -> None:
    answer = await search_paper(called_by(a_paper), "epochs", limit=1)
    assert answer.count("<passage-") == 1
    assert "weaker passages left out" in answer
