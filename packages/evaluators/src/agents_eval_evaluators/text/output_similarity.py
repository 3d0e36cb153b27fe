"""How near a review comes to human reviews of the same paper, on the scale of how near humans come to one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, fsum

from agents_eval_core.case import Case
from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.paper import Paper
from agents_eval_core.ports.evaluator import EvaluationContext, Metered
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure, Tier
from agents_eval_evaluators.calibration.agreement_table import AgreementTable, percentile, venue_table
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.scoring import measured, unmeasured
from agents_eval_evaluators.text.grounded_match import Match, grounded_matches
from agents_eval_evaluators.text.language import other_language
from agents_eval_evaluators.text.words import words


def expected_match(similarities: Sequence[float]) -> float:
    """Return the expected better of two similarities drawn from all, so that more references do not raise it.

    With one there is nothing to draw: it is returned as it is, and belongs on a scale of its own.

    Raises:
        UndefinedMetricError: There is no similarity.

    >>> expected_match([0.1, 0.2, 0.4])
    0.3333333333333333
    """
    if not similarities:
        raise UndefinedMetricError("expected_match", because="there is no reference")
    if len(similarities) == 1:
        return similarities[0]
    ordered = sorted(similarities, reverse=True)
    count = len(ordered)
    return fsum((count - 1 - rank) * value for rank, value in enumerate(ordered)) / comb(count, 2)


def distinct_texts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts that differ in their words, without those that have none; the first of equals stays.

    >>> distinct_texts(["Good work.", "good work", "", "Bad."])
    ('Good work.', 'Bad.')
    """
    by_words = {key: text for text in reversed(texts) if (key := words(text))}
    return tuple(reversed(by_words.values()))


def human_texts(case: Case) -> tuple[str, ...]:
    """Return the distinct texts of a case's human reviews."""
    return distinct_texts([review.text for review in case.references])


def matches(text: str, paper: Paper | None, references: Sequence[str], counts: WordCounts) -> tuple[Match, ...]:
    """Return how a text matches each distinct reference.

    Raises:
        UndefinedMetricError: No reference has any words.
    """
    distinct = distinct_texts(references)
    if not distinct:
        raise UndefinedMetricError("output_similarity", because="there is no reference with words")
    return grounded_matches(text, paper, distinct, counts)


def raw_similarity(text: str, paper: Paper | None, references: Sequence[str], counts: WordCounts) -> float:
    """Return the expected grounded match of a text with two of the distinct references.

    An empty text has similarity 0, as has one that says nothing in its own words. Human reviews of one paper lie
    near 0.2: a raw match is no grade.

    Raises:
        UndefinedMetricError: No reference has any words.
    """
    return expected_match([match.value for match in matches(text, paper, references, counts)])


def human_percentile(raw: float, references: int, table: AgreementTable) -> float:
    """Return where a raw similarity lies among human reviewers, each held against the others; 0 for none at all.

    With two or more references the scale is that of the expected better of two, with one that of single pairs.
    """
    if raw <= 0:
        return 0.0
    return percentile(raw, table.pair_scale if references == 1 else table.match_scale)


def output_similarity(text: str, paper: Paper | None, references: Sequence[str], table: AgreementTable) -> float:
    """Return the percentile of `raw_similarity` among human reviews of the table's venue.

    A text without words of its own is at 0. A typical human review is at 0.5, not at 1. The order of the references
    does not matter, and a reference given twice counts once. It sees words, not a verdict: shuffled or negated text
    keeps its value, and a finding of `output_faults` says so.

    Raises:
        UndefinedMetricError: No reference has any words.

    References:
        Measured on ICLR 2017 of PeerRead (Kang et al., NAACL 2018); see `agents-eval validate`.

    >>> table = venue_table("iclr_2017")
    >>> output_similarity("", None, ["The LSTM ablation lacks a dropout baseline."], table)
    0.0
    >>> output_similarity("The LSTM lacks dropout.", None, ["The LSTM lacks a dropout baseline."], table)
    1.0
    """
    raw = raw_similarity(text, paper, references, table.words)
    return human_percentile(raw, len(distinct_texts(references)), table)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSimilarity:
    """Scores a review by `output_similarity`.

    The measure `raw_similarity` is what two runs are compared by; the value is for reading.
    """

    name: str = "output_similarity"
    version: str = "2"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("output_similarity",)
    table: AgreementTable | None = None

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Score the review against the case's human reviews."""
        references = human_texts(run.case)
        absent = without_human_scale(self, run, references)
        if absent is not None:
            return absent
        table = self.table or venue_table(run.case.venue, context.tables)
        found = matches(run.text, run.case.paper, references, table.words)
        raw = expected_match([match.value for match in found])
        value = human_percentile(raw, len(references), table)
        best = max(found, key=lambda match: match.value)
        return measured(
            self,
            value,
            label=percentile_label(value, run.case, table),
            explanation=_explanation(value, raw, len(references), run.case, table),
            measures=(
                Measure(name="raw_similarity", value=raw, unit="grounded match"),
                Measure(name="cosine_with_nearest", value=best.cosine, unit="cosine"),
                Measure(name="said_of_nearest", value=best.said, unit="share"),
                Measure(name="references", value=len(references), unit="reviews"),
                Measure(name="scale", value=_scale_name(len(references), table)),
            ),
        )


def without_human_scale(evaluator: Metered, run: Run, references: Sequence[str]) -> Evaluation | None:
    """Return why a review cannot be held against human ones, or None where it can."""
    if run.case.task != "peer_review":
        sentence = f"the human scale is one of peer reviews, and the task is {run.case.task!r}"
        return unmeasured(evaluator, "not_applicable", sentence)
    if not references:
        return unmeasured(evaluator, "not_measured", "the case has no human review to hold this one against")
    language = other_language(run.text)
    if language is not None:
        return unmeasured(evaluator, "not_measured", f"the review is in {language}, and the tables are English")
    return None


def percentile_label(value: float, case: Case, table: AgreementTable) -> str:
    """Return a percentile in words, with the venue of the scale where it is not the paper's own."""
    percent = f"percentile {100 * value:.0f} of human reviewers"
    return percent if case.venue == table.venue else f"{percent}, scale of {table.venue}"


def _scale_name(references: int, table: AgreementTable) -> str:
    return f"{table.venue}, {'one other reviewer' if references == 1 else 'expected better of two other reviewers'}"


def _explanation(value: float, raw: float, references: int, case: Case, table: AgreementTable) -> str:
    if raw == 0:
        return "the review says nothing in its own words that the human reviews of this paper say"
    against = "the one human review" if references == 1 else f"two of {references} human reviews"
    return (
        f"grounded match {raw:.3f} with {against} of the paper; {100 * value:.0f} % of human reviewers of "
        f"{table.venue} come less near to one another{_warning(case, table)}"
    )


def _warning(case: Case, table: AgreementTable) -> str:
    if case.venue == table.venue:
        return ""
    return f" (there is no scale for {case.venue or 'this paper'}, and scales differ between venues)"
