"""Jaccard similarity of the words of two texts."""

from dataclasses import dataclass

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.text.reference_scores import best_of_references, word_counts


def jaccard(first: str, second: str) -> float:
    """Return the share of two texts' distinct words that both have; two texts without words are the same.

    Equal to `textdistance.Jaccard(as_set=True)` on the words.

    >>> jaccard("a good paper", "a bad paper")
    0.5
    """
    one, other = word_counts(first).keys(), word_counts(second).keys()
    if not one and not other:
        return 1.0
    return len(one & other) / len(one | other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jaccard:
    """Scores a text by its best `jaccard` with a reference."""

    name: str = "jaccard"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("jaccard",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the output with each reference."""
        return best_of_references(self, run, jaccard)
