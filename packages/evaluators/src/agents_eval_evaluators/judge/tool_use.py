"""How well tools were used, as a judge reads the steps."""

from dataclasses import dataclass

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_core.trajectory import ToolCall, trajectory
from agents_eval_evaluators.judge.judged import judged
from agents_eval_evaluators.judge.material import steps_part, task_part
from agents_eval_evaluators.judge.rubric import shipped_rubric
from agents_eval_evaluators.scoring import unmeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """Scores the tool calls of a run by the rubric `tool_use`, where there is a judge."""

    name: str = "tool_use"
    version: str = "0"
    tier: Tier = 2
    metrics: tuple[str, ...] = ("tool_use",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Show the judges the task and all steps."""
        if not context.judges:
            return unmeasured(self, "not_measured", context.judge_absence)
        if run.trace is None:
            return unmeasured(self, "not_measured", "the run has no trace to judge")
        if not any(isinstance(step, ToolCall) for step in trajectory(run.trace)):
            return unmeasured(self, "not_applicable", "no tool was called")
        return await judged(self, shipped_rubric(self.name), (task_part(run), steps_part(run)), run, context)
