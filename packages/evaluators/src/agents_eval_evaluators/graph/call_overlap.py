"""How far the calls made overlap with the calls expected: as multisets, as sequences, by edits."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_evaluators.graph.call_match import unmatched


class Overlap(NamedTuple):
    """Precision, recall and F1; precision is None where nothing was called, recall where nothing was expected."""

    precision: float | None
    recall: float | None
    f1: float


def call_overlap(expected: Sequence[Hashable], called: Sequence[Hashable]) -> Overlap:
    """Return precision, recall and F1 of the calls as multisets (Azure; pydantic-evals in any order).

    A call expected twice must be made twice. Both empty: F1 is 1, as in pydantic-evals (ragas: 0, Azure: an error);
    one of them empty: 0. ragas counts sets, so that repeats do not show there.

    >>> call_overlap("abc", "axbc")
    Overlap(precision=0.75, recall=1.0, f1=0.8571428571428571)
    """
    return _overlap(len(expected) - unmatched(expected, called), len(expected), len(called))


def ordered_overlap(expected: Sequence[Hashable], called: Sequence[Hashable]) -> Overlap:
    """Return precision, recall and F1 by the longest common subsequence (pydantic-evals in order).

    >>> round(ordered_overlap("abc", "acb").f1, 2)
    0.67
    """
    return _overlap(common_subsequence(expected, called), len(expected), len(called))


def _overlap(hits: int, expected: int, called: int) -> Overlap:
    total = expected + called
    return (
        Overlap(hits / called if called else None, hits / expected if expected else None, 2 * hits / total or 0.0)
        if (total)
        else Overlap(None, None, 1.0)
    )


def common_subsequence(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return the length of the longest common subsequence.

    >>> common_subsequence("abcbdab", "bdcaba")
    4
    """
    return int(LCSseq.similarity(first, second))


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return the least number of insertions, deletions and replacements that make one the other (Levenshtein).

    >>> edit_distance("kitten", "sitting")
    3
    """
    return int(Levenshtein.distance(first, second))


def edit_similarity(expected: Sequence[Hashable], called: Sequence[Hashable]) -> float:
    """Return 1 - edit distance / length of the longer.

    Raises:
        UndefinedMetricError: Nothing was expected and nothing called.

    >>> edit_similarity("abc", "axbc")
    0.75
    """
    longer = max(len(expected), len(called))
    if not longer:
        raise UndefinedMetricError("edit_similarity", because="nothing was expected and nothing called")
    return 1 - edit_distance(expected, called) / longer
