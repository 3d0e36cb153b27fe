"""TF-IDF cosine of two texts with the word frequencies of those two alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.text.reference_scores import best_of_references, word_counts

IN_BOTH: Final = 1.0
IN_ONE: Final = log(3 / 2) + 1


def tfidf_cosine(first: str, second: str) -> float:
    """Return the cosine of two texts' word counts, a word of both weighing 1 and a word of one ln(3/2) + 1.

    Equal to scikit-learn's `TfidfVectorizer` fitted on the two texts (smooth IDF, all words, no sublinear counts), with
    our words. A text without words has cosine 0 with any.

    >>> round(tfidf_cosine("a good paper", "a bad paper"), 4)
    0.5031
    """
    one, other = word_counts(first), word_counts(second)
    shared = one.keys() & other.keys()
    product = sum(one[word] * other[word] for word in shared)
    lengths = [_length(of, shared) for of in (one, other)]
    return min(1.0, product / (lengths[0] * lengths[1])) if product else 0.0


def _length(counts: Mapping[str, int], shared: Iterable[str]) -> float:
    in_both = sum(counts[word] ** 2 for word in shared)
    in_one = sum(count * count for count in counts.values()) - in_both
    return sqrt(in_both * IN_BOTH**2 + in_one * IN_ONE**2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TfidfCosine:
    """Scores a text by its best `tfidf_cosine` with a reference."""

    name: str = "tfidf_cosine"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("tfidf_cosine",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Compare the output with each reference."""
        return best_of_references(self, run, tfidf_cosine)
