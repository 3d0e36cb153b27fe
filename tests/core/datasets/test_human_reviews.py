from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.datasets.human_reviews import count_human_reviews, human_reviews
from agents_eval_core.datasets.venues import venue_of
from agents_eval_core.review import Rating, Scale

ReadFile = Callable[[Path], dict[str, Any]]
ACL = venue_of("acl_2017")
ICLR = venue_of("iclr_2017")
NEURIPS = venue_of("neurips_2025")
FIVE = Scale(lowest=1, highest=5)
TEN = Scale(lowest=1, highest=10)


def test_a_real_thread_keeps_its_five_scored_reviews_only(verbatim: Path, real_file: ReadFile) -> None:
    thread = real_file(verbatim / "iclr_2017/train/reviews/305.json")["reviews"]
    reviews = human_reviews(thread, ICLR)
    assert len(thread) == 11
    assert [review.rating for review in reviews] == [Rating(value=value, scale=TEN) for value in (7, 9, 8, 8, 8)]
    together = "\n".join(review.text for review in reviews)
    assert "recommend it for oral presentation" not in together
    assert "We have uploaded a revised version" not in together


def test_a_meta_review_that_copies_a_reviewer_leaves_and_the_reviewer_stays(
    verbatim: Path, real_file: ReadFile
) -> None:
    thread = real_file(verbatim / "iclr_2017/train/reviews/305.json")["reviews"]
    meta = next(entry for entry in thread if entry["IS_META_REVIEW"])
    same = [review for review in human_reviews(thread, ICLR) if review.text == meta["comments"]]
    assert len(same) == 1
    assert same[0].rating is not None
    assert same[0].id != "review-1"


def test_a_file_with_every_entry_twice_gives_each_review_once(verbatim: Path, real_file: ReadFile) -> None:
    thread = real_file(verbatim / "iclr_2017/train/reviews/305.json")["reviews"]
    assert human_reviews(thread * 2, ICLR) == human_reviews(thread, ICLR)
    assert count_human_reviews(thread * 2, ICLR) == 5


def test_the_real_copy_of_a_review_is_left_out(peerread: Path, real_file: ReadFile) -> None:
    thread = real_file(peerread / "iclr_2017/train/reviews/Hk4_qw5xe.json")["reviews"]
    assert count_human_reviews(thread, ICLR) == len(thread) - 1


def test_a_copy_completes_the_scores_of_the_first() -> None:
    thread: list[dict[str, Any]] = [
        {"comments": "Sound  work.", "RECOMMENDATION": 7, "CLARITY": None},
        {"comments": "sound work.\n", "RECOMMENDATION": 3, "CLARITY": 4},
    ]
    (review,) = human_reviews(thread, ICLR)
    assert review.id == "review-1"
    assert review.rating == Rating(value=7, scale=TEN)
    assert review.aspects == {"clarity": Rating(value=4, scale=FIVE)}


def test_the_real_decision_of_neurips_leaves(peerread: Path, real_file: ReadFile) -> None:
    thread = real_file(peerread / "neurips_2025/train/reviews/021PIPyOU1.json")["reviews"]
    reviews = human_reviews(thread, NEURIPS)
    assert len(reviews) == len(thread) - 1
    assert all(review.rating and review.rating.scale == Scale(lowest=1, highest=6) for review in reviews)
    assert not any("DECISION:" in review.text for review in reviews)
    assert reviews[0].text.startswith("This paper proposes to view layer-pruned sub-networks")
    assert set(reviews[0].aspects) == {"clarity", "impact", "originality"}


@pytest.mark.parametrize(
    "entry",
    [
        {"comments": "We accept it.", "is_meta_review": True},
        {"comments": "We accept it.", "IS_META_REVIEW": "true", "RECOMMENDATION": 8},
        {"comments": "We accept it.", "TITLE": "ICLR committee final decision"},
        {"comments": "We accept it.", "RECOMMENDATION": "Accept (poster)"},
        {"comments": "Thank you, we have added it.", "OTHER_KEYS": "An Author", "DATE": "1 Jan 2017"},
        {"comments": "", "RECOMMENDATION": 8},
        {"comments": None, "RECOMMENDATION": 8},
        {"RECOMMENDATION": 8},
    ],
)
def test_what_is_no_human_review_leaves(entry: dict[str, Any]) -> None:
    assert human_reviews([entry], ICLR) == ()


@pytest.mark.parametrize(
    "scores",
    [
        {},
        {"RECOMMENDATION": None},
        {"REVIEWER_CONFIDENCE": 4},
        {"CLARITY": "3"},
        {"RECOMMENDATION": "I cannot rate this paper", "TITLE": "An accepted method"},
        {"RECOMMENDATION": "Accept", "REVIEWER_CONFIDENCE": 4, "TITLE": "Review"},
    ],
)
def test_no_missing_or_odd_score_drops_a_review_or_invents_a_rating(scores: dict[str, Any]) -> None:
    (review,) = human_reviews([{"comments": "Sound work.", **scores}], ICLR)
    assert review.rating is None


def test_strings_and_integers_are_the_same_score() -> None:
    (review,) = human_reviews([{"comments": "Sound.", "RECOMMENDATION": "4", "REVIEWER_CONFIDENCE": 4}], ACL)
    assert review.rating == review.confidence == Rating(value=4, scale=FIVE)


@pytest.mark.parametrize(
    "value", ["not 5, rather 2", "11", 0, "1_0", "٤", "nan", "inf", -1, True, [4], {"a": 1}, 10**400]
)
def test_what_is_not_on_the_scale_is_no_rating(value: object) -> None:
    (review,) = human_reviews([{"comments": "Sound work.", "RECOMMENDATION": value}], ICLR)
    assert review.rating is None


def test_real_template_headings_are_no_words_of_the_reviewer(verbatim: Path, real_file: ReadFile) -> None:
    short, long = human_reviews(real_file(verbatim / "acl_2017/dev/reviews/173.json")["reviews"], ACL)
    assert short.text == "Many grammar errors, such as the abstract"
    assert long.text.startswith("Introduces  a new document clustering approach")
    assert "General Discussion" not in long.text
    assert short.aspects["substance"] == Rating(value=2, scale=FIVE)
    assert len(short.aspects) == 7


def test_a_review_of_template_headings_only_is_not_usable() -> None:
    headings = "- Strengths:\n\n- Weaknesses:\n\n- General Discussion: ---\n"
    assert count_human_reviews([{"comments": headings, "RECOMMENDATION": "4"}], ACL) == 0
    assert count_human_reviews([{"comments": headings + "No.", "RECOMMENDATION": "4"}], ACL) == 1


def test_words_like_the_template_within_a_sentence_stay() -> None:
    (review,) = human_reviews([{"comments": "Its\nweaknesses to be mended: many"}], ACL)
    assert review.text == "Its\nweaknesses to be mended: many"


def test_real_mojibake_is_repaired(verbatim: Path, peerread: Path, real_file: ReadFile) -> None:
    reviews = human_reviews(real_file(verbatim / "conll_2016/train/reviews/103.json")["reviews"], ACL)
    assert "(Röder et al., 2015)" in reviews[1].text
    assert "word\u2013word similarity" in reviews[1].text
    repaired_reviews = 0
    for path in sorted(peerread.glob("conll_2016/*/reviews/*.json")):
        thread = real_file(path)["reviews"]
        texts = [review.text for review in human_reviews(thread, ACL)]
        assert not any("\u0080" <= letter <= "\u009f" for letter in "".join(texts)), path
        repaired_reviews += sum(text != entry["comments"].strip() for text, entry in zip(texts, thread, strict=True))
    assert repaired_reviews == 8


def test_text_that_is_no_mojibake_stays() -> None:
    texts = ["Röder\u2019s naïve Ansatz", "Ã la carte", "ΔE = 0.5 Ã—"]
    assert [review.text for review in human_reviews([{"comments": text} for text in texts], ACL)] == texts
