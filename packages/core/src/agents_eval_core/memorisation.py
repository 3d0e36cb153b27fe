"""How often the reviews of a model hold what stands in human reviews of the same papers."""

from dataclasses import dataclass
from typing import Final

from agents_eval_core.score import Range

MUCH: Final = 0.15  # where the warning `near_reference` begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """How much of the reviews of one author stands in human reviews of the same papers.

    Attributes:
        author: `provider:model`, or `humans`.
        reviews: Those that could be held against a human review.
        near: Those of which at least 15 % of the words stand in one human review.
        share: `near` as a share, the mean over papers of the papers' shares.
        interval: Of the share at 95 %, over papers; None with fewer than two papers.
        words: The mean share of words.
        most: The largest share of words.
    """

    author: str
    reviews: int
    papers: int
    near: int
    share: float
    interval: Range | None
    words: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Memorisation:
    """Models, the one with the largest share first, and the humans beside them.

    Attributes:
        humans: Each human review of the same papers held against the others; None where no paper has two.
        left_out: Runs without a language model, without a scorecard or without human reviews.
    """

    models: tuple[Repetition, ...]
    humans: Repetition | None
    left_out: int
