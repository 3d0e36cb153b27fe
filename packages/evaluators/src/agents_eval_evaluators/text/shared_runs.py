"""Runs of words that a text shares with another: what was copied rather than written."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agents_eval_evaluators.text.words import words

RUN_WORDS: Final = 6
Run = tuple[str, ...]


def runs_of(text: str) -> frozenset[Run]:
    """Return every run of six consecutive words of a text."""
    return _runs_of(words(text))


@lru_cache(maxsize=64)  # a reference is looked up in for every run of its paper
def _runs_of(said: tuple[str, ...]) -> frozenset[Run]:
    return frozenset(runs_in(said))


def shared_words(written: Sequence[str], source: "frozenset[Run] | set[Run]") -> list[bool]:
    """Tell for each word whether it stands in a run of six or more words that the source has too.

    Fewer than six words share nothing: such a coincidence proves no copying.

    >>> source = runs_of("we train a deep network on noisy labels")
    >>> shared_words("clearly we train a deep network on sand".split(), source)
    [False, True, True, True, True, True, True, False]
    """
    shared = [False] * len(written)
    if source.isdisjoint(runs_in(written)):
        return shared
    for start, run in enumerate(runs_in(written)):
        if run in source:
            shared[start : start + RUN_WORDS] = [True] * RUN_WORDS
    return shared


def runs_in(sequence: Sequence[str]) -> "zip[Run]":
    """Return every run of six consecutive words, in order."""
    return zip(*(sequence[start:] for start in range(RUN_WORDS)), strict=False)
