import json
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import PaperError
from agents_eval_core.review import Point, Rating, Review, Scale
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.calibration.rating_calibration import RatingCalibration
from agents_eval_evaluators.calibration.rating_fit import fitted, rated_reviews
from agents_eval_evaluators.calibration.rating_model import RatingModel, rating_features, venue_rating_model
from agents_eval_evaluators.calibration.venue_cases import venue_cases
from agents_eval_evaluators.text.coherence import Coherence
from agents_eval_evaluators.text.words import sentence_words

Ask = Callable[..., Awaitable[Evaluation]]
TEN = Scale(lowest=1, highest=10)
PRAISE = Review(
    summary="This is a great paper with a novel idea. The results are impressive, convincing and very strong.",
    strengths=(
        Point(text="Very clear and well written; I enjoyed reading it. Excellent experiments. I recommend acceptance."),
        Point(text="The contribution is significant and of interest to the community. Strong accept."),
    ),
)


def _measures(evaluation: Evaluation) -> dict[str, Any]:
    return {measure.name: measure.value for measure in evaluation.measures}


async def test_praise_rated_lowest_is_warned_of_and_no_score_changes(a_run: Callable[..., Run], ask: Ask) -> None:
    torn = PRAISE.changed(rating=Rating(value=1, scale=TEN))
    evaluation = await ask(Coherence(), a_run(output=torn))
    (finding,) = evaluation.findings
    assert (finding.name, finding.severity) == ("incoherent", "warning")
    assert evaluation.scores == ()
    assert _measures(evaluation)["coherence_gap"] > 3


async def test_praise_rated_high_is_coherent_whatever_the_scale(a_run: Callable[..., Run], ask: Ask) -> None:
    for rating in (Rating(value=8, scale=TEN), Rating(value=4, scale=Scale(lowest=1, highest=5))):
        evaluation = await ask(Coherence(), a_run(output=PRAISE.changed(rating=rating)))
        assert evaluation.findings == ()
        assert _measures(evaluation)["coherence_gap"] < 3


async def test_where_it_cannot_be_told_the_gap_says_why(a_run: Callable[..., Run], case: Case, ask: Ask) -> None:
    assert case.paper is not None
    elsewhere = case.changed(paper=case.paper.changed(venue="somewhere_1999"))
    for run in (a_run(case=elsewhere), a_run(output=Review(summary="x", rating=Rating(value=3, scale=TEN)))):
        (measure,) = (await ask(Coherence(), run)).measures
        assert (measure.name, measure.value, measure.reason) == ("coherence_gap", None, "not_measured")


async def test_without_a_rating_there_is_nothing_to_compare(a_run: Callable[..., Run], ask: Ask) -> None:
    assert await ask(Coherence(), a_run(output=PRAISE)) == Evaluation()


def test_negated_praise_is_no_praise() -> None:
    assert "clear" not in tuple(rating_features(sentence_words("It is not clear.")))
    assert "NOT_clear" in tuple(rating_features(sentence_words("It isn't clear.")))


def test_the_model_predicts_what_scikit_learn_would(peerread: Path) -> None:
    cases = venue_cases(peerread, "iclr_2017")
    items, _ = rated_reviews(cases, "iclr_2017")
    model = venue_rating_model("iclr_2017")
    assert model is not None
    texts = [review.text for case in cases for review in case.references if review.rating is not None]
    expected = fitted(items).predict(items[:40])
    for text, value in zip(texts[:40], expected, strict=True):
        assert model.predict(sentence_words(text)) == pytest.approx(min(10, max(1, value)), abs=0.02)


@pytest.mark.proof
def test_the_shipped_model_is_what_the_fit_gives(peerread: Path) -> None:
    content = RatingCalibration(fitted_on=date(2026, 11, 20)).fit(peerread, "iclr_2017").content
    assert RatingModel.model_validate_json(content) == venue_rating_model("iclr_2017")
    assert json.loads(content)["provenance"]["reviews"] > 900


def test_a_venue_whose_words_do_not_tell_its_ratings_gets_no_model(peerread: Path) -> None:
    with pytest.raises(PaperError, match="do not tell their ratings"):
        RatingCalibration().fit(peerread, "neurips_2025")
