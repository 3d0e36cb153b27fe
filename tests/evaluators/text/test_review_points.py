import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.review import Point, Review
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.point_marks import numbered_places, point_marks
from agents_eval_evaluators.text.review_points import (
    ReviewPoint,
    distinct_points,
    point_quality,
    points_of_review,
    points_of_text,
)

STOP_WORDS = shipped_table().words.stop_words
PIECES = st.sampled_from(
    [
        "Table 3",
        "please add",
        "?",
        ".",
        "\n",
        "- ",
        "Strengths:",
        "BERT",
        "81.5 %",
        "because",
        "é",
        "\x00",
        "[12]",
        '"',
        "§2",
    ]
)
HOSTILE = st.text(max_size=60) | st.lists(PIECES, max_size=25).map(" ".join)


def test_a_remark_and_what_explains_it_are_one_point() -> None:
    text = "They train a parser. The baseline is missing. It would show the gain."
    assert [point.text for point in points_of_text(text)] == ["The baseline is missing. It would show the gain."]


def test_a_point_has_three_sentences_at_most_and_ends_with_its_line() -> None:
    long = "The baseline is missing. A. B. C. D.\nWhy Adam?"
    assert [point.text for point in points_of_text(long)] == ["The baseline is missing. A. B.", "Why Adam?"]


def test_a_heading_says_of_which_kind_the_lines_below_it_are() -> None:
    text = "Strengths:\n- A simple idea.\nWeaknesses:\n- No baseline is given.\nQuestions\n- Why Adam?"
    assert [(point.text, point.polarity) for point in points_of_text(text)] == [
        ("A simple idea.", "strength"),
        ("No baseline is given.", "weakness"),
        ("Why Adam?", "weakness"),
    ]


def test_praise_without_a_heading_is_told_by_its_words() -> None:
    assert [point.polarity for point in points_of_text("The paper is well written.")] == ["strength"]


def test_the_points_of_a_form_bring_their_anchors() -> None:
    review = Review(strengths=(Point(text="Simple."),), weaknesses=(Point(text="No baseline.", anchor="Table 1"),))
    simple, missing = points_of_review(review)
    assert (simple.polarity, missing.polarity, missing.text) == ("strength", "weakness", "No baseline. (Table 1)")
    assert point_quality(missing.text).grounding > point_quality("No baseline.").grounding


def test_a_place_that_does_not_count_grounds_nothing() -> None:
    text = "Table 9 is not convincing."
    assert point_quality(text, known_places=()).grounding < point_quality(text).grounding


def test_what_was_said_before_is_no_further_point() -> None:
    point = ReviewPoint(text="The biaffine baseline is missing from the comparison.")
    reworded = ReviewPoint(text="The biaffine baseline is missing from comparison again.")
    other = ReviewPoint(text="Variance over random seeds is not reported.")
    assert distinct_points([point, point, reworded, other], STOP_WORDS) == (point, other)


def test_a_question_about_every_table_is_no_point_at_all() -> None:
    spam = points_of_text("\n".join(f"Can you explain Table {number}?" for number in range(29)))
    assert distinct_points(spam, STOP_WORDS) == ()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Tables 4 and 5", ["table 4"]),
        ("Section B.2", ["appendix b.2"]),
        ("on line 17 of p. 3", ["line 17", "page 3"]),
        ("equation (12)", ["equation 12"]),
        ("a table with 5 rows; figure out 3", []),
    ],
)
def test_places_are_told_under_one_name(text: str, places: list[str]) -> None:
    assert list(numbered_places(text)) == places


@given(HOSTILE)
def test_any_text_has_points_of_bounded_worth_and_the_same_twice(text: str) -> None:
    points = points_of_text(text)
    assert points == points_of_text.__wrapped__(text)
    for point in points:
        quality = point_quality(point.text)
        for value in (quality.grounding, quality.actionability, quality.verifiability, quality.helpfulness):
            assert 0 <= value <= 1
    assert len(distinct_points(points, STOP_WORDS)) <= len(points)


def test_marks_of_an_empty_text_are_none() -> None:
    marks = point_marks("")
    assert (marks.places, marks.requests, marks.length) == ((), 0, 0)
