"""How good the output is, as a judge reads it: by the rubric of its task, or by the user's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Measure, Score, Tier
from agents_eval_evaluators.judge.fence import Part
from agents_eval_evaluators.judge.grading import Grading
from agents_eval_evaluators.judge.judged import absent, graded_by, no_grade, shown_measures
from agents_eval_evaluators.judge.material import human_part, output_part, paper_part, steps_part, task_part
from agents_eval_evaluators.judge.rubric import Rubric, rubric_named, shipped_rubric
from agents_eval_evaluators.judge.tally import Tally
from agents_eval_evaluators.scoring import score, silent

ONE_JUDGE = "there is one judge: a consensus takes a panel (--judge a+b)"
NO_VARIATION = "the judges gave every criterion the same level, so there is nothing to agree about"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedQuality:
    """Scores the output by `review_quality` for reviews, by `agent_task` for other tasks, or by the user's own rubric.

    Beside the grade it says how many criteria are satisfied, and how far the judges of a panel agree.
    """

    name: str = "judged_quality"
    version: str = "0"
    tier: Tier = 2
    metrics: tuple[str, ...] = ("judged_quality", "rubric_alignment", "evaluator_consensus")

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Ask the judges once about all criteria."""
        if not context.judges:
            return silent(self, "not_measured", context.judge_absence)
        rubric = _rubric(run, context)
        parts = _parts(run, rubric)
        if not parts[0].text.strip():
            return silent(self, "not_measured", f"there is no {parts[0].name} to judge")
        grading = await graded_by(rubric, parts, run, context)
        if grading.tally is None:
            return no_grade(self, grading)
        measures = (*grading.measures, *shown_measures(context))
        quality = self._score("judged_quality", grading.tally.value, grading.explanation, measures, grading.quotes)
        return Evaluation(
            scores=(quality, self._alignment(grading, grading.tally), self._consensus(grading.tally)),
            findings=grading.findings,
        )

    def _alignment(self, grading: Grading, tally: Tally) -> Score:
        met = {
            one.id: None if (share := tally.shares[one.id]) is None else share >= one.satisfied_share
            for one in grading.rubric.criteria
        }
        applying = [name for name, is_met in met.items() if is_met is not None]
        missed = [name for name in applying if not met[name]]
        said = f"{len(applying) - len(missed)} of {len(applying)} criteria of {grading.rubric.name} are satisfied"
        return self._score(
            "rubric_alignment",
            tally.alignment,
            said + (f"; not satisfied: {', '.join(missed)}" if missed else ""),
            tuple(Measure(name=f"satisfied.{name}", value=is_met) for name, is_met in met.items()),
        )

    def _consensus(self, tally: Tally) -> Score:
        if tally.majority_share is None:
            return absent(self, "evaluator_consensus", "not_applicable", ONE_JUDGE)
        if tally.alpha is None:
            return absent(self, "evaluator_consensus", "not_measured", NO_VARIATION)
        return self._score(
            "evaluator_consensus",
            max(0.0, tally.alpha),
            f"Krippendorff's alpha {tally.alpha:.2f} over {len(tally.shares)} criteria (below 0 counts as 0); "
            f"{tally.majority_share:.0%} of the judges give the commonest level",
            (
                Measure(name="krippendorff_alpha", value=tally.alpha),
                Measure(name="majority_share", value=tally.majority_share, unit="share"),
            ),
        )

    def _score(
        self, name: str, value: float, explanation: str, measures: Sequence[Measure], quotes: Sequence[str] = ()
    ) -> Score:
        return score(
            self,
            name,
            value=value,
            explanation=explanation,
            measures=tuple(measures),
            evidence=Evidence(quotes=tuple(quotes)),
        )


def _rubric(run: Run, context: EvaluationContext) -> Rubric:
    if context.judge_rules.rubric is not None:
        return rubric_named(context.judge_rules.rubric)
    return shipped_rubric("review_quality" if run.case.task == "peer_review" else "agent_task")


def _parts(run: Run, rubric: Rubric) -> tuple[Part, ...]:
    """Return the material that a rubric is about, the thing to be judged first."""
    steps = steps_part(run)
    if rubric.about == "trajectory":
        return (steps, task_part(run))
    output = output_part(run)
    if rubric.about == "recommendation":
        return (output, human_part(run.case.references))
    if run.case.paper is not None:
        return (output, paper_part(run.case.paper))
    with_steps = (replace(steps, note="how it was done"),) if steps.text else ()
    return (output, task_part(run), *with_steps)
