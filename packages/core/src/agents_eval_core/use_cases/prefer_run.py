"""Ask judges which of two runs of one task has the better output."""

from typing import cast

from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.evaluator import GroupEvaluator
from agents_eval_core.score import Score
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluate_trace import load_run
from agents_eval_core.use_cases.judge_choice import resolve_judge


async def prefer_run(first: str, second: str, *, settings: Settings, judge: str | None = None) -> Score:
    """Return which output is better: 1 is the first, 0 the second, none where the order decided.

    Both orders are asked. Nothing is kept but the answers, in the cache.

    Args:
        first: A run, as of `evaluate_trace`.
        second: Another run of the same task.
        settings: Budgets, data root, and the judge that is set.
        judge: Who judges; default is the setting.

    Raises:
        UsageError: There is no judge, or the runs are not of one task.
    """
    context = resolve_judge(judge, settings)
    if not context.judges:
        raise UsageError(f"there is no judge to ask: {context.judge_absence}; name one with --judge")
    runs = [load_run(source, settings=settings).run for source in (first, second)]
    evaluator = cast("GroupEvaluator", registry.load("group_evaluators", "judged_preference"))
    (score,) = (await evaluator.evaluate_group(runs, context)).scores
    if score.reason == "not_applicable":
        raise UsageError(f"{first} and {second} cannot be compared so: {score.explanation}")
    return score
