from collections.abc import Awaitable, Callable

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper
from agents_eval_core.review import Point, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.review_points import points_of_text
from agents_eval_evaluators.text.review_substance import ReviewSubstance, review_substance

STOP_WORDS = shipped_table().words.stop_words
ScoreOf = Callable[..., Awaitable[Score]]


def substance(text: str, paper: Paper | None = None) -> float:
    return review_substance(points_of_text(text), text, STOP_WORDS, paper).value


def test_saying_it_twice_brings_nothing(case: Case) -> None:
    text = case.references[1].text
    assert substance(f"{text}\n\n{text}") == substance(text)


def test_the_order_of_paragraphs_changes_little(case: Case) -> None:
    first, second = case.references[0].text, case.references[1].text
    assert abs(substance(f"{first}\n\n{second}") - substance(f"{second}\n\n{first}")) < 0.05


def test_spam_and_filler_stay_below_real_reviews(case: Case) -> None:
    spam = "\n".join(f"Can you explain Table {number}?" for number in range(29))
    filler = "\n".join(["The paper is interesting but the novelty is limited and more experiments are needed."] * 5)
    assert max(substance(spam), substance(filler)) < 0.3 < min(substance(review.text) for review in case.references)


def test_nothing_has_no_substance() -> None:
    assert substance("") == substance("\x00 \n") == 0


def test_a_place_that_the_paper_lacks_does_not_help(paper: Paper) -> None:
    there, absent = (f"Why is the attachment score of Table {n} so low for parsers?" for n in (1, 7))
    assert substance(there, paper) > substance(absent, paper)
    assert substance(there) == substance(absent)


def test_a_place_counts_for_the_first_point_that_names_it() -> None:
    text = "Table 1 lacks the biaffine parser baseline.\nTable 1 omits variance over random seeds."
    first, second = review_substance(points_of_text(text), text, STOP_WORDS).points
    assert first[1].grounding > second[1].grounding + 0.1


async def test_each_point_is_shown_with_what_it_is_worth(a_run: Callable[..., Run], score_of: ScoreOf) -> None:
    score = await score_of(ReviewSubstance(), a_run())
    measures = {measure.name: measure for measure in score.measures}
    assert score.value is not None
    assert measures["points"].value == 4
    assert len(score.parts) == 4
    assert score.parts[0].text.startswith("The biaffine baseline is missing")
    worth = {measure.name: measure.value for measure in score.parts[0].measures}
    assert list(worth) == ["grounding", "actionability", "verifiability", "helpfulness"]
    assert sum(float(part.measures[3].value or 0) for part in score.parts) == pytest.approx(
        measures["helpfulness_sum"].value, abs=1e-3
    )


async def test_a_review_without_points_has_no_share_of_them(a_run: Callable[..., Run], score_of: ScoreOf) -> None:
    score = await score_of(ReviewSubstance(), a_run(output=Review(strengths=(Point(text="Simple and clear idea."),))))
    shares = [measure.value for measure in score.measures if measure.name.endswith("_share")]
    assert shares == [None, None]


async def test_another_language_is_not_measured(a_run: Callable[..., Run], score_of: ScoreOf) -> None:
    text = "Die Arbeit ist gut, aber die Methode ist nicht neu und es fehlt ein Vergleich mit anderen."
    score = await score_of(ReviewSubstance(), a_run(text=text))
    assert (score.value, score.reason) == (None, "not_measured")
    assert "German" in score.explanation
