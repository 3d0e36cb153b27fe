"""What the evaluators that ask a judge have in common: from a run to a question, from the grading to scores."""

from collections.abc import Sequence

from agents_eval_core.ports.evaluator import EvaluationContext, Metered
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Reason, Score
from agents_eval_evaluators.judge.fence import Part
from agents_eval_evaluators.judge.grading import Grading, grade
from agents_eval_evaluators.judge.material import measurements_part
from agents_eval_evaluators.judge.questioning import Question
from agents_eval_evaluators.judge.rubric import Rubric
from agents_eval_evaluators.scoring import measured, score, silent, unmeasured


async def judged(
    evaluator: Metered, rubric: Rubric, parts: Sequence[Part], run: Run, context: EvaluationContext
) -> Evaluation:
    """Return the evaluator's first score by a rubric, or without a value and why.

    Args:
        evaluator: Whose score it is.
        rubric: What is asked.
        parts: The material, the most important first.
        run: Whose paper the part named `paper` is.
        context: With the judges.
    """
    if not context.judges:
        return silent(evaluator, "not_measured", context.judge_absence)
    grading = await graded_by(rubric, parts, run, context)
    if grading.tally is None:
        return no_grade(evaluator, grading)
    return measured(
        evaluator,
        grading.tally.value,
        explanation=grading.explanation,
        measures=(*grading.measures, *shown_measures(context)),
        quotes=grading.quotes,
    ).changed(findings=grading.findings)


async def graded_by(rubric: Rubric, parts: Sequence[Part], run: Run, context: EvaluationContext) -> Grading:
    """Ask the judges about the material and, where they are to see them, the measurements of before."""
    shown = (measurements_part(context.known_scores),) if context.known_scores else ()
    return await grade(Question(rubric=rubric, parts=(*parts[:1], *shown, *parts[1:]), paper=run.case.paper), context)


def no_grade(evaluator: Metered, grading: Grading) -> Evaluation:
    """Return all scores of an evaluator without a value: `failed` where something did, else `not_measured`."""
    reason, error_type = why_no_grade(grading)
    first = unmeasured(evaluator, reason, grading.problem, error_type=error_type)
    others = tuple(first.scores[0].changed(name=name) for name in evaluator.metrics[1:])
    return Evaluation(scores=(*first.scores, *others))


def why_no_grade(grading: Grading) -> tuple[Reason, str | None]:
    """Return the reason why no judge gave a grade, and the type of the error where there was one."""
    failed = [failure for failure in grading.failures if failure.reason == "failed"]
    return ("failed", failed[0].error_type) if failed else ("not_measured", None)


def shown_measures(context: EvaluationContext) -> tuple[Measure, ...]:
    """Return how many measurements of tier 1 the judge was shown."""
    return (Measure(name="tier1_scores_shown", value=sum(one.value is not None for one in context.known_scores)),)


def absent(evaluator: Metered, name: str, reason: Reason, explanation: str) -> Score:
    """Return one score of an evaluator without a value."""
    return score(evaluator, name, reason=reason, explanation=explanation)
