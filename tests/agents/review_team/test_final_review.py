import re
from math import isfinite, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_agents.review_team.final_review import review_of
from agents_eval_agents.review_team.outputs import DraftPoint, ReviewDraft
from agents_eval_core.review import Review, Scale

TEN = Scale(lowest=1, highest=10)


def rated(rating: float | str | None, scale: Scale = TEN) -> Review:
    return review_of(ReviewDraft(summary="S.", rating=rating), scale)


@pytest.mark.parametrize(
    "given_rating", [7, 7.0, "7", " 7 ", "7.0", "7/10", "7 / 10", "7 out of 10", "7 of 10", "7/10.0"]
)
def test_a_plain_grade_is_taken(given_rating: float | str) -> None:
    review = rated(given_rating)
    assert review.rating is not None
    assert (review.rating.value, review.flags) == (7, ())


@pytest.mark.parametrize(
    "given_rating",
    [
        "I cannot rate this paper",
        "not 5, rather 2",
        "between 3 and 4",
        "7/5",
        "4/5",
        "7,5",
        "seven",
        "",
        "11",
        11,
        0.5,
        -3,
        float("nan"),
        float("inf"),
        "1e1",
        "\u0667",
        "7 8",
        "7: Good paper",
        "9" * 400,
    ],
)
def test_any_other_grade_is_flagged_and_nothing_takes_its_place(given_rating: float | str) -> None:
    review = rated(given_rating)
    assert review.rating is None
    given_words = given_rating if isinstance(given_rating, str) else f"{given_rating:g}"
    assert [(flag.field, flag.given) for flag in review.flags] == [("rating", given_words[:300])]


def test_no_grade_is_no_flag() -> None:
    assert (rated(None).rating, rated(None).flags) == (None, ())


@given(st.text())
def test_a_grade_is_never_invented_from_text(text: str) -> None:
    review = rated(text)
    assert (review.rating is None) == bool(review.flags)
    if review.rating is not None:
        assert review.rating.value == float(re.split(r"[/o\s]", text.strip().lower(), maxsplit=1)[0])


@given(st.from_regex(r"[A-Za-z ,]{0,20}[a-zA-Z] [0-9]{1,2}( [A-Za-z ,]{0,20})?", fullmatch=True))
def test_a_number_within_a_sentence_is_no_grade(text: str) -> None:
    assert rated(text).rating is None


@given(st.floats(), st.floats(-100, 100), st.floats(0.1, 100))
def test_a_number_is_kept_on_its_scale_or_flagged(value: float, lowest: float, width: float) -> None:
    scale = Scale(lowest=lowest, highest=lowest + width)
    review = rated(value, scale)
    fits = isfinite(value) and scale.lowest <= value <= scale.highest
    assert (review.rating is not None) == fits
    assert len(review.flags) == (not fits)
    assert review.rating is None or (review.rating.value == value and not isnan(value))


@pytest.mark.parametrize(
    ("spelling", "recommendation"),
    [("Weak Accept", "weak_accept"), ("REJECT", "reject"), (" weak-reject ", "weak_reject"), ("accept", "accept")],
)
def test_a_known_recommendation_is_recognised_in_any_spelling(spelling: str, recommendation: str) -> None:
    assert review_of(ReviewDraft(summary="S.", recommendation=spelling), TEN).recommendation == recommendation


@given(st.text())
def test_a_recommendation_is_never_guessed(text: str) -> None:
    review = review_of(ReviewDraft(summary="S.", recommendation=text), TEN)
    letters = "".join(re.findall("[a-z]", text.lower()))
    assert (review.recommendation is None) == bool(review.flags)
    assert review.recommendation is None or review.recommendation.replace("_", "") == letters


@pytest.mark.parametrize("text", ["I would not accept", "strong accept", "borderline", "accept.", "accept or reject"])
def test_another_recommendation_is_flagged(text: str) -> None:
    review = review_of(ReviewDraft(summary="S.", recommendation=text), TEN)
    assert (review.recommendation, review.flags[0].given) == (None, text)


def test_confidence_is_on_the_scale_of_one_to_five() -> None:
    review = review_of(ReviewDraft(summary="S.", confidence="4/5"), TEN)
    assert review.confidence is not None
    assert review.confidence.share == 0.75
    assert review_of(ReviewDraft(summary="S.", confidence=7), TEN).flags[0].field == "confidence"


POINTS = st.lists(st.builds(DraftPoint, text=st.text(max_size=20), anchor=st.none() | st.text(max_size=10)), max_size=5)


@given(POINTS)
def test_points_keep_their_words_and_empty_ones_are_flagged(points: list[DraftPoint]) -> None:
    review = review_of(ReviewDraft(summary="S.", weaknesses=points), TEN)
    assert len(review.weaknesses) + len(review.flags) == len(points)
    assert Review.model_validate_json(review.model_dump_json()) == review
    assert {point.text for point in review.weaknesses} <= {point.text.replace("\0", "?").strip() for point in points}


def test_text_that_cannot_be_written_does_not_break_the_review() -> None:
    review = review_of(ReviewDraft(summary="a\ud800b", rating="\ud800"), TEN)
    assert Review.model_validate_json(review.model_dump_json()) == review
