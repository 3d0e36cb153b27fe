"""The names of authors on the front page of a paper, where they are clear."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

MOST: Final = 60
MOST_LINES: Final = 60
LONGEST_LINE: Final = 400
LONGEST_NAME: Final = 60
NAME_WORDS: Final = range(2, 6)
SEPARATORS: Final = re.compile(r"\s*(?:,|;|·|•|\||&|\band\b)\s*|\s{3,}")
MARKS: Final = re.compile(r"\^?[\d*†‡§¶\u2217⋆♠♣♥♦,]+")
NAME: Final = re.compile(
    r"[^\W\d_][\w.'\u2019-]*(?:\s+(?:van|von|de|der|den|del|della|di|da|dos|la|le|el|al|bin|ten|ter|zu|af))?"
    r"(?:\s+(?:van|von|de|der|den|del|la|le))?(?:\s+[^\W\d_][\w.'\u2019-]*){1,3}"
)
NO_NAME: Final = re.compile(
    r"\b(?:universit\w*|institut\w*|departe?ment|dept|school|laborator\w*|labs?|centers?|centres?|college|faculty|inc|ltd|"
    r"corp\w*|gmbh|research|academy|hospital|foundation|group|division|email|e-mail|submission|anonymous|conference|"
    r"proceedings|review|preprint|published|copyright|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|abstract|google|microsoft|usa|china|germany|the|of|for|in|ai)\b|@|https?:|www\.",
    re.IGNORECASE,
)
MARKED: Final = re.compile(r"\^[\d*†‡§¶\u2217⋆♠♣♥♦,]+")


def author_names(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the lines between title and abstract; none rather than a wrong one.

    A line with an institution, an address or a date is passed over, and so is one of which any part is no name.

    >>> author_names(["Ada B. Lovelace^1 Charles Babbage^2", "^1University of Nowhere", "ada@example.org"])
    ('Ada B. Lovelace', 'Charles Babbage')
    """
    found: dict[str, None] = {}
    for line in islice(lines, MOST_LINES):
        if len(line) > LONGEST_LINE or NO_NAME.search(line):
            continue
        parts = [MARKS.sub("", part).strip() for part in SEPARATORS.split(MARKED.sub(" , ", line))]
        names = [part for part in parts if part]
        if names and all(_is_name(name) for name in names):
            found |= dict.fromkeys(" ".join(name.split()) for name in names)
    return tuple(found)[:MOST]


def _is_name(text: str) -> bool:
    words = text.split()
    is_short = len(words) in NAME_WORDS and len(text) < LONGEST_NAME
    return is_short and NAME.fullmatch(text) is not None and words[0][0].isupper() and words[-1][0].isupper()
