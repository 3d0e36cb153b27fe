"""What must hold for the review of any real paper."""

import re
from itertools import permutations
from typing import Any

import pytest

from agents_eval_agents.providers.extractive.objector import object_to
from agents_eval_agents.providers.extractive.words import content_words

_QUOTE = re.compile(r'"([^"]+)"')
_LABEL = re.compile(r"(?:Table|Tab\.|Figure|Fig\.|Theorem|Thm\.|Corollary|Proposition|Lemma|Algorithm) \d+")


@pytest.fixture(params=["full_reviews", "abstract_reviews"])
def reviews(request: pytest.FixtureRequest) -> list[Any]:
    return request.getfixturevalue(request.param)


def count_words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def own_words(text: str, title: str) -> str:
    return _QUOTE.sub("", text.replace(title, ""))


def shared(first: Any, second: Any, *, same: float) -> float:
    """Return the share of the first review's points that the second makes too, title and quotations left out."""
    mine, theirs = (
        [set(content_words(own_words(point.text, review.paper.title))) for point in review.points]
        for review in (first, second)
    )
    return sum(any(len(a & b) >= same * len(a | b) for b in theirs) for a in mine) / len(mine)


def test_every_anchor_is_a_heading_the_abstract_or_a_label_that_occurs(reviews: list[Any]) -> None:
    for review in reviews:
        headings = {heading for heading, _ in review.paper.sections} | {"Abstract"}
        text = " ".join(review.paper.text.split())
        for point in review.points:
            is_label = _LABEL.fullmatch(point.anchor) and re.search(re.escape(point.anchor) + r"(?!\d)", text)
            assert point.anchor in headings or is_label, (review.paper.title, point)


def test_every_quotation_stands_in_the_paper(reviews: list[Any]) -> None:
    for review in reviews:
        text = " ".join(review.paper.text.split())
        for quote in _QUOTE.findall(review.text):
            assert quote in text


def test_two_papers_share_few_points_in_their_own_words(reviews: list[Any]) -> None:
    near = [shared(first, second, same=0.6) for first, second in permutations(reviews, 2)]
    equal = [shared(first, second, same=1.0) for first, second in permutations(reviews, 2)]
    assert max(near) < 0.5
    assert sum(near) / len(near) < 0.1
    assert sum(equal) / len(equal) < 0.02


def test_quotations_are_less_than_half_of_a_review_and_stand_in_own_words(reviews: list[Any]) -> None:
    for review in reviews:
        quoted = sum(count_words(quote) for quote in _QUOTE.findall(review.text))
        assert quoted < 0.5 * count_words(review.text)
        for point in review.points:
            assert count_words(_QUOTE.sub("", point.text)) >= 4, point.text


def test_points_read_as_sentences(reviews: list[Any]) -> None:
    for review in reviews:
        for text in (review.draft.summary, *(point.text for point in review.points)):
            assert text[0].isupper() or text[0] == '"' or any(letter.isupper() for letter in text.split()[0])
            assert text[-1] in ".?"
            assert "  " not in text
            assert ".." not in text
            assert not re.search(r"[\[\]{}<>|*`\\]|\(\s|\s[,;:.?)]", _QUOTE.sub("Q", text)), text
            assert text.count('"') % 2 == 0


def test_questions_ask_and_nothing_else_does(reviews: list[Any]) -> None:
    for review in reviews:
        assert all(point.text.endswith("?") for point in review.draft.questions)
        others = [*review.draft.strengths, *review.draft.weaknesses, *review.draft.suggestions]
        assert all(point.text.endswith(".") for point in others)


def test_ratings_lie_on_the_scale_and_vary_with_lowest_confidence(reviews: list[Any]) -> None:
    ratings = [float(review.draft.rating) for review in reviews]
    assert all(1 <= rating <= 10 for rating in ratings)
    assert len(set(ratings)) >= 4
    assert len({review.draft.recommendation for review in reviews}) > 1
    assert {review.draft.confidence for review in reviews} == {1}


def test_the_last_sentence_of_the_summary_says_that_no_model_judged(reviews: list[Any]) -> None:
    assert all(review.draft.summary.endswith("no language model judged them.") for review in reviews)


def test_full_papers_get_full_reviews(full_reviews: list[Any]) -> None:
    counts = [(len(r.draft.strengths), len(r.draft.weaknesses), len(r.draft.questions)) for r in full_reviews]
    assert all(1 <= good <= 5 and 1 <= bad <= 7 and 1 <= asked <= 4 for good, bad, asked in counts)
    assert sum(good >= 3 and bad >= 4 and asked >= 2 for good, bad, asked in counts) >= 0.7 * len(counts)
    assert all(1 <= len(review.draft.suggestions) <= 4 for review in full_reviews)


def test_of_an_abstract_nothing_is_said_to_be_missing_from_the_paper(abstract_reviews: list[Any]) -> None:
    for review in abstract_reviews:
        assert "Only the abstract was read." in review.draft.summary
        assert {point.anchor for point in review.points} == {"Abstract"}
        for point in review.draft.weaknesses:
            assert "abstract" in point.text
            assert not re.search(r"\b(?:paper|body|sections?)\b", _QUOTE.sub("", point.text))


def test_the_critic_has_next_to_nothing_to_object_to(reviews: list[Any]) -> None:
    objections = [objection.text for review in reviews for objection in object_to(review.draft).objections]
    assert len(objections) <= 2, objections
