"""The similarity of the program before this one, to be held against ours; no metric of this package.

Written anew from a description of its rules: 0.5 edit similarity (its way out where no neural model could be loaded,
as on any machine without a network) + 0.3 TF-IDF cosine of the pair + 0.2 Jaccard of words, each the best over the
references; its `task_success` is the same over 0.8, at most 1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import Final

from agents_eval_evaluators.text.edit_similarity import edit_similarity
from agents_eval_evaluators.text.words import words

MOST_FEATURES: Final = 1000
ENOUGH: Final = 0.8
PAIR_WEIGHT: Final = log(3 / 2) + 1


def predecessor_similarity(text: str, references: Sequence[str], stop_words: frozenset[str]) -> float:
    """Return the weighted sum of three similarities, each the best over the references by itself.

    >>> predecessor_similarity("good work", ["good work"], frozenset())
    1.0
    """
    return (
        0.5 * max(edit_similarity(text, other) for other in references)
        + 0.3 * max(_cosine(text, other, stop_words) for other in references)
        + 0.2 * max(_jaccard(text, other) for other in references)
    )


def predecessor_success(similarity: float) -> float:
    """Return what it called task success."""
    return min(1.0, similarity / ENOUGH)


def _cosine(first: str, second: str, stop_words: frozenset[str]) -> float:
    one, other = _features(first, stop_words), _features(second, stop_words)
    kept = {word for word, _ in (one + other).most_common(MOST_FEATURES)}
    lengths = _length(one, other, kept) * _length(other, one, kept)
    return sum(one[word] * other[word] for word in kept) / lengths if lengths else 0.0


def _features(text: str, stop_words: frozenset[str]) -> Counter[str]:
    return Counter(word for word in words(text) if len(word) > 1 and word not in stop_words)


def _length(own: Mapping[str, int], other: Mapping[str, int], kept: set[str]) -> float:
    squares = ((count * (1 if word in other else PAIR_WEIGHT)) ** 2 for word, count in own.items() if word in kept)
    return sqrt(sum(squares))


def _jaccard(first: str, second: str) -> float:
    one, other = set(first.lower().split()), set(second.lower().split())
    return len(one & other) / len(one | other) if one | other else 1.0
