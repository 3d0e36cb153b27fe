import json
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.review import HumanReview, Rating, Review, Scale
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_evaluators.calibration.verdict_calibration import VerdictCalibration
from agents_eval_evaluators.text.verdict_agreement import VerdictAgreement, recommendation_agreement
from agents_eval_evaluators.text.verdict_scale import VerdictScale, shipped_verdict_scale

ScoreOf = Callable[..., Awaitable[Score]]
TEN = Scale(lowest=1, highest=10)


@pytest.fixture
def rated(case: Case) -> Case:
    ratings = (6, 6, 7)
    return case.changed(
        references=tuple(
            HumanReview(id=str(value), text="x", rating=Rating(value=value, scale=TEN)) for value in ratings
        ),
        decision="accepted",
    )


async def test_the_nearer_a_rating_the_higher_and_baselines_stand_beside(
    a_run: Callable[..., Run], rated: Case, score_of: ScoreOf
) -> None:
    values: list[float] = []
    for given in (6, 8, 2):
        review = Review(summary="x", rating=Rating(value=given, scale=TEN))
        score = await score_of(VerdictAgreement(), a_run(case=rated, output=review))
        assert score.value is not None
        values.append(score.value)
        measures = {measure.name: measure.value for measure in score.measures}
        assert measures["baseline_mean_rating"] == pytest.approx(0.41, abs=0.01)
        assert measures["baseline_random_human"] == pytest.approx(0.33, abs=0.02)
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.7
    assert values[2] < 0.05


async def test_a_rating_on_another_scale_is_carried_over(
    a_run: Callable[..., Run], rated: Case, score_of: ScoreOf
) -> None:
    five = Review(summary="x", rating=Rating(value=3, scale=Scale(lowest=1, highest=5)))
    ten = Review(summary="x", rating=Rating(value=5.5, scale=TEN))
    assert await score_of(VerdictAgreement(), a_run(case=rated, output=five)) == await score_of(
        VerdictAgreement(), a_run(case=rated, output=ten)
    )


async def test_without_ratings_or_a_venues_scale_it_is_not_measured(
    a_run: Callable[..., Run], case: Case, rated: Case, score_of: ScoreOf
) -> None:
    assert rated.paper is not None
    elsewhere = rated.changed(paper=rated.paper.changed(venue="somewhere_1999"))
    for run in (a_run(), a_run(case=elsewhere), a_run(case=rated, output=Review(summary="x"))):
        score = await score_of(VerdictAgreement(), run)
        assert (score.value, score.reason) == (None, "not_measured")


def test_recommendations_weigh_by_how_sure_they_are() -> None:
    said = [recommendation_agreement(ours, "rejected") for ours in ("reject", "weak_reject", "weak_accept", "accept")]
    assert said == pytest.approx([1, 0.85, 0.15, 0])


def test_the_shipped_scale_is_that_of_the_data(peerread: Path) -> None:
    fitted = VerdictScale.model_validate_json(
        VerdictCalibration(fitted_on=date(2026, 11, 20)).fit(peerread, "iclr_2017").content
    )
    shipped = shipped_verdict_scale("iclr_2017")
    assert shipped is not None
    assert fitted.changed(source=shipped.source) == shipped
    assert json.loads(shipped.model_dump_json(by_alias=True))["schema"] == "agents-eval/verdict-scale/1"


def test_a_folder_without_the_venue_is_refused(clean_place: Path) -> None:
    with pytest.raises(PaperError):
        VerdictCalibration().fit(clean_place, "iclr_2017")


def test_humans_lie_in_the_middle_of_their_own_scale() -> None:
    humans = VerdictCalibration().humans("iclr_2017")["verdict_agreement"]
    assert 0.1 < humans.lower < 0.35 < humans.median < 0.55 < humans.upper
    assert VerdictCalibration().humans("somewhere_1999") == {}
