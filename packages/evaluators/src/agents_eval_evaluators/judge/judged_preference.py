"""Which of two outputs of one task is better, as judges read both, in both orders."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.judge.fence import Part
from agents_eval_evaluators.judge.grading import Grading
from agents_eval_evaluators.judge.judged import graded_by, no_grade
from agents_eval_evaluators.judge.material import output_part, paper_part, task_part
from agents_eval_evaluators.judge.rubric import shipped_rubric
from agents_eval_evaluators.scoring import measured, unmeasured

EVEN: Final = 0.5
PAIR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What two answers in opposite orders come to.

    Attributes:
        value: From 0 (the second output is better) to 1 (the first is); None where the answers contradict one another.
        lean: How far the answers lean to whatever stood first (above 0) or second, from -0.5 to 0.5.
    """

    value: float | None
    lean: float


def preference(as_given: float, swapped: float) -> Preference:
    """Return what a judge prefers, from its answers in both orders.

    Answers that name the output in the same place both times contradict one another: the order decided, and not the
    outputs. An answer of 0.5 names neither.

    Args:
        as_given: From 0 (what stands first is better) to 1, with the first output standing first.
        swapped: The same, with the second output standing first.

    References:
        Wang et al., "Large Language Models are not Fair Evaluators" (arXiv 2305.17926), for asking in both orders.

    >>> preference(0.0, 1.0), preference(0.25, 0.0).value
    (Preference(value=1.0, lean=0.0), None)
    """
    lean = EVEN - (as_given + swapped) / 2
    if (as_given - EVEN) * (swapped - EVEN) > 0:
        return Preference(value=None, lean=lean)
    return Preference(value=(1 - as_given + swapped) / 2, lean=lean)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPreference:
    """Says which of two runs of one task has the better output; 1 is the first, 0 the second."""

    name: str = "judged_preference"
    version: str = "0"
    tier: Tier = 2
    metrics: tuple[str, ...] = ("judged_preference",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:
        """Ask the judges twice, with the outputs in either order."""
        if len(runs) != PAIR:
            return unmeasured(self, "not_applicable", f"a preference is between two runs, and there are {len(runs)}")
        first, second = runs
        if (first.case.dataset, first.case.id) != (second.case.dataset, second.case.id):
            return unmeasured(self, "not_applicable", f"{first.case.id} and {second.case.id} are not the same task")
        if not context.judges:
            return unmeasured(self, "not_measured", context.judge_absence)
        if not first.text.strip() or not second.text.strip():
            return unmeasured(self, "not_measured", "one of the outputs is empty")
        if first.text == second.text:
            return unmeasured(self, "not_applicable", "the two outputs are the same, word for word")
        gradings = await asyncio.gather(_asked(first, second, context), _asked(second, first, context))
        return self._evaluation(*gradings)

    def _evaluation(self, as_given: Grading, swapped: Grading) -> Evaluation:
        if as_given.tally is None or swapped.tally is None:
            return no_grade(self, as_given if as_given.tally is None else swapped)
        both = preference(as_given.tally.value, swapped.tally.value)
        measures = (
            Measure(name="lean_to_first_place", value=both.lean),
            Measure(name="as_given", value=as_given.tally.value, unit="share"),
            Measure(name="swapped", value=swapped.tally.value, unit="share"),
            *(one for one in as_given.measures if "." not in one.name),
        )
        if both.value is None:
            place = "first" if both.lean > 0 else "second"
            sentence = f"asked in both orders, the judge prefers whatever stands {place}: the order decides"
            return unmeasured(self, "not_measured", sentence, measures=measures)
        label = "neither" if both.value == EVEN else "the first" if both.value > EVEN else "the second"
        said = f"{label} is better; as given: {as_given.explanation} Swapped: {swapped.explanation}"
        return measured(self, both.value, explanation=said, label=label, measures=measures, quotes=as_given.quotes)


async def _asked(first: Run, second: Run, context: EvaluationContext) -> Grading:
    parts = (replace(output_part(first), name="first"), replace(output_part(second), name="second"), _task(first))
    return await graded_by(shipped_rubric("preference"), parts, first, context)


def _task(run: Run) -> Part:
    return paper_part(run.case.paper) if run.case.paper is not None else task_part(run)
