"""How much of what the human reviewers said a review says too, among humans."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.calibration.agreement_table import AgreementTable, percentile, venue_table
from agents_eval_evaluators.scoring import measured
from agents_eval_evaluators.text.output_similarity import (
    human_texts,
    matches,
    percentile_label,
    without_human_scale,
)


def coverage_percentile(said: Sequence[float], table: AgreementTable) -> float:
    """Return where a review's mean share lies among human reviewers; 0 for nothing at all.

    Args:
        said: For each human review, the share of its weight that the review says too.
        table: With the scales of one other reviewer and of several.
    """
    mean = fsum(said) / len(said)
    scale = table.said_pair_scale if len(said) == 1 else table.said_scale
    return percentile(mean, scale) if mean > 0 else 0.0


def reference_coverage(text: str, paper: Paper | None, references: Sequence[str], table: AgreementTable) -> float:
    """Return the percentile of the mean share of the human reviews' weight that a review says in its own words.

    It rewards length more than `output_similarity` does, which charges for words beside the point; so it stands beside
    it and not in the composite.

    Raises:
        UndefinedMetricError: No reference has any words.

    >>> reference_coverage("", None, ["The LSTM ablation lacks a dropout baseline."], venue_table("iclr_2017"))
    0.0
    """
    return coverage_percentile([match.said for match in matches(text, paper, references, table.words)], table)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCoverage:
    """Scores a review by `reference_coverage`."""

    name: str = "reference_coverage"
    version: str = "2"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("reference_coverage",)
    table: AgreementTable | None = None

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Score how much of the case's human reviews the review says too."""
        references = human_texts(run.case)
        absent = without_human_scale(self, run, references)
        if absent is not None:
            return absent
        table = self.table or venue_table(run.case.venue, context.tables)
        said = [match.said for match in matches(run.text, run.case.paper, references, table.words)]
        value = coverage_percentile(said, table)
        mean = fsum(said) / len(said)
        return measured(
            self,
            value,
            label=percentile_label(value, run.case, table),
            explanation=(
                f"{100 * mean:.0f} % of the weight of {len(said)} human reviews is said here too; "
                f"{100 * value:.0f} % of human reviewers of {table.venue} say less of one another's"
            ),
            measures=(Measure(name="said", value=mean, unit="share"),),
        )
