"""How far the runs of a task agree on the answer."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_evaluators.graph.across_runs.answer import Answer, answers_of
from agents_eval_evaluators.graph.across_runs.outcome import why_not
from agents_eval_evaluators.scoring import graded, process_finding, silent

UNITS: Final = (("distinct_answers", "answers"), ("runs_without_answer", "runs"))
SHOWN: Final = 60


def agreements(answers: Sequence[str | None]) -> tuple[float, ...]:
    """Return for each run the share of the other runs that gave the same answer.

    A run without an answer agrees with none, and none with it: two silences are no agreement. No label is used, so it
    says how sure the system is of itself, not that it is right; where most runs share an error, it is high.

    Raises:
        UndefinedMetricError: Fewer than two runs, or none that answered.

    >>> agreements(["30", "30", "7", None])
    (0.3333333333333333, 0.3333333333333333, 0.0, 0.0)
    """
    given = Counter(answer for answer in answers if answer is not None)
    if len(answers) < 2 or not given:  # noqa: PLR2004  a pair
        raise UndefinedMetricError("answer_agreement", because="fewer than two runs, or none that answered")
    return tuple((given[answer] - 1) / (len(answers) - 1) if answer is not None else 0.0 for answer in answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAgreement:
    """Scores the runs of a task by the mean of `agreements`, with each run's own as a measure.

    Answers are found by `answers_of`. Free texts such as reviews have no answer that could be equal.
    """

    name: str = "answer_agreement"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ("answer_agreement",)

    async def evaluate_group(self, runs: Sequence[Run], context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the answers."""
        if reason := why_not(runs, at_least=2, of="runs"):
            return silent(self, "not_applicable", reason, UNITS)
        answers = answers_of(runs) if all(run.output is None for run in runs) else (None,) * len(runs)
        said = [None if answer is None else answer.said for answer in answers]
        if not any(said):
            return silent(self, "not_applicable", "no run gave an answer that could be compared", UNITS)
        values = agreements(said)
        given = Counter(answer for answer in said if answer is not None)
        return Evaluation(
            scores=graded(
                self,
                {"answer_agreement": fsum(values) / len(values)},
                explanation=f"{max(given.values())} of {len(runs)} runs gave the most frequent of {len(given)} answers",
                span_ids=(
                    f"{run.id}/{one.span.id}" for run, one in zip(runs, answers, strict=True) if one and one.span
                ),
            ),
            measures=(
                Measure(name=UNITS[0][0], value=len(given), unit=UNITS[0][1]),
                Measure(name=UNITS[1][0], value=said.count(None), unit=UNITS[1][1]),
                *(
                    Measure(name=f"{run.id}.answer_agreement", value=value, unit="share")
                    for run, value in zip(runs, values, strict=True)
                ),
            ),
            findings=tuple(_dissent(runs, answers, given)),
        )


def _dissent(runs: Sequence[Run], answers: Sequence[Answer | None], given: Counter[str]) -> Iterator[Finding]:
    (common, count), *others = given.most_common()
    if not others or 2 * count <= len(runs):
        return
    for run, answer in zip(runs, answers, strict=True):
        if answer is not None and answer.said != common:
            sentence = (
                f"Run {run.id} {answer.verb} {answer.said[:SHOWN]!r} where {count} of {len(runs)} runs {answer.verb} "
                f"{common[:SHOWN]!r}."
            )
            spans = () if answer.span is None else (f"{run.id}/{answer.span.id}",)
            yield process_finding("dissenting_answer", "info", sentence, spans)
