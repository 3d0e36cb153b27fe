"""How rational the course of a run was, as a judge reads its steps."""

from dataclasses import dataclass

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.judge.judged import judged
from agents_eval_evaluators.judge.material import steps_part, task_part
from agents_eval_evaluators.judge.rubric import shipped_rubric
from agents_eval_evaluators.scoring import unmeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningRationality:
    """Scores the steps of a run by the rubric `planning_rationality`, where there is a judge."""

    name: str = "planning_rationality"
    version: str = "1"
    tier: Tier = 2
    metrics: tuple[str, ...] = ("planning_rationality",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Show the judges the task and all steps."""
        if not context.judges:
            return unmeasured(self, "not_measured", context.judge_absence)
        if run.trace is None:
            return unmeasured(self, "not_measured", "the run has no trace to judge")
        steps = steps_part(run)
        if not steps.text:
            return unmeasured(self, "not_measured", "the trace has no step to judge")
        return await judged(self, shipped_rubric(self.name), (task_part(run), steps), run, context)
