"""Words and sentences of a text, cut the same way for every text metric."""

import re
from functools import lru_cache
from typing import Final

WORD_PATTERN: Final = r"[a-z0-9]+(?:'[a-z]+)?"
CACHED_LENGTH: Final = 20_000
SENTENCE_LENGTH: Final = 500
_WORD: Final = re.compile(WORD_PATTERN)
_APOSTROPHES: Final = str.maketrans({"*": "'", "\u2019": "'"})
_LINE_END: Final = re.compile(r"\n+|[•▪◦]")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[\"'“(\[]?[A-Z])")
_LIST_MARK: Final = re.compile(r"^(?:[-*+\u2013]|\(?\d{1,2}[.)]|#+)\s+")


def plain(text: str) -> str:
    """Return the text in lower case with straight apostrophes; PeerRead's ICLR files write an apostrophe as `*`.

    >>> plain("It isn*t")
    "it isn't"
    """
    return text.lower().translate(_APOSTROPHES)


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text: runs of letters and digits in lower case, with what follows an apostrophe.

    Letters beyond a to z end a word: the tables are fitted on English reviews.

    >>> words("It doesn*t beat BERT-base (81.5 %).")
    ('it', "doesn't", 'beat', 'bert', 'base', '81', '5')
    """
    if len(text) <= SENTENCE_LENGTH:
        return _words_of_sentence(text)
    return _short_words(text) if len(text) <= CACHED_LENGTH else _cut(text)


@lru_cache(maxsize=4096)  # the sentences and points of a review and of its references are looked at by several metrics
def _words_of_sentence(text: str) -> tuple[str, ...]:
    return _cut(text)


@lru_cache(maxsize=64)  # every metric asks for the words of the same review and the same references
def _short_words(text: str) -> tuple[str, ...]:
    return _cut(text)


def _cut(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(plain(text)))


def sentences(text: str) -> tuple[str, ...]:
    r"""Return the sentences of a text: they end at `.!?` before a capital, at newlines and at bullets.

    >>> sentences("Fine, e.g. here. But why?\n- No baseline")
    ('Fine, e.g. here.', 'But why?', 'No baseline')
    """
    lines = (_LIST_MARK.sub("", line.strip()) for line in _LINE_END.split(text))
    return tuple(part for line in lines for part in _SENTENCE_END.split(line.strip()) if part)


def sentence_words(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each sentence that has any.

    >>> sentence_words("No baseline. Why?")
    (('no', 'baseline'), ('why',))
    """
    return _short_sentence_words(text) if len(text) <= CACHED_LENGTH else _cut_sentences(text)


@lru_cache(maxsize=64)
def _short_sentence_words(text: str) -> tuple[tuple[str, ...], ...]:
    return _cut_sentences(text)


def _cut_sentences(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(said for sentence in sentences(text) if (said := words(sentence)))
