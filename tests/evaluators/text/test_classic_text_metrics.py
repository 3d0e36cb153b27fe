"""The classic text metrics equal the libraries that people know them from."""

import warnings
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.case import Case
from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.review import HumanReview
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.bleu import Bleu, bleu
from agents_eval_evaluators.text.bm25 import Bm25, bm25
from agents_eval_evaluators.text.chrf import Chrf, chrf
from agents_eval_evaluators.text.edit_similarity import EditSimilarity, edit_similarity
from agents_eval_evaluators.text.jaccard import Jaccard, jaccard
from agents_eval_evaluators.text.rouge import Rouge, rouge
from agents_eval_evaluators.text.tfidf_cosine import TfidfCosine, tfidf_cosine
from agents_eval_evaluators.text.words import WORD_PATTERN, plain, words

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the libraries' own
    import sacrebleu
    import textdistance
    from rouge_score.rouge_scorer import RougeScorer  # pyright: ignore[reportMissingTypeStubs]  it has none
    from sklearn.feature_extraction.text import TfidfVectorizer  # pyright: ignore[reportMissingTypeStubs]  it has none

Ask = Callable[..., Awaitable[Evaluation]]
ALL: tuple[Evaluator, ...] = (TfidfCosine(), Bm25(), Jaccard(), EditSimilarity(), Rouge(), Bleu(), Chrf())
ALPHABET = 'abcE1 .,-?!\n"&;é\u00a0\u0130\t<>/$%'
TEXTS = st.text(alphabet=ALPHABET, max_size=60)
WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "3.5", "x-y", "it's", "5-3", "&quot;"]), max_size=14)
EITHER = TEXTS | WORDS.map(" ".join)
COUNTS = shipped_table().words


@given(EITHER, st.lists(EITHER, min_size=1, max_size=3))
def test_bleu_equals_sacrebleu(text: str, references: list[str]) -> None:
    theirs = sacrebleu.sentence_bleu(text, references).score / 100
    assert bleu(text, references) == pytest.approx(theirs, abs=1e-9)


@given(EITHER, EITHER)
def test_chrf_equals_sacrebleu(text: str, reference: str) -> None:
    assert chrf(text, reference) == pytest.approx(sacrebleu.sentence_chrf(text, [reference]).score / 100, abs=1e-9)


@given(st.text(max_size=60), st.text(max_size=60))
def test_chrf_equals_sacrebleu_in_any_script(text: str, reference: str) -> None:
    assert chrf(text, reference) == pytest.approx(sacrebleu.sentence_chrf(text, [reference]).score / 100, abs=1e-9)


def test_chrf_equals_sacrebleu_with_more_characters_than_fit_a_number() -> None:
    first, second = ("".join(map(chr, range(0x4E00, 0x4E00 + count))) for count in (1500, 1200))
    assert chrf(first, second) == pytest.approx(sacrebleu.sentence_chrf(first, [second]).score / 100, abs=1e-9)


@given(EITHER, EITHER)
def test_rouge_equals_rouge_score(text: str, reference: str) -> None:
    scorer = cast("Any", RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False))
    theirs = scorer.score(reference, text)
    ours = rouge(text, reference)
    for name, other in (("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")):
        expected = (theirs[other].precision, theirs[other].recall, theirs[other].fmeasure)
        assert (ours[name].precision, ours[name].recall, ours[name].f_measure) == pytest.approx(expected, abs=1e-9)


@given(EITHER, EITHER)
def test_jaccard_and_edit_similarity_equal_textdistance(text: str, reference: str) -> None:
    by_words = cast("Any", textdistance.Jaccard(as_set=True))
    by_characters = cast("Any", textdistance.Levenshtein(external=True))
    assert jaccard(text, reference) == pytest.approx(by_words(words(text), words(reference)), abs=1e-9)
    theirs = by_characters.normalized_similarity(text, reference)
    assert edit_similarity(text, reference) == pytest.approx(theirs, abs=1e-9)


@given(WORDS.map(" ".join), WORDS.map(" ".join))
def test_the_cosine_of_a_pair_equals_scikit_learns(text: str, reference: str) -> None:
    if not words(text + reference):
        assert tfidf_cosine(text, reference) == 0
        return
    vectorizer = cast("Any", TfidfVectorizer(preprocessor=plain, token_pattern=WORD_PATTERN))
    weights = vectorizer.fit_transform([text, reference])
    assert tfidf_cosine(text, reference) == pytest.approx((weights[0] @ weights[1].T).toarray()[0, 0], abs=1e-9)


@given(EITHER, EITHER)
def test_bm25_is_bounded_and_symmetric(text: str, reference: str) -> None:
    value = bm25(text, reference, COUNTS)
    assert 0 <= value <= 1
    assert value == bm25(reference, text, COUNTS)


@given(st.text(max_size=200))
def test_a_text_is_wholly_like_itself(text: str) -> None:
    assert jaccard(text, text) == edit_similarity(text, text) == 1
    if words(text):
        assert rouge(text, text)["rouge_l"].f_measure == 1
        assert chrf(text, text) == pytest.approx(1)
        assert tfidf_cosine(text, text) == pytest.approx(1)


@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
async def test_the_order_of_references_and_copies_of_them_change_nothing(
    evaluator: Evaluator, a_run: Callable[..., Run], case: Case, ask: Ask
) -> None:
    turned = case.changed(references=(*reversed(case.references), case.references[0]))
    assert await ask(evaluator, a_run()) == await ask(evaluator, a_run(case=turned))


@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
@pytest.mark.parametrize("references", [(), (HumanReview(id="1", text=" ?!"),)])
async def test_without_references_nothing_is_measured(
    evaluator: Evaluator, references: tuple[HumanReview, ...], a_run: Callable[..., Run], case: Case, ask: Ask
) -> None:
    for score in (await ask(evaluator, a_run(case=case.changed(references=references)))).scores:
        assert (score.value, score.reason) == (None, "not_measured")


@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
async def test_an_empty_output_is_not_measured(evaluator: Evaluator, a_run: Callable[..., Run], ask: Ask) -> None:
    for score in (await ask(evaluator, a_run(text=" "))).scores:
        assert (score.value, score.reason) == (None, "not_measured")


async def test_texts_too_long_to_align_are_not_measured(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    long = "ab cd " * 60_000
    held = case.changed(references=(HumanReview(id="1", text=long),))
    (score,) = (await ask(EditSimilarity(), a_run(text=f"{long}x", case=held))).scores
    assert (score.value, score.reason) == (None, "not_measured")
    assert "take too long" in score.explanation
