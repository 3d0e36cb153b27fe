from pathlib import Path

import pytest

from agents_eval_core.errors import PaperError
from agents_eval_core.ports.validation import Validation
from agents_eval_evaluators.validity.review_points import ReviewPointsValidity
from agents_eval_evaluators.validity.review_quality import Labelled, beyond_length, follows_label, labelled_lines
from agents_eval_evaluators.validity.review_substance import ReviewSubstanceValidity
from agents_eval_evaluators.validity.tone import ToneValidity

RATERS = "mean of human raters"


def test_the_worth_of_points_follows_human_raters_beyond_length(real_data: Path) -> None:
    figures = list(ReviewPointsValidity(resamples=4).figures([real_data]))
    over_all = {(one.metric, one.measure): one.value for one in figures if one.data == "RevUtil, 15 venues"}
    for aspect, at_least, beyond in (
        ("grounding", 0.58, 0.45),
        ("actionability", 0.5, 0.43),
        ("helpfulness", 0.5, 0.4),
    ):
        assert over_all[aspect, RATERS] >= at_least
        assert over_all[aspect, f"{RATERS} beyond length"] >= beyond
    assert {one.n for one in figures if one.metric == "grounding"} == {766, 589, 177}
    assert next(one.value for one in figures if one.metric == "points") > 0.7


def test_substance_follows_the_quality_of_reviews_and_is_not_below_length(real_data: Path) -> None:
    figures = {one.measure: one.value for one in ReviewSubstanceValidity(resamples=4).figures([real_data])}
    assert figures["overall quality"] > 0.6
    assert figures["overall quality beyond length"] > 0.1
    assert figures["overall quality, more than length alone"] > -0.05
    assert figures["order by overall quality"] > 0.75


def test_what_is_flagged_as_harsh_is_mostly_impolite(real_data: Path) -> None:
    figures = [one.value for one in ToneValidity(resamples=4).figures([real_data / "review-quality"])]
    assert figures[0] > 0.85
    assert figures[1] < 0.2


@pytest.mark.parametrize("validation", [ReviewPointsValidity(), ReviewSubstanceValidity(), ToneValidity()])
@pytest.mark.parametrize("given", [True, False])
def test_without_the_labelled_reviews_it_says_where_they_were_looked_for(
    validation: Validation, *, given: bool, clean_place: Path
) -> None:
    with pytest.raises(PaperError, match="review-quality"):
        list(validation.figures([clean_place] if given else []))


def test_the_folder_or_the_one_it_lies_in_will_do(clean_place: Path) -> None:
    folder = clean_place / "review-quality" / "revutil"
    folder.mkdir(parents=True)
    (folder / "points.jsonl").write_text('{"id": "1"}\n', encoding="utf-8")
    for data_dir in (clean_place, clean_place / "review-quality"):
        assert list(labelled_lines([data_dir], "revutil/points.jsonl")) == [{"id": "1"}]


def test_what_only_length_explains_is_nothing_beyond_it() -> None:
    given, labels = (2, 1, 3, 4, 5, 6, 7, 8), (1, 2, 4, 3, 5, 6, 8, 7)
    items = [
        Labelled(given=metric, label=label, length=length, paper="")
        for length, (metric, label) in enumerate(zip(given, labels, strict=True))
    ]
    assert follows_label(items) > 0.9
    assert beyond_length(items) == pytest.approx(0, abs=0.1)
