"""What rating a review's words would go with: a fitted linear model, applied without its library."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from math import fsum, log, sqrt
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from agents_eval_core.frozen import Frozen
from agents_eval_core.review import Scale
from agents_eval_evaluators.calibration.agreement_table import Provenance
from agents_eval_evaluators.calibration.venue_tables import own_table, shipped_in

CALIBRATION: Final = "rating_model"
NEGATIONS: Final = frozenset({"not", "no", "never", "cannot", "without", "hardly", "nor"})
REACH: Final = 3


def rating_features(sentences: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield words and pairs of words; the three words after a negation are marked, so that "not clear" is no praise.

    >>> list(rating_features([["not", "clear"]]))
    ['not', 'NOT_clear', 'not NOT_clear']
    """
    for sentence in sentences:
        marked = tuple(_marked(sentence))
        yield from marked
        yield from (" ".join(pair) for pair in pairwise(marked))


def _marked(sentence: Sequence[str]) -> Iterator[str]:
    left = 0
    for word in sentence:
        yield f"NOT_{word}" if left else word
        left = REACH if word in NEGATIONS or word.endswith("n't") else max(0, left - 1)


class RatingModel(Frozen):
    """A ridge regression from TF-IDF weights of words and pairs of words, scaled to length 1, to the rating.

    Attributes:
        rating_scale: The venue's scale.
        bias: The constant term.
        features: For each word or pair its IDF and its coefficient; others are not seen.
        gaps: How far ratings lie from what models fitted without their paper predict, sorted.
        rank_correlation: Of predicted and stated ratings, in the same way.
    """

    schema_name: Literal["agents-eval/rating-model/1"] = Field(alias="schema")
    venue: str
    provenance: Provenance
    rating_scale: Scale
    bias: float
    features: dict[str, tuple[float, float]]
    gaps: tuple[float, ...]
    rank_correlation: float

    def predict(self, sentences: Sequence[Sequence[str]]) -> float:
        """Return the rating that the words would go with, within the scale.

        Equal to scikit-learn's `TfidfVectorizer(sublinear_tf=True)` and `Ridge` that it was fitted by.
        """
        known = Counter(feature for feature in rating_features(sentences) if feature in self.features)
        weights = {feature: (1 + log(count)) * self.features[feature][0] for feature, count in known.items()}
        length = sqrt(fsum(weight * weight for weight in weights.values())) or 1.0
        value = self.bias + fsum(weight * self.features[feature][1] for feature, weight in weights.items()) / length
        return min(self.rating_scale.highest, max(self.rating_scale.lowest, value))

    def widest(self, share: float) -> float:
        """Return the gap that a share of human reviews stays below."""
        return self.gaps[min(len(self.gaps) - 1, int(share * len(self.gaps)))]


def venue_rating_model(venue: str, tables: Path | None = None) -> RatingModel | None:
    """Return the model of a venue: the user's own, else the one that comes with the package, else None.

    Raises:
        SettingsError: There is one of the user's own and it cannot be read.
    """
    return own_table(tables, CALIBRATION, venue, RatingModel) or _shipped(venue)


@cache
def _shipped(venue: str) -> RatingModel | None:
    return shipped_in(resources.files("agents_eval_evaluators.calibration") / "rating_models", venue, RatingModel)
