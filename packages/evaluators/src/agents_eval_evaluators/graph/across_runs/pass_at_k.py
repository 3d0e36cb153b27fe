"""How often a task is solved: at least once in k runs (pass@k), and every time in k runs (pass^k)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.statistics.pass_at_k import pass_at_k, pass_hat_k
from agents_eval_evaluators.graph.across_runs.outcome import has_succeeded
from agents_eval_evaluators.scoring import graded, process_finding, silent

KS: Final = (1, 2, 4, 8)
UNITS: Final = (("runs_with_outcome", "runs"), ("successful_runs", "runs"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PassAtK:
    """Scores the runs of a task by `pass_at_k` and `pass_hat_k` for k = 1, 2, 4, 8; at k = 1 they are one and the same.

    Runs of which nobody says whether they succeeded are left out; how many are counted is a measure.
    """

    name: str = "pass_at_k"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = (*(f"pass_at_{k}" for k in KS), *(f"pass_hat_{k}" for k in KS[1:]))

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Count the successes."""
        known = [(run, outcome) for run in runs if (outcome := has_succeeded(run)) is not None]
        if not known:
            return silent(self, "not_measured", "nobody says which runs succeeded", UNITS)
        n, failed = len(known), [run for run, outcome in known if not outcome]
        wins = n - len(failed)
        sentence = f"The task was solved in {wins} of {n} runs; not in {', '.join(run.id for run in failed)}."
        ends = (f"{run.id}/{run.trace.spans[-1].id}" for run in failed if run.trace is not None and run.trace.spans)
        return Evaluation(
            scores=graded(self, _values(n, wins), explanation=f"{wins} of {n} runs succeeded"),
            measures=(
                Measure(name=UNITS[0][0], value=n, unit=UNITS[0][1]),
                Measure(name=UNITS[1][0], value=wins, unit=UNITS[1][1]),
            ),
            findings=(process_finding("unreliable", "info", sentence, ends),) if failed and wins else (),
        )


def _values(n: int, wins: int) -> dict[str, float | str]:
    def value(k: int, estimate: float | None) -> float | str:
        return f"it takes {k} runs with a known outcome, and there are {n}" if estimate is None else estimate

    at = {f"pass_at_{k}": value(k, pass_at_k(n, wins, k) if k <= n else None) for k in KS}
    hat = {f"pass_hat_{k}": value(k, pass_hat_k(n, wins, k) if k <= n else None) for k in KS[1:]}
    return at | hat
