"""Whether a review's words go with its rating."""

from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_evaluators.calibration.rating_model import RatingModel, venue_rating_model
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.verdict_agreement import on_scale
from agents_eval_evaluators.text.words import sentence_words

RARE: Final = 0.01
FEWEST_SENTENCES: Final = 3


def rating_of_words(text: str, model: RatingModel) -> float | None:
    """Return the rating that a text's words would go with, on the model's scale; None for less than three sentences.

    References:
        On ICLR 2017 its rank correlation with the stated rating is about 0.45: enough for a mean over many reviews and
        for a warning where the gap is wider than 99 % of human reviews have; too little to grade one review by.
    """
    said = sentence_words(text)
    return model.predict(said) if len(said) >= FEWEST_SENTENCES else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coherence:
    """Warns where a rating does not go with the words beside it; gives no score."""

    name: str = "coherence"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Compare the stated rating with the one that the words would go with."""
        if run.output is None or run.output.rating is None or other_language(run.text) is not None:
            return Evaluation()
        model = venue_rating_model(run.case.venue, context.tables)
        if model is None:
            why = f"it is not known what ratings words go with at {run.case.venue or 'an unknown venue'}"
            return Evaluation(measures=(_gap(None, why),))
        expected = rating_of_words(run.output.text, model)
        if expected is None:
            return Evaluation(measures=(_gap(None, f"the review has fewer than {FEWEST_SENTENCES} sentences"),))
        stated = on_scale(run.output.rating, model.rating_scale)
        gap = abs(stated - expected)
        widest = model.widest(1 - RARE)
        human_mean = sum(model.gaps) / len(model.gaps)
        measures = (
            _gap(gap),
            Measure(name="rating_of_words", value=expected, unit="points of the venue's scale"),
            Measure(name="human_coherence_gap", value=human_mean, unit=f"mean of {len(model.gaps)} human reviews"),
        )
        if gap <= widest:
            return Evaluation(measures=measures)
        sentence = (
            f"the review rates {stated:g}, and its words go with about {expected:.1f} (99 % of human reviewers of "
            f"{model.venue} stay within {widest:.1f}): text and rating may not belong together"
        )
        return Evaluation(
            measures=measures, findings=(Finding(name="incoherent", severity="warning", sentence=sentence),)
        )


def _gap(value: float | None, why: str = "") -> Measure:
    return Measure(
        name="coherence_gap",
        value=value,
        unit="points of the venue's scale",
        reason="not_measured" if value is None else None,
        explanation=why,
    )
