from itertools import islice
from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError
from agents_eval_evaluators.validity.output_similarity import OutputSimilarityValidity
from agents_eval_evaluators.validity.ranks import area_under_curve, rank_correlation


def test_similarity_tells_reviews_of_a_paper_from_others_and_does_not_live_on_length(peerread: Path) -> None:
    stranger, neighbour, length = islice(OutputSimilarityValidity(resamples=40).figures([peerread]), 3)
    assert stranger.value > neighbour.value > 0.92
    assert stranger.value > 0.97
    assert abs(length.value) < 0.35
    for figure in (stranger, neighbour, length):
        assert figure.interval is not None
        assert figure.interval[0] < figure.value < figure.interval[1]
        assert figure.n > 800
        assert figure.data.startswith("iclr_2017")


def test_a_folder_that_is_not_the_data_is_refused(clean_place: Path) -> None:
    with pytest.raises(PaperError):
        list(OutputSimilarityValidity().figures([clean_place]))


def test_the_area_under_the_curve_is_a_half_by_chance_and_one_when_apart() -> None:
    assert area_under_curve([1, 2], [1, 2]) == 0.5
    assert area_under_curve([3, 4], [1, 2]) == 1


def test_rank_correlation_looks_at_order_only() -> None:
    assert rank_correlation([1, 2, 3], [1, 10, 11]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [3, 2, -9]) == pytest.approx(-1)
