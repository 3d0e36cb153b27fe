"""How near the successful runs of a task come to the shortest of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_evaluators.graph.across_runs.outcome import has_succeeded, why_not, working_steps
from agents_eval_evaluators.scoring import graded, process_finding, silent

UNITS: Final = (("shortest_success", "steps"), ("relative_length", "ratio"))
DETOUR: Final = 2.0


def path_convergence(steps: Sequence[int]) -> float:
    """Return the mean over successful runs of (steps of the shortest of them / steps of the run).

    1 where all are equally long. The formula is that of Arize's "Agent Path Convergence"; there the minimum is over all
    runs, so that a run that gave up early sets the mark. Here failed runs are left out, of the minimum and the mean.
    Both code samples published there do something else than the formula; this follows the formula.

    Args:
        steps: How many steps each successful run took.

    Raises:
        UndefinedMetricError: Fewer than two successful runs with steps: one path has nothing to converge with.

    References:
        Arize, Agent Path Convergence. No study of its validity is known.

    >>> path_convergence([4, 8])
    0.75
    """
    known = [count for count in steps if count > 0]
    if len(known) < 2:  # noqa: PLR2004  one path has nothing to converge with
        raise UndefinedMetricError("path_convergence", because="fewer than two successful runs have steps")
    return fsum(min(known) / count for count in known) / len(known)


def relative_lengths(steps: Sequence[int], succeeded: Sequence[bool | None]) -> tuple[float | None, ...]:
    """Return for each run its steps over those of the shortest *other* successful run; None where there is none.

    Below 1 it is shorter than any other success. It is given for failed runs too: a run can be held against the others
    before its own outcome is known.

    >>> relative_lengths([4, 8, 2], [True, True, False])
    (0.5, 2.0, 0.5)
    """
    marks = [
        min((other for at, other in enumerate(steps) if at != place and succeeded[at] and other), default=None)
        for place in range(len(steps))
    ]
    return tuple(own / mark if mark is not None and own else None for own, mark in zip(steps, marks, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class PathConvergence:
    """Scores the runs of a task by `path_convergence`, with `relative_length` of each run and its mean as measures."""

    name: str = "path_convergence"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("path_convergence",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare how long the runs are."""
        traced = [run for run in runs if run.trace is not None]
        if reason := why_not(traced, at_least=2, of="runs with a trace"):
            return silent(self, "not_applicable", reason, UNITS)
        succeeded = [has_succeeded(run) for run in traced]
        if all(outcome is None for outcome in succeeded):
            return silent(self, "not_measured", "nobody says which runs succeeded", UNITS)
        if not any(succeeded):
            return silent(self, "not_applicable", "no run succeeded", UNITS)
        steps = [len(working_steps(run)) for run in traced]
        won = [(run, count) for run, count, outcome in zip(traced, steps, succeeded, strict=True) if outcome and count]
        if reason := why_not([run for run, _ in won], at_least=2, of="successful runs with steps"):
            return silent(self, "not_applicable", reason, UNITS)
        counts = [count for _, count in won]
        relative = relative_lengths(steps, succeeded)
        own = [ratio for ratio, outcome in zip(relative, succeeded, strict=True) if ratio is not None and outcome]
        return Evaluation(
            scores=graded(
                self,
                {"path_convergence": path_convergence(counts)},
                explanation=f"{len(won)} successful runs of {min(counts)} to {max(counts)} steps",
            ),
            measures=(
                Measure(name="shortest_success", value=min(counts), unit="steps"),
                Measure(name="relative_length", value=fsum(own) / len(own), unit="ratio"),
                *_by_run(traced, relative),
            ),
            findings=tuple(_detours(won)),
        )


def _by_run(runs: Sequence[Run], relative: Sequence[float | None]) -> Iterator[Measure]:
    for run, value in zip(runs, relative, strict=True):
        reason = None if value is not None else "not_applicable"
        said = "" if value is not None else "no other run succeeded, or this one has no steps"
        yield Measure(name=f"{run.id}.relative_length", value=value, unit="ratio", reason=reason, explanation=said)


def _detours(won: Sequence[tuple[Run, int]]) -> Iterator[Finding]:
    shortest, fewest = min(won, key=lambda each: each[1])
    for run, count in won:
        if count >= DETOUR * fewest:
            sentence = f"Run {run.id} took {count} steps to succeed where {shortest.id} needed {fewest}."
            extra = working_steps(run)[fewest:]
            yield process_finding("detour", "info", sentence, (f"{run.id}/{span.id}" for span in extra))
