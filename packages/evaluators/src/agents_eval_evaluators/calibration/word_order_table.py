"""How words follow one another in human reviews: the 600 commonest words, all others by their ending."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from math import fsum, log
from typing import Final

from agents_eval_core.frozen import Frozen

PRIOR: Final = 50.0
ENDING_LETTERS: Final = 2
DIGITS: Final = "0"


class WordOrderTable(Frozen):
    """How often classes of words stand next to one another.

    Attributes:
        common: Words that are a class of their own.
        classes: All classes, the common words among them; of the others `~ng` is a word that ends so and `0` a number.
        counts: How often each class begins a pair.
        followers: For each class, what follows it and how often, as class, count, class, count; pairs that were seen
            once are left out.
    """

    common: tuple[str, ...]
    classes: tuple[str, ...]
    counts: tuple[int, ...]
    followers: tuple[tuple[int, ...], ...]

    @cached_property
    def _common(self) -> frozenset[str]:
        return frozenset(self.common)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.classes)}

    @cached_property
    def _shares(self) -> list[float]:
        total = sum(self.counts) + len(self.counts)
        return [(count + 1) / total for count in self.counts]

    @cached_property
    def _pairs(self) -> list[dict[int, int]]:
        return [dict(zip(row[::2], row[1::2], strict=True)) for row in self.followers]

    def information(self, sentences: Iterable[Sequence[str]]) -> float | None:
        """Return the mean pointwise mutual information of neighbouring words, in nats; None without neighbours.

        Human prose is near 0.6, the same words in random order near -1.
        """
        known = self._known
        pairs = [pair for sentence in sentences for pair in pairwise(self._places(sentence))]
        values = [known[pair] if pair in known else self._pair(*pair) for pair in pairs]
        return fsum(values) / len(values) if values else None

    def _places(self, sentence: Sequence[str]) -> list[int]:
        common, place = self._common, self._place
        named = [place.get(word if word in common else class_of(word, common)) for word in sentence]
        return [at for at in named if at is not None]

    @cached_property
    def _known(self) -> dict[tuple[int, int], float]:
        return {}

    def _pair(self, first: int, second: int) -> float:
        value = self._known.get((first, second))
        if value is None:
            value = self._known[first, second] = self._information_of(first, second)
        return value

    def _information_of(self, first: int, second: int) -> float:
        share = self._shares[second]
        seen = self._pairs[first].get(second, 0)
        return log((seen + PRIOR * share) / ((self.counts[first] + PRIOR) * share))


def class_of(word: str, common: frozenset[str]) -> str:
    """Return the class of a word: itself where it is common, else its ending.

    >>> class_of("the", frozenset({"the"})), class_of("pretraining", frozenset({"the"})), class_of("81", frozenset())
    ('the', '~ng', '0')
    """
    if word in common:
        return word
    return DIGITS if word[0].isdigit() else f"~{word[-ENDING_LETTERS:]}"
