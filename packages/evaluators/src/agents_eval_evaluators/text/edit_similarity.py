"""Edit similarity: how few characters must be changed to make one text of another."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.scoring import unmeasured
from agents_eval_evaluators.text.reference_scores import best_of_references

MOST_COMPARISONS: Final = 5e10  # pairs of characters; about half a second


class _Levenshtein(Protocol):
    def __call__(self, first: str, second: str, /) -> float: ...


@cache
def _normalized_similarity() -> _Levenshtein:
    from rapidfuzz.distance.Levenshtein import normalized_similarity  # noqa: PLC0415  30 ms that other tasks are spared

    return normalized_similarity


def edit_similarity(first: str, second: str) -> float:
    """Return 1 minus the Levenshtein distance of the characters over the length of the longer text.

    Equal to `textdistance.Levenshtein().normalized_similarity`. Two empty texts are the same.

    Raises:
        UndefinedMetricError: The texts are too long to compare in half a second.

    >>> edit_similarity("good", "food")
    0.75
    """
    if len(first) * len(second) > MOST_COMPARISONS:
        raise UndefinedMetricError(
            "edit_similarity", because=f"texts of {len(first)} and {len(second)} characters take too long to compare"
        )
    return _normalized_similarity()(first, second)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSimilarity:
    """Scores a text by its best `edit_similarity` with a reference."""

    name: str = "edit_similarity"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("edit_similarity",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the output with each reference."""
        try:
            return best_of_references(self, run, edit_similarity)
        except UndefinedMetricError as problem:
            return unmeasured(self, "not_measured", str(problem))
