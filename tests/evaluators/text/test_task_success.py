from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_core.review import Point, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_core.trace import Outcome, Trace
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.output_similarity import OutputSimilarity
from agents_eval_evaluators.text.task_success import TaskSuccess, human_duties, review_duties, task_success, text_duties

COUNTS = shipped_table().words
ScoreOf = Callable[..., Awaitable[Score]]


async def test_a_good_review_fulfils_its_duties_and_each_is_a_measure(
    a_run: Callable[..., Run], score_of: ScoreOf
) -> None:
    score = await score_of(TaskSuccess(), a_run())
    assert score.value == 1
    assert {measure.name: measure.value for measure in score.measures} == dict.fromkeys(
        ("substance", "grounding", "criticism", "recommendation", "fields"), 1.0
    )


async def test_the_explanation_names_the_duties_that_are_not_met(
    a_run: Callable[..., Run], good_review: Review, score_of: ScoreOf
) -> None:
    lacking = good_review.changed(recommendation=None, rating=None, weaknesses=())
    score = await score_of(TaskSuccess(), a_run(output=lacking))
    assert score.value is not None
    assert score.value < 0.8
    assert "no recommendation" in score.explanation
    assert "weaknesses" in score.explanation
    assert "fewer than five sentences" in score.explanation


async def test_an_empty_review_fulfils_nothing_even_with_a_rating(
    a_run: Callable[..., Run], good_review: Review, score_of: ScoreOf
) -> None:
    """Guards D2: an empty review must not score."""
    empty = Review(rating=good_review.rating, confidence=good_review.confidence, recommendation="accept")
    assert (await score_of(TaskSuccess(), a_run(output=empty))).value == 0
    assert (await score_of(TaskSuccess(), a_run(text=""))).value == 0


def test_a_human_review_without_a_form_is_not_judged_on_its_form(case: Case, paper: Paper) -> None:
    duties = human_duties(case.references[1], paper, COUNTS)
    assert set(duties) == {"substance", "grounding", "criticism", "recommendation"}
    assert duties["grounding"] == 1


def test_a_repeated_sentence_counts_once(paper: Paper) -> None:
    sentence = "The biaffine parser is missing because the treebank is small. "
    assert text_duties(sentence * 9, paper, COUNTS) == text_duties(sentence, paper, COUNTS)


def test_copied_runs_are_not_own_words_and_a_framed_quotation_counts_half(paper: Paper) -> None:
    assert text_duties(paper.abstract, paper, COUNTS)["substance"] == 0
    framed = f"I do not understand what is meant by {paper.abstract.split('. ')[0]}."
    assert text_duties(framed, paper, COUNTS)["substance"] == pytest.approx(0.1)


def test_the_title_word_for_word_does_not_ground_a_template(paper: Paper) -> None:
    template = "{} is well written. The novelty of {} is limited. I recommend more experiments."
    duties = text_duties(template.replace("{}", f"The paper {paper.title}"), paper, COUNTS)
    assert (duties["substance"], duties["grounding"], duties["criticism"]) == (0, 0, 0)


def test_a_place_the_paper_lacks_or_that_was_used_anchors_nothing(paper: Paper) -> None:
    def grounding(*anchors: str) -> float:
        points = tuple(
            Point(text=f"{name} doubts such unusual claims.", anchor=anchor)
            for name, anchor in zip(("Alice", "Bob", "Carol", "Dave"), anchors, strict=False)
        )
        return review_duties(Review(weaknesses=points), paper, COUNTS)["grounding"]

    assert grounding("Table 1", "Section 2") == 1
    assert grounding("Table 7", "Figure 9") == 0
    assert grounding("Table 1", "Table 1", "Table 1", "Table 1") == 0.5


def test_question_spam_over_places_makes_no_point(paper: Paper) -> None:
    spam = "\n".join(f"Can you explain Table {number}?" for number in range(1, 30))
    assert task_success(text_duties(spam, paper, COUNTS)) == 0


def test_a_plain_text_states_its_recommendation_in_words(paper: Paper) -> None:
    for text in (
        "I recommend to reject this dropout paper.",
        "Rating: 6. Dropout helps.",
        "A weak accept for dropout.",
    ):
        assert text_duties(text, paper, COUNTS)["recommendation"] == 1
    assert text_duties("The dropout rate should be rejected by nobody.", paper, COUNTS)["recommendation"] == 0


async def test_task_success_is_not_similarity_under_another_name(
    a_run: Callable[..., Run], case: Case, score_of: ScoreOf
) -> None:
    """Guards D14: task success was the similarity divided by 0.8, so that similarity counted twice."""
    strangers = tuple(
        one.changed(text="Graph colouring needs proofs about chromatic numbers.") for one in case.references
    )
    run, other = a_run(), a_run(case=case.changed(references=strangers))
    assert (await score_of(TaskSuccess(), run)).value == (await score_of(TaskSuccess(), other)).value
    assert (await score_of(OutputSimilarity(), run)).value != (await score_of(OutputSimilarity(), other)).value


async def test_another_task_is_judged_by_the_outcome_its_trace_declares(
    a_run: Callable[..., Run], a_trace: Callable[..., Trace], case: Case, score_of: ScoreOf
) -> None:
    async def score(outcome: Outcome | None) -> Score:
        return await score_of(TaskSuccess(), a_run(case=case.changed(task="flight"), trace=a_trace(outcome=outcome)))

    assert (await score(Outcome(success=True))).value == 1
    assert (await score(Outcome(success=False, reward=0.9))).value == 0
    assert (await score(Outcome(reward=0.25))).value == 0.25
    for unknown in (Outcome(reward=12.0), Outcome(text="done"), None):
        assert (await score(unknown)).reason == "not_measured"


async def test_without_the_paper_nothing_can_be_anchored(
    a_run: Callable[..., Run], case: Case, score_of: ScoreOf
) -> None:
    assert (await score_of(TaskSuccess(), a_run(case=case.changed(paper=None)))).reason == "not_measured"
