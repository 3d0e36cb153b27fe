"""How much a text has to do with a paper and its human reviews, as plain cosines: what makes it off the paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.term_weights import cosine, term_weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """A text's cosines.

    Attributes:
        best: With the nearest human review.
        about: With title and abstract.
    """

    best: float
    about: float

    @property
    def total(self) -> float:
        """The sum of both."""
        return self.best + self.about


def resemblance(text: str, paper: Paper, references: Sequence[str], counts: WordCounts) -> Resemblance:
    """Return how near a text comes to a paper's title and abstract and to the nearest of its human reviews."""
    weights = term_weights(text, counts)
    return Resemblance(
        best=max((cosine(weights, term_weights(other, counts)) for other in references), default=0.0),
        about=cosine(weights, term_weights(f"{paper.title}\n{paper.abstract}", counts)),
    )
