"""Better, worse, equivalent, or not enough data."""

import pytest

from agents_eval_core.statistics.clustered import ClusteredMean
from agents_eval_core.statistics.conclusion import conclude
from agents_eval_core.statistics.evidence import Evidence, PairedValues, paired_evidence
from agents_eval_core.statistics.fewest_papers import fewest_papers


def an_estimate(mean: float, papers: int = 12) -> ClusteredMean:
    return ClusteredMean(mean=mean, standard_error=0.01, low=mean - 0.02, high=mean + 0.02, n=papers, clusters=papers)


def evidence_of(differences: list[float], margin: float | None = None) -> Evidence:
    values = PairedValues(values=[(0.0, each) for each in differences], papers=range(len(differences)))
    return paired_evidence([values], margin=margin)[0]


def concluded(differences: list[float], margin: float | None = None) -> str:
    found = evidence_of(differences, margin)
    return conclude(found.estimate, p=found.p, equivalence_p=found.equivalence_p)


@pytest.mark.parametrize(
    ("mean", "p", "equivalence_p", "conclusion"),
    [
        (0.05, 0.05, None, "better"),
        (-0.05, 0.05, None, "worse"),
        (0.05, 0.051, None, "not enough data"),
        (0.05, 0.001, 0.04, "equivalent"),
        (0.0, 1.0, 0.05, "equivalent"),
        (0.05, 0.001, 0.06, "better"),
    ],
)
def test_p_values_decide_and_a_difference_within_the_margin_does_not_matter(
    mean: float, p: float, equivalence_p: float | None, conclusion: str
) -> None:
    assert conclude(an_estimate(mean), p=p, equivalence_p=equivalence_p) == conclusion


def test_five_papers_never_decide_and_six_can() -> None:
    assert conclude(an_estimate(0.8, papers=5), p=0.0) == "not enough data"
    assert conclude(an_estimate(0.8, papers=6), p=0.0) == "better"


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_the_fewest_papers_are_those_whose_signs_alone_could_be_significant(confidence: float) -> None:
    fewest = fewest_papers(confidence)
    assert 2 / 2**fewest <= 1 - confidence + 1e-12
    assert 2 / 2 ** (fewest - 1) > 1 - confidence


def test_no_estimate_is_not_enough_data() -> None:
    assert conclude(None, p=0.0) == "not enough data"


def test_a_small_difference_seen_in_six_papers_alike_does_not_decide_but_in_many_it_does() -> None:
    assert concluded([0.1] * 6) == "not enough data"
    assert concluded([0.1] * 60) == "better"


def test_no_difference_at_all_is_equivalence_only_over_many_papers() -> None:
    assert concluded([0.0] * 58, margin=0.05) == "not enough data"
    assert concluded([0.0] * 59, margin=0.05) == "equivalent"


def test_six_papers_by_t_alone_do_not_decide_where_one_sign_differs() -> None:
    found = evidence_of([0.10, 0.11, 0.09, 0.10, 0.12, -0.004])
    assert found.t_p < 0.05 < found.permutation_p
    assert concluded([0.10, 0.11, 0.09, 0.10, 0.12, -0.004]) == "not enough data"
