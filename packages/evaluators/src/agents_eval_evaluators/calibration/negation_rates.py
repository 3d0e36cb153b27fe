"""How often a negation follows an auxiliary verb in human reviews."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import Final

from agents_eval_core.frozen import Frozen

AUXILIARIES: Final = frozenset(
    {
        "is",
        "are",
        "was",
        "were",
        "be",
        "do",
        "does",
        "did",
        "can",
        "could",
        "should",
        "would",
        "will",
        "shall",
        "may",
        "might",
        "must",
        "has",
        "have",
        "had",
    }
)
NEGATIVE_ENDINGS: Final = ("n't", "cannot")
PRIOR_CHANCES: Final = 4.0


class NegationRates(Frozen):
    """For each auxiliary verb, the share of its uses that "not" or "n't" follows.

    >>> rates = NegationRates(share={"is": 0.1})
    >>> round(rates.excess([["it", "is", "not", "new"], ["it", "is", "not", "clear"]]), 2)
    4.24
    """

    share: dict[str, float]

    def excess(self, sentences: Iterable[Sequence[str]]) -> float:
        """Return by how many standard deviations the negations exceed what human reviews would have; 0 for no verb."""
        uses, negated = auxiliaries(sentences)
        expected = fsum(count * self.share[verb] for verb, count in uses.items() if verb in self.share)
        variance = fsum(
            count * self.share[verb] * (1 - self.share[verb]) for verb, count in uses.items() if verb in self.share
        )
        found = sum(count for verb, count in negated.items() if verb in self.share)
        return (found - expected) / sqrt(variance) if variance else 0.0


def auxiliaries(sentences: Iterable[Sequence[str]]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each auxiliary verb is used, and how often negated.

    >>> auxiliaries([["it", "isn't", "new", "but", "it", "is", "fun"]])
    (Counter({'is': 2}), Counter({'is': 1}))
    """
    uses: Counter[str] = Counter()
    negated: Counter[str] = Counter()
    for sentence in sentences:
        for place, word in enumerate(sentence):
            if word not in AUXILIARIES and not word.endswith(NEGATIVE_ENDINGS):
                continue
            verb, is_negated = _verb(word, sentence[place + 1] if place + 1 < len(sentence) else "")
            if verb:
                uses[verb] += 1
                negated[verb] += is_negated
    return uses, negated


def _verb(word: str, following: str) -> tuple[str, bool]:
    if word in AUXILIARIES:
        return word, following == "not"
    if word == "cannot":
        return "can", True
    stem = word.removesuffix("n't")
    if stem == word:
        return "", False
    stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(stem, stem)
    return (stem, True) if stem in AUXILIARIES else ("", False)
