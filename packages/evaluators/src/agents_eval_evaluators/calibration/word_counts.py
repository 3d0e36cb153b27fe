"""How common words are in human reviews."""

from functools import cached_property
from math import log
from typing import Final

from agents_eval_core.frozen import Frozen

UNCOMMON_SHARE: Final = 0.2


class WordCounts(Frozen):
    """In how many reviews words occur.

    Attributes:
        documents: Reviews from which the words were counted.
        document_frequency: In how many of them a word occurs; words of a single review are left out.

    >>> counts = WordCounts(documents=10, stop_words=frozenset({"the"}), document_frequency={"paper": 9, "lstm": 2})
    >>> [counts.is_uncommon(word) for word in ("the", "paper", "lstm", "unheard")]
    [False, False, True, True]
    """

    documents: int
    stop_words: frozenset[str]
    document_frequency: dict[str, int]

    def __hash__(self) -> int:
        """Return a hash that is fast: what was prepared with a table is found again by it."""
        return hash((self.documents, len(self.document_frequency)))

    @cached_property
    def _idf_by_frequency(self) -> list[float]:
        return [log((1 + self.documents) / (1 + frequency)) + 1 for frequency in range(self.documents + 1)]

    def idf(self, word: str) -> float:
        """Return ln((1 + n) / (1 + df)) + 1; a word that was not counted gets the largest value."""
        return self._idf_by_frequency[self.document_frequency.get(word, 0)]

    @cached_property
    def common(self) -> frozenset[str]:
        """The stop words and the words of more than a fifth of the reviews."""
        most = UNCOMMON_SHARE * self.documents
        return self.stop_words | {word for word, frequency in self.document_frequency.items() if frequency > most}

    def is_uncommon(self, word: str) -> bool:
        """Whether a word says what a text is about: no stop word, and in at most a fifth of the reviews."""
        return word not in self.common
