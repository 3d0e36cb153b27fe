"""TF-IDF weights of a text with corpus-fitted word frequencies, without scikit-learn."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import fsum, log, sqrt

from agents_eval_evaluators.calibration.word_counts import WordCounts
from agents_eval_evaluators.text.words import words

Weights = Mapping[str, float]


def term_weights(text: str, counts: WordCounts) -> Weights:
    """Return (1 + ln tf) times IDF of each word that is no stop word, scaled to length 1.

    Equal to scikit-learn's `TfidfVectorizer(sublinear_tf=True).transform`, except that a word that was never
    counted is not dropped but gets the largest IDF. A text without words has no weights.

    References:
        Salton and Buckley (1988), Term-weighting approaches in automatic text retrieval.
    """
    return _weights(words(text), counts)


@lru_cache(maxsize=64)  # a reference is weighed for every run of its paper
def _weights(said: tuple[str, ...], counts: WordCounts) -> Weights:
    frequencies = Counter(word for word in said if word not in counts.stop_words)
    raw = {word: (1 + log(count)) * counts.idf(word) for word, count in frequencies.items()}
    length = sqrt(fsum(weight * weight for weight in raw.values()))
    return {word: weight / length for word, weight in raw.items()}


def cosine(first: Weights, second: Weights) -> float:
    """Return the cosine of two weighted texts of length 1; 0 where one has no words. Symmetric to the last bit.

    >>> cosine({"a": 0.6, "b": 0.8}, {"b": 1.0})
    0.8
    """
    return min(1.0, fsum(first[word] * second[word] for word in first.keys() & second.keys()))
