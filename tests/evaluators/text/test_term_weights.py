"""The light transform is scikit-learn's, to the last digits."""

from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import (  # pyright: ignore[reportMissingTypeStubs]  scikit-learn has none
    ENGLISH_STOP_WORDS,
    TfidfVectorizer,
)

from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.calibration.language_fit import word_counts
from agents_eval_evaluators.calibration.sentence_fit import fitted_pipeline, sentence_model
from agents_eval_evaluators.calibration.stop_words import STOP_WORDS
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.term_weights import cosine, term_weights
from agents_eval_evaluators.text.words import WORD_PATTERN, plain, sentence_words

WORDS = st.lists(st.sampled_from(["a", "the", "dropout", "isn't", "lstm", "42", "gain", "of", "bert"]), max_size=30)


@pytest.fixture(scope="module")
def real_texts(peerread: Path) -> list[str]:
    cases = venue_cases(peerread, "iclr_2017")
    return [review.text for case in cases for review in case.references]


def _fitted(corpus: list[str], vocabulary: list[str]) -> Any:
    fitted: Any = TfidfVectorizer(
        preprocessor=plain,
        token_pattern=WORD_PATTERN,
        stop_words=sorted(STOP_WORDS),
        sublinear_tf=True,
        vocabulary=vocabulary,
    )
    return fitted.fit(corpus)


def _weights(fitted: Any, text: str) -> dict[str, float]:
    row = fitted.transform([text]).tocoo()
    names = fitted.get_feature_names_out()
    return {str(names[column]): float(weight) for column, weight in zip(row.col, row.data, strict=True)}


def test_weights_of_real_reviews_equal_scikit_learns(real_texts: list[str]) -> None:
    corpus = real_texts[::2]
    counts = word_counts(corpus)
    fitted = _fitted(corpus, sorted(counts.document_frequency))
    for text in real_texts[1::8]:
        ours = {
            word: weight for word, weight in term_weights(text, counts).items() if word in counts.document_frequency
        }
        length = sqrt(sum(weight * weight for weight in ours.values()))
        theirs = _weights(fitted, text)
        assert ours.keys() == theirs.keys()
        assert all(weight / length == pytest.approx(theirs[word], abs=1e-12) for word, weight in ours.items())


def test_a_word_never_counted_weighs_as_scikit_learn_weighs_one_of_no_document() -> None:
    corpus = ["dropout for a treebank", "treebank dropout and more dropout", "a treebank of dropout"]
    counts = word_counts(corpus)
    text = "dropout treebank dropout on unheard words"
    theirs = _weights(_fitted(corpus, [*counts.document_frequency, "unheard", "words"]), text)
    assert term_weights(text, counts) == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(WORDS, WORDS)
def test_the_cosine_is_symmetric_and_at_most_one(first: list[str], second: list[str]) -> None:
    counts = shipped_table().words
    one, other = (term_weights(" ".join(text), counts) for text in (first, second))
    assert cosine(one, other) == cosine(other, one)
    assert 0 <= cosine(one, other) <= 1


def test_a_text_equals_itself_in_any_order_of_words() -> None:
    counts = shipped_table().words
    one, other = term_weights("dropout helps parsers", counts), term_weights("parsers helps dropout", counts)
    assert cosine(one, other) == pytest.approx(1)


def test_a_text_of_stop_words_has_no_weights() -> None:
    counts = WordCounts(documents=1, stop_words=frozenset({"the", "of"}), document_frequency={})
    assert term_weights("The of the", counts) == {}


def test_the_stop_words_are_scikit_learns() -> None:
    assert STOP_WORDS == ENGLISH_STOP_WORDS


def test_words_are_counted_as_scikit_learn_counts_them(real_texts: list[str]) -> None:
    counts = word_counts(real_texts)
    fitted = _fitted(real_texts, sorted(counts.document_frequency))
    names: list[str] = list(fitted.get_feature_names_out())
    assert [counts.idf(name) for name in names] == pytest.approx(list(fitted.idf_), abs=1e-12)


def test_the_sentence_model_gives_scikit_learns_probabilities(real_texts: list[str]) -> None:
    cut = [sentence_words(text) for text in real_texts[:120]]
    reviews, others = cut[:80], cut[80:]
    vectorizer, regression = fitted_pipeline(reviews, others)
    model = sentence_model(reviews, others)
    tested = [sentence for review in cut for sentence in review if len(sentence) > 2][::7]
    theirs = regression.predict_proba(vectorizer.transform(tested))[:, 1]
    assert [model.probability(sentence) for sentence in tested] == pytest.approx(list(theirs), abs=1e-3)
