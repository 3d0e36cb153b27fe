"""How well a review's recommendation holds beside those of the human reviewers, as a judge reads both."""

from dataclasses import dataclass

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.judge.judged import judged
from agents_eval_evaluators.judge.material import human_part, output_part
from agents_eval_evaluators.judge.rubric import shipped_rubric
from agents_eval_evaluators.scoring import unmeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendationQuality:
    """Scores a recommendation by the rubric of the same name, where there are a judge and human reviews."""

    name: str = "recommendation_quality"
    version: str = "0"
    tier: Tier = 2
    metrics: tuple[str, ...] = ("recommendation_quality",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Show the judges the review and the human reviews."""
        if run.case.task != "peer_review":
            return unmeasured(self, "not_applicable", f"it judges reviews, and the task is {run.case.task!r}")
        if not context.judges:
            return unmeasured(self, "not_measured", context.judge_absence)
        if run.output is None or (run.output.recommendation is None and run.output.rating is None):
            return unmeasured(
                self, "not_measured", "the review states neither a recommendation nor a rating in its form"
            )
        if not run.case.references:
            return unmeasured(self, "not_measured", "the paper has no human review to hold the recommendation against")
        parts = (output_part(run), human_part(run.case.references))
        return await judged(self, shipped_rubric(self.name), parts, run, context)
