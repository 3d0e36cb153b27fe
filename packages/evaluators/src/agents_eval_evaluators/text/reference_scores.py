"""A text held against several references by one measure, with the best of them as the value."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from agents_eval_core.ports.evaluator import Metered
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Measure
from agents_eval_evaluators.scoring import measured, silent
from agents_eval_evaluators.text.words import words

MEANING: Final = "a raw figure without a human scale; how far it can be trusted stands in docs/metrics.md"


@lru_cache(maxsize=64)  # several metrics look at the same words, and a paper's references serve all its runs
def word_counts(text: str) -> Mapping[str, int]:
    """Return how often each word of a text occurs."""
    return Counter(words(text))


def texts_to_compare(run: Run) -> tuple[str, ...]:
    """Return the case's distinct references, those without words left out, in an order of their own.

    Sorted, so that the order in which the references came changes no figure to the last bit.
    """
    return tuple(sorted({reference.text for reference in run.case.references if word_counts(reference.text)}))


def best_of_references(evaluator: Metered, run: Run, similarity: Callable[[str, str], float]) -> Evaluation:
    """Return the evaluator's score: the largest similarity of the run's text with a reference.

    The customary value for several references, and so the more references, the higher; the mean stands beside it.
    """
    references = texts_to_compare(run)
    absent = without_references(evaluator, run, references)
    if absent is not None:
        return absent
    values = [similarity(run.text, reference) for reference in references]
    return measured(
        evaluator,
        max(values),
        explanation=f"the best of {len(references)} references; {MEANING}",
        measures=(
            Measure(name=f"{evaluator.name}_mean", value=sum(values) / len(values), unit="mean over references"),
            Measure(name="references", value=len(references), unit="texts"),
        ),
    )


def without_references(evaluator: Metered, run: Run, references: Sequence[str]) -> Evaluation | None:
    """Return the scores without a value where there is nothing to compare, else None."""
    if not references:
        return silent(evaluator, "not_measured", "the case has no reference with words to compare with")
    if not word_counts(run.text):
        return silent(evaluator, "not_measured", "the output has no words to compare")
    return None
