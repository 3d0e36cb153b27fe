"""How much texts are about the same words: rare words that a text uses often count most."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from math import log
from typing import Final

WORD: Final = re.compile(r"\w+")
SATURATION: Final = 1.2


def words(text: str) -> list[str]:
    """Return the words of a text, without regard to case.

    >>> words("We image cracks.")
    ['we', 'image', 'cracks']
    """
    return WORD.findall(text.casefold())


def by_rarity(wanted: Collection[str], texts: Sequence[Counter[str]]) -> list[float]:
    """Return what each text is worth for the words that are wanted.

    It is the sum over the wanted words of log(1 + texts / texts with the word) times tf / (tf + 1.2): BM25 without its
    length part.

    Args:
        wanted: The words, each once.
        texts: The words of each text, counted.

    References:
        S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.

    >>> [round(worth, 3) for worth in by_rarity({"small", "data"}, [Counter(["the", "data"]), Counter(["tree"])])]
    [0.499, 0.0]
    """
    spread = Counter(word for counts in texts for word in counts.keys() & set(wanted))
    worth = {word: log(1 + len(texts) / count) for word, count in sorted(spread.items())}
    return [
        sum(value * counts[word] / (counts[word] + SATURATION) for word, value in worth.items()) for counts in texts
    ]
