"""How alike the ways are that the runs of a task took."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from rapidfuzz.distance import Indel

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.across_runs.outcome import why_not, working_steps
from agents_eval_evaluators.scoring import graded, silent

Path = tuple[Hashable, ...]
UNITS: Final = (("least_alike_runs", "share"),)


def path_of(run: Run) -> Path:
    """Return a run's steps as what can be compared: which tool was called, to whom work went, who spoke."""
    trace = run.trace
    return () if trace is None else tuple(_label(step, trace) for step in working_steps(run))


def _label(step: Span, trace: Trace) -> Hashable:
    if step.is_delegation:
        return "to", trace.agent_name(step.to_agent_id)
    if step.tool is not None:
        return "calls", step.tool.name
    return "says", trace.agent_name(step.agent_id)


def similarities(paths: Sequence[Path]) -> tuple[float, ...]:
    """Return for each path its mean similarity to the others: 2 * longest common subsequence / both lengths.

    Two empty paths are equal. Order counts, arguments do not: what was asked differs, the way need not.

    Raises:
        UndefinedMetricError: Fewer than two paths.

    >>> similarities([("a", "b", "c"), ("a", "c"), ("a", "c")])
    (0.8, 0.9, 0.9)
    """
    if len(paths) < 2:  # noqa: PLR2004  a pair
        raise UndefinedMetricError("path_similarity", because="fewer than two runs")
    sums = [0.0] * len(paths)
    for place, one in enumerate(paths):
        for at in range(place):
            value = float(Indel.normalized_similarity(one, paths[at]))
            sums[place] += value
            sums[at] += value
    return tuple(total / (len(paths) - 1) for total in sums)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathSimilarity:
    """Scores the runs of a task by the mean of `similarities`, with each run's own as a measure."""

    name: str = "path_similarity"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("path_similarity",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the paths, each with each."""
        stepped = [run for run in runs if working_steps(run)]
        if reason := why_not(stepped, at_least=2, of="runs with steps"):
            return silent(self, "not_applicable", reason, UNITS)
        values = similarities([path_of(run) for run in stepped])
        least = min(zip(values, stepped, strict=True), key=lambda each: each[0])
        return Evaluation(
            scores=graded(
                self,
                {"path_similarity": fsum(values) / len(values)},
                explanation=f"{len(stepped)} runs; the least like the others is {least[1].id} ({least[0]:.2f})",
            ),
            measures=(
                Measure(name=UNITS[0][0], value=least[0], unit="share"),
                *(
                    Measure(name=f"{run.id}.path_similarity", value=value, unit="share")
                    for run, value in zip(stepped, values, strict=True)
                ),
            ),
        )
