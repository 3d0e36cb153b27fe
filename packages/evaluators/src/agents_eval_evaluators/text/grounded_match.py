"""How much of a human review another review says too, in its own words and about this paper."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log, sqrt
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.own_words import own_sentences
from agents_eval_evaluators.text.paper_subject import PaperSubject, paper_subject
from agents_eval_evaluators.text.words import words

ENOUGH_SHARED: Final = 3
NO_PAPER: Final = Paper(id="", dataset="", title="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A review held against one human review.

    Attributes:
        cosine: Of their weighted words, where only grounded words count as shared: talk beside the point lowers it.
        said: Share of the human review's weight in grounded words: brevity lowers it.
    """

    cosine: float
    said: float

    @property
    def value(self) -> float:
        """The third root of cosine times cosine times said."""
        return (self.cosine * self.cosine * self.said) ** (1 / 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnText:
    """A review as it is matched: the own words of its sentences, their weights, and what the paper is about."""

    sentences: tuple[frozenset[str], ...]
    weights: Mapping[str, float]
    length: float
    terms: frozenset[str]


def own_text(text: str, subject: PaperSubject, counts: WordCounts) -> OwnText:
    """Return a review without what it copied from the paper or said before."""
    (sentences,) = own_sentences([text], subject)
    weights = sublinear_weights([word for sentence in sentences for word in sentence.own], counts)
    return OwnText(
        sentences=tuple(frozenset(word for word in sentence.own if counts.is_uncommon(word)) for sentence in sentences),
        weights=weights,
        length=_length(weights),
        terms=subject.terms,
    )


def grounded_matches(
    text: str, paper: Paper | None, references: Sequence[str], counts: WordCounts
) -> tuple[Match, ...]:
    """Return how a text matches each reference; without a paper nothing is a copy."""
    return _matches(text, paper_subject(paper or NO_PAPER, counts), tuple(references), counts)


@lru_cache(maxsize=16)  # similarity, coverage and the fault `generic` ask for the same
def _matches(text: str, subject: PaperSubject, references: tuple[str, ...], counts: WordCounts) -> tuple[Match, ...]:
    own = own_text(text, subject, counts)
    return tuple(grounded_match(own, reference, counts) for reference in references)


def grounded_words(own: OwnText, reference: Mapping[str, float]) -> frozenset[str]:
    """Return the uncommon words by which a review says what a reference says.

    A sentence gives the uncommon words that it shares with the reference, if there are three or more of them, or if
    one of them is of the paper's title or abstract too.
    """
    found: set[str] = set()
    for sentence in own.sentences:
        shared = sentence & reference.keys()
        if len(shared) >= ENOUGH_SHARED or not own.terms.isdisjoint(shared):
            found |= shared
    return frozenset(found)


def grounded_match(own: OwnText, reference: str, counts: WordCounts) -> Match:
    """Return how a review matches one human review."""
    weights, length = _weighed(reference, counts)
    grounded = sorted(grounded_words(own, weights))
    if not grounded:
        return Match(cosine=0.0, said=0.0)
    shared = fsum(own.weights[word] * weights[word] for word in grounded)
    said = fsum(weights[word] ** 2 for word in grounded) / length**2
    return Match(cosine=min(1.0, shared / (own.length * length)), said=min(1.0, said))


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _weighed(reference: str, counts: WordCounts) -> tuple[Mapping[str, float], float]:
    weights = sublinear_weights(words(reference), counts)
    return weights, _length(weights)


def sublinear_weights(said: Sequence[str], counts: WordCounts) -> Mapping[str, float]:
    """Return (1 + ln tf) times IDF of each word that is no stop word."""
    frequencies = Counter(word for word in said if word not in counts.stop_words)
    return {word: (1 + log(count)) * counts.idf(word) for word, count in frequencies.items()}


def _length(weights: Mapping[str, float]) -> float:
    return sqrt(fsum(weight * weight for weight in weights.values()))
