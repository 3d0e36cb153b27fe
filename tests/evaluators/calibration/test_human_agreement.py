import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError
from agents_eval_evaluators.calibration.agreement_fit import fit_table, table_file
from agents_eval_evaluators.calibration.agreement_table import SHIPPED, AgreementTable, percentile, shipped_table
from agents_eval_evaluators.calibration.human_agreement import HumanAgreement
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.text.output_similarity import output_similarity


@pytest.fixture(scope="module")
def fitted(peerread: Path) -> AgreementTable:
    file = HumanAgreement(fitted_on=date(2026, 11, 20)).fit(peerread, "iclr_2017").content
    assert len(file) <= 500_000
    return AgreementTable.model_validate_json(file)


def test_the_shipped_table_is_what_the_fit_gives(fitted: AgreementTable) -> None:
    shipped = shipped_table()
    same = fitted.changed(provenance=shipped.provenance)
    assert same == shipped
    assert (fitted.provenance.papers, fitted.provenance.reviews) == (
        shipped.provenance.papers,
        shipped.provenance.reviews,
    )


def test_fitting_twice_gives_the_same_bytes(peerread: Path) -> None:
    cases = venue_cases(peerread, "iclr_2017")[:60]
    first, second = (
        table_file(fit_table(cases, "iclr_2017", source="s", licence="l", fitted_on="2026-01-01")) for _ in range(2)
    )
    assert first == second


def test_a_venue_with_too_few_papers_or_none_is_refused_with_what_to_do(peerread: Path) -> None:
    with pytest.raises(PaperError, match="needs 30"):
        HumanAgreement().fit(peerread, "conll_2016")
    with pytest.raises(PaperError, match="papers list"):
        HumanAgreement().fit(peerread, "icml_1999")


def test_a_typical_human_is_in_the_middle_of_the_human_scale() -> None:
    humans = HumanAgreement().humans("iclr_2017")["output_similarity"]
    assert (humans.lower, humans.median, humans.upper) == pytest.approx((0.25, 0.5, 0.75), abs=0.01)
    assert humans.venue == "iclr_2017"


def test_human_reviews_fulfil_most_duties() -> None:
    humans = HumanAgreement().humans("iclr_2017")["task_success"]
    assert 0.7 < humans.lower < humans.median < humans.upper <= 1


def test_too_few_reviews_for_the_ends_of_a_scale_are_said_in_the_table() -> None:
    assert shipped_table("iclr_2017").provenance.warnings == ()
    (warning,) = shipped_table("neurips_2025").provenance.warnings
    assert "253 reviews" in warning


def test_the_thresholds_are_such_that_hardly_any_human_is_beyond(fitted: AgreementTable) -> None:
    limits, scale = fitted.thresholds, fitted.match_scale
    assert limits.reviews == len(scale)
    assert sum(value < limits.generic_match for value in scale) == pytest.approx(0.01 * len(scale), abs=1)


def test_the_raw_human_median_is_near_a_fifth_so_no_cosine_can_be_read_as_a_grade() -> None:
    scale = shipped_table().match_scale
    assert 0.15 < scale[len(scale) // 2] < 0.25
    assert list(scale) == sorted(scale)


def test_words_of_a_single_review_are_not_shipped() -> None:
    assert min(shipped_table().words.document_frequency.values()) == 2


def test_a_percentile_counts_equals_half_and_stays_on_the_scale() -> None:
    scale = (0.1, 0.2, 0.2, 0.3)
    assert [percentile(value, scale) for value in (0.0, 0.1, 0.2, 0.25, 1.0)] == [0, 0.125, 0.5, 0.75, 1]


def test_the_table_is_read_when_it_is_first_needed_and_once() -> None:
    program = """
import agents_eval_evaluators.text.output_similarity, agents_eval_evaluators.graph.coordination_quality
from agents_eval_evaluators.calibration.agreement_fit import fit_table, table_file
from agents_eval_evaluators.calibration import agreement_table
assert agreement_table._read.cache_info().currsize == 0
assert agreement_table.shipped_table() is agreement_table.shipped_table("iclr_2017")
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_venue_with_a_table_of_its_own_is_scored_on_its_own_scale(peerread: Path) -> None:
    for venue in ("iclr_2017", "neurips_2025"):
        case = next(case for case in venue_cases(peerread, venue) if len(case.references) > 3)
        own, *others = (review.text for review in case.references)
        table = shipped_table(case.venue)
        assert table.venue == venue
        assert 0 < output_similarity(own, case.paper, others, table) < 1
        assert HumanAgreement().humans(venue)["output_similarity"].venue == venue


def test_both_shipped_tables_say_what_they_were_fitted_from() -> None:
    assert [(shipped_table(venue).provenance.papers, shipped_table(venue).provenance.reviews) for venue in SHIPPED] == [
        (307, 932),
        (63, 253),
    ]
