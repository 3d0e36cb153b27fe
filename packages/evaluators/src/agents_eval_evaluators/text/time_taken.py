"""How much of its time budget a run took."""

from dataclasses import dataclass

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.waits import waited_seconds
from agents_eval_evaluators.scoring import measured, unmeasured


def time_taken(elapsed_seconds: float, budget_seconds: float) -> float:
    """Return budget / (budget + elapsed): 1 for no time at all, 0.5 for exactly the budget, never 0.

    A hyperbola rather than an exponential, so that runs of seconds and runs of minutes can both be told apart.

    Args:
        elapsed_seconds: Time on the trace's own clock, not negative.
        budget_seconds: The time the task should take, more than 0.

    Raises:
        UndefinedMetricError: The budget is not positive, or the time is negative.

    >>> time_taken(60, 60)
    0.5
    >>> time_taken(20, 60)
    0.75
    """
    if budget_seconds <= 0:
        raise UndefinedMetricError("time_taken", because=f"a budget of {budget_seconds:g} s is no budget")
    if elapsed_seconds < 0:
        raise UndefinedMetricError("time_taken", because=f"the trace ends {-elapsed_seconds:g} s before it begins")
    return budget_seconds / (budget_seconds + elapsed_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeTaken:
    """Scores a run by `time_taken`; a run that brought nothing forth took no time worth praising."""

    name: str = "time_taken"
    version: str = "0"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("time_taken",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Score the time from the trace's first beginning to its last end, without waits for a provider."""
        if not run.system.has_language_model:
            return unmeasured(self, "not_applicable", "no language model worked here, so its speed says nothing")
        if run.trace is None:
            return unmeasured(self, "not_measured", "the run has no trace, so its time is unknown")
        elapsed = run.trace.elapsed_seconds
        if elapsed is None:
            return unmeasured(self, "not_measured", "the trace has no clock")
        budget = run.case.budget_seconds or context.time_budget_seconds
        waited = waited_seconds(run.trace)
        measures = (
            Measure(name="elapsed_seconds", value=elapsed, unit="s"),
            *([Measure(name="waited_seconds", value=waited, unit="s")] if waited else []),
            Measure(name="budget_seconds", value=budget, unit="s"),
        )
        if not run.text.strip():
            return unmeasured(self, "not_measured", "the output is empty: its time is no merit", measures=measures)
        try:
            value = time_taken(elapsed - waited, budget)
        except UndefinedMetricError as problem:
            return unmeasured(self, "not_measured", str(problem), measures=measures)
        apart = f" after {waited:.1f} s of waiting for the provider" if waited else ""
        explanation = f"{elapsed - waited:.1f} s{apart} of a budget of {budget:g} s; exactly the budget would be 0.5"
        return measured(self, value, explanation=explanation, measures=measures)
