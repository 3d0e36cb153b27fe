from collections.abc import Awaitable, Callable
from itertools import permutations

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.review import HumanReview
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_evaluators.calibration.agreement_table import shipped_table
from agents_eval_evaluators.text.output_similarity import (
    OutputSimilarity,
    expected_match,
    output_similarity,
    raw_similarity,
)

ScoreOf = Callable[..., Awaitable[Score]]


def _measure(score: Score, name: str) -> object:
    return next(measure.value for measure in score.measures if measure.name == name)


def test_the_expected_match_is_the_mean_over_all_pairs_of_references_of_the_better_one() -> None:
    values = [0.1, 0.4, 0.2, 0.3]
    pairs = [max(values[one], values[other]) for one, other in permutations(range(4), 2)]
    assert expected_match(values) == pytest.approx(sum(pairs) / len(pairs))


def test_a_further_reference_of_the_same_kind_does_not_raise_the_match() -> None:
    assert expected_match([0.2, 0.2, 0.2, 0.2]) == pytest.approx(expected_match([0.2, 0.2]))


def test_without_references_there_is_no_match() -> None:
    with pytest.raises(UndefinedMetricError, match="no reference"):
        expected_match([])


async def test_a_review_is_placed_among_human_reviewers(a_run: Callable[..., Run], score_of: ScoreOf) -> None:
    distant = "The parser is simple. I miss a study of other languages, and of beam search in particular."
    score = await score_of(OutputSimilarity(), a_run(text=distant))
    near = await score_of(OutputSimilarity(), a_run())
    assert score.value is not None
    assert near.value is not None
    assert 0 < score.value < 0.5 < near.value
    assert score.label == f"percentile {100 * score.value:.0f} of human reviewers"
    assert 0 < float(str(_measure(score, "raw_similarity"))) < 0.6
    assert _measure(score, "references") == 3


async def test_outside_the_calibrated_venue_the_label_names_the_scale(
    a_run: Callable[..., Run], case: Case, score_of: ScoreOf
) -> None:
    assert case.paper is not None
    elsewhere = case.changed(paper=case.paper.changed(venue="acl_2017"))
    score = await score_of(OutputSimilarity(), a_run(case=elsewhere))
    assert score.label.endswith("scale of iclr_2017")


async def test_one_reference_has_a_scale_of_its_own(a_run: Callable[..., Run], case: Case, score_of: ScoreOf) -> None:
    single = await score_of(OutputSimilarity(), a_run(case=case.changed(references=case.references[:1])))
    twice = await score_of(OutputSimilarity(), a_run(case=case.changed(references=(case.references[0],) * 2)))
    assert "one other reviewer" in str(_measure(single, "scale"))
    assert (single.value, _measure(twice, "references")) == (twice.value, 1)


async def test_without_references_nothing_is_measured(a_run: Callable[..., Run], case: Case, score_of: ScoreOf) -> None:
    for references in ((), (HumanReview(id="1", text=" ... "),)):
        score = await score_of(OutputSimilarity(), a_run(case=case.changed(references=references)))
        assert (score.value, score.reason) == (None, "not_measured")


async def test_an_empty_review_is_at_zero_even_against_an_empty_reference(
    a_run: Callable[..., Run], case: Case, score_of: ScoreOf
) -> None:
    """Guards D2: an empty review compared with an empty reference was a perfect match."""
    references = (*case.references, HumanReview(id="e", text=""))
    score = await score_of(OutputSimilarity(), a_run(text="", case=case.changed(references=references)))
    assert score.value == 0


async def test_another_task_has_no_human_scale(a_run: Callable[..., Run], case: Case, score_of: ScoreOf) -> None:
    score = await score_of(OutputSimilarity(), a_run(case=case.changed(task="book_flight")))
    assert score.reason == "not_applicable"


def test_the_order_of_references_does_not_matter(case: Case) -> None:
    texts = [reference.text for reference in case.references]
    values = {
        raw_similarity("A biaffine baseline is missing.", case.paper, order, shipped_table().words)
        for order in permutations(texts)
    }
    assert len(values) == 1


def test_references_are_never_mixed_into_one_better_than_each(case: Case) -> None:
    """Guards D14: the best of each measure came from different references."""
    texts = [reference.text for reference in case.references]
    counts = shipped_table().words
    singles = [raw_similarity(texts[0], case.paper, [text], counts) for text in texts[1:]]
    assert raw_similarity(texts[0], case.paper, texts[1:], counts) == max(singles)


def test_gibberish_is_at_zero(case: Case) -> None:
    """Guards D14: gibberish had a similarity of 0.13."""
    texts = [reference.text for reference in case.references]
    assert output_similarity("xqz frobnik wlop grault zzyx " * 20, case.paper, texts, shipped_table()) == 0
