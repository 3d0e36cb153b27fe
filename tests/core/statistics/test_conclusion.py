"""Better, worse, or not enough data."""

import pytest

from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.conclusion import conclude, conclusion_sentence, fewest_papers
from agents_eval_core.statistics.paired import paired_difference


def an_estimate(low: float, high: float, papers: int = 12) -> ClusteredMean:
    return ClusteredMean(mean=(low + high) / 2, standard_error=0.01, low=low, high=high, n=papers, clusters=papers)


@pytest.mark.parametrize(
    ("low", "high", "conclusion"),
    [(0.01, 0.09, "better"), (-0.09, -0.01, "worse"), (-0.01, 0.09, "not enough data"), (0, 0.1, "not enough data")],
)
def test_an_interval_decides_when_it_excludes_zero(low: float, high: float, conclusion: str) -> None:
    assert conclude(an_estimate(low, high)) == conclusion


def test_five_papers_never_decide_and_six_can() -> None:
    assert conclude(an_estimate(0.8, 0.9, papers=5)) == "not enough data"
    assert conclude(an_estimate(0.8, 0.9, papers=6)) == "better"


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_the_fewest_papers_are_those_whose_signs_alone_could_be_significant(confidence: float) -> None:
    fewest = fewest_papers(confidence)
    assert 2 / 2**fewest <= 1 - confidence + 1e-12
    assert 2 / 2 ** (fewest - 1) > 1 - confidence


def test_no_estimate_is_not_enough_data() -> None:
    assert conclude(None) == "not enough data"


def test_a_small_difference_seen_in_six_papers_alike_does_not_decide_but_in_many_it_does() -> None:
    assert conclude(paired_difference([0.1] * 6, range(6))) == "not enough data"
    assert conclude(paired_difference([0.1] * 60, range(60))) == "better"


@pytest.mark.parametrize(
    ("estimate", "papers", "sentence"),
    [
        (an_estimate(0.01, 0.09), 12, "a is better than b by 0.05 [0.01, 0.09] (95 %, 12 papers)"),
        (an_estimate(-0.09, -0.01), 12, "a is worse than b by 0.05 [0.01, 0.09] (95 %, 12 papers)"),
        (an_estimate(0.001, 0.009), 12, "a is better than b by 0.005 [0.001, 0.009] (95 %, 12 papers)"),
        (an_estimate(0.1, 0.2, 3), 3, "not enough data: 3 papers cannot decide; at least 6 are needed"),
        (None, 1, "not enough data: 1 paper cannot decide; at least 6 are needed"),
        (None, 0, "not enough data: no paper has it measured on both sides"),
        (
            an_estimate(-0.03, 0.07),
            12,
            "not enough data: a minus b is 0.02 [-0.03, 0.07] (95 %, 12 papers), so either may be the better one",
        ),
    ],
)
def test_the_conclusion_in_plain_words(estimate: ClusteredMean | None, papers: int, sentence: str) -> None:
    assert conclusion_sentence(estimate, "a", "b", papers=papers) == sentence


def test_a_difference_that_is_the_same_in_every_paper_is_said_to_be_so() -> None:
    sentence = conclusion_sentence(paired_difference([0.1] * 12, range(12)), "a", "b", papers=12)
    assert sentence == (
        "not enough data: a minus b is 0.10 [-0.14, 0.30] (95 %, 12 papers, the same in each), "
        "so either may be the better one"
    )


def test_the_unit_and_the_confidence_are_named() -> None:
    sentence = conclusion_sentence(an_estimate(0.01, 0.09), "a", "b", papers=12, confidence=0.9, unit="raw similarity")
    assert sentence == "a is better than b by 0.05 in raw similarity [0.01, 0.09] (90 %, 12 papers)"
