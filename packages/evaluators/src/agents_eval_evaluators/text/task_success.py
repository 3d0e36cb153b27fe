"""How far a review does what a review must do, judged on its text and without references."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.review import HumanReview, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Outcome
from agents_eval_evaluators.calibration.agreement_table import AgreementTable, venue_table
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.duties import (
    ReviewPart,
    criticism,
    fields_present,
    grounding,
    parts_of_review,
    read,
    substance,
)
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.paper_subject import paper_subject
from agents_eval_evaluators.text.words import words

UNFULFILLED: Final[Mapping[str, str]] = {
    "substance": "fewer than five sentences of its own are about this paper",
    "grounding": "less than half of its points are anchored in this paper",
    "criticism": "fewer than two anchored weaknesses come with a reason, or fewer than two requests",
    "recommendation": "no recommendation or rating is stated",
    "fields": "parts of the form are empty",
}
_STATED: Final = re.compile(
    r"\b(?:recommend\w*|vote|lean\w*)\b.{0,40}\b(?:accept\w*|reject\w*)|\b(?:rating|score|recommendation)\b\W{0,3}\d"
    r"|\b(?:weak|strong|borderline|clear)\s+(?:accept|reject)\b",
    re.IGNORECASE | re.DOTALL,
)
Duties = Mapping[str, float]


def review_duties(review: Review, paper: Paper, counts: WordCounts) -> Duties:
    """Return how far a structured review fulfils each duty; all are 0 when it has no words.

    >>> from agents_eval_core.review import Point
    >>> paper = Paper(id="1", dataset="d", title="Dropout for parsers", abstract="Dropout regularises parsers.")
    >>> review_duties(Review(weaknesses=(Point(text="Early stopping regularises as well, uncompared."),)), paper,
    ...     venue_table("iclr_2017").words)["grounding"]
    1.0
    """
    is_stated = review.recommendation is not None or review.rating is not None
    duties = _duties(parts_of_review(review), paper, counts, is_stated=is_stated)
    fields = fields_present(review) if words(review.text) else 0.0
    return {**duties, "fields": fields}


def text_duties(text: str, paper: Paper, counts: WordCounts, *, has_rating: bool = False) -> Duties:
    """Return how far a review without a form fulfils each duty; the form's duty is left out, not counted as failed.

    Each sentence is a point, and what criticises is told by its words. A rating given beside the text states the
    recommendation, as does a sentence that does.
    """
    is_stated = has_rating or _STATED.search(text) is not None
    return _duties([ReviewPart(text=text)], paper, counts, is_stated=is_stated)


def human_duties(review: HumanReview, paper: Paper, counts: WordCounts) -> Duties:
    """Return how far a human review fulfils each duty."""
    return text_duties(review.text, paper, counts, has_rating=review.rating is not None)


def _duties(parts: Sequence[ReviewPart], paper: Paper, counts: WordCounts, *, is_stated: bool) -> Duties:
    reading = read(parts, paper_subject(paper, counts), counts)
    has_words = any(words(part.text) for part in parts)
    return {
        "substance": substance(reading),
        "grounding": grounding(reading),
        "criticism": criticism(reading),
        "recommendation": float(is_stated and has_words),
    }


def task_success(duties: Duties) -> float:
    """Return the mean of the duties: each counts the same.

    It says that a review does its work, not that it is right: no word list can tell that.

    >>> task_success({"substance": 1.0, "grounding": 0.5})
    0.75
    """
    return fsum(duties.values()) / len(duties)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSuccess:
    """Scores a review by its duties, and any other task by the outcome that its trace declares."""

    name: str = "task_success"
    version: str = "2"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("task_success",)
    table: AgreementTable | None = None

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Score the output by what the task asks for."""
        if run.case.task != "peer_review":
            return self._declared(run.trace.outcome if run.trace else None)
        if run.case.paper is None:
            return unmeasured(self, "not_measured", "the paper is not at hand, so nothing can be anchored in it")
        language = other_language(run.text)
        if language is not None:
            return unmeasured(self, "not_measured", f"the review is in {language}, and duties are read in English")
        counts = (self.table or venue_table(run.case.venue, context.tables)).words
        if run.output is not None:
            duties = review_duties(run.output, run.case.paper, counts)
        else:
            duties = text_duties(run.text, run.case.paper, counts)
        return measured(
            self,
            task_success(duties),
            explanation=_explanation(duties),
            measures=(Measure(name=name, value=share, unit="share") for name, share in duties.items()),
        )

    def _declared(self, outcome: Outcome | None) -> Evaluation:
        if outcome is not None and outcome.success is not None:
            says = "success" if outcome.success else "failure"
            return measured(self, float(outcome.success), explanation=f"the trace itself declares {says}")
        if outcome is not None and outcome.reward is not None and 0 <= outcome.reward <= 1:
            return measured(self, outcome.reward, explanation=f"the trace declares a reward of {outcome.reward:g}")
        return unmeasured(self, "not_measured", "neither the case nor the trace says whether the task was done")


def _explanation(duties: Duties) -> str:
    missing = [UNFULFILLED[name] for name, share in duties.items() if share < 1]
    form = "" if "fields" in duties else " (the review has no form, so its fields are not judged)"
    if not missing:
        return f"all {len(duties)} duties are fulfilled{form}"
    are = "is" if len(missing) == 1 else "are"
    return f"of {len(duties)} duties {len(missing)} {are} not fully met: {'; '.join(missing)}{form}"
