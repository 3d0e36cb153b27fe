"""BM25: how well two texts would find one another in a search, with the word frequencies of a venue's reviews."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from math import fsum
from typing import Final, NamedTuple

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Tier
from agents_eval_evaluators.calibration.agreement_table import venue_table
from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.reference_scores import best_of_references, word_counts

SATURATION: Final = 1.5
LENGTH_SHARE: Final = 0.75


def bm25(first: str, second: str, counts: WordCounts) -> float:
    """Return BM25 of two texts, from 0 to 1: each as the query for the other, over what it would score itself.

    k1 = 1.5, b = 0.75, IDF ln((1 + n) / (1 + df)) + 1 as for TF-IDF (never negative), stop words left out, the mean
    length that of the two. The mean of both directions, so that it is symmetric; a text without words has 0.

    References:
        Robertson and Zaragoza (2009), The probabilistic relevance framework: BM25 and beyond.

    >>> counts = WordCounts(documents=9, stop_words=frozenset({"a"}), document_frequency={"paper": 8})
    >>> bm25("a good paper", "a good paper", counts), bm25("good", "bad", counts)
    (1.0, 0.0)
    >>> bm25("a good paper", "a good idea", counts) == bm25("a good idea", "a good paper", counts)
    True
    """
    one, other = (_telling(text, counts) for text in (first, second))
    shared = one.words.keys() & other.words.keys()
    if not shared:
        return 0.0
    mean = (one.total + other.total) / 2
    found = (_found(one, other, shared, mean), _found(other, one, shared, mean))
    return min(1.0, fsum(found) / 2)


class _Telling(NamedTuple):
    """The words of a text that are no stop words, with IDF and count, and how many they are."""

    words: Mapping[str, tuple[float, int]]
    total: int


@lru_cache(maxsize=64)  # the references of a paper are the same for all its runs
def _telling(text: str, counts: WordCounts) -> _Telling:
    said = {word: count for word, count in word_counts(text).items() if word not in counts.stop_words}
    return _Telling({word: (counts.idf(word), count) for word, count in said.items()}, sum(said.values()))


def _found(query: _Telling, text: _Telling, shared: Iterable[str], mean: float) -> float:
    return min(1.0, _scored([text.words[word] for word in shared], text.total / mean) / _own(query, mean))


def _own(query: _Telling, mean: float) -> float:
    return _scored(query.words.values(), query.total / mean)


def _scored(words: Iterable[tuple[float, int]], relative_length: float) -> float:
    norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative_length)
    return (SATURATION + 1) * fsum([weight * count / (count + norm) for weight, count in words])


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25:
    """Scores a text by its best `bm25` with a reference."""

    name: str = "bm25"
    version: str = "1"
    tier: Tier = 1
    metrics: tuple[str, ...] = ("bm25",)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:
        """Compare the output with each reference, with the word frequencies of the case's venue."""
        return best_of_references(self, run, partial(bm25, counts=venue_table(run.case.venue, context.tables).words))
