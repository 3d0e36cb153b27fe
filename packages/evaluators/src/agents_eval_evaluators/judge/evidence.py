"""Whether what a judge quotes stands in what it was shown."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from agents_eval_core.visible_text import BEYOND_ASCII, visible

SHORTEST: Final = 8
GAP: Final = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\.{3}|…)\s*")
QUOTATION_MARKS: Final = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
DASHES: Final = dict.fromkeys("\u2010\u2011\u2013\u2014\u2212", "-")
SAME: Final = str.maketrans(QUOTATION_MARKS | DASHES)
ENDS: Final = " \"'.,;:"


@lru_cache(maxsize=16)
def plain(text: str) -> str:
    r"""Return a text as quotations are compared: without case, spacing, and shapes of dashes and quotation marks.

    >>> plain("The  \u201cGain\u201d \u2013 0.4")
    'the "gain" - 0.4'
    """
    shown = unicodedata.normalize("NFC", visible(text))
    shown = BEYOND_ASCII.sub(lambda run: unicodedata.normalize("NFKC", run[0]).translate(SAME), shown)
    return " ".join(shown.lower().split())


def occurs(quotation: str, material: str) -> bool:
    """Return whether a quotation stands in a material that `plain` has been applied to.

    What an ellipsis leaves out may be anything, but the pieces must stand there in their order. A quotation of fewer
    than 8 characters would be found anywhere and counts only if it is all there is.

    >>> occurs("a gain … without variance", plain("They report a gain of 0.4 without variance."))
    True
    >>> occurs("a gain", plain("They report a gain."))
    False
    """
    pieces = [piece for part in GAP.split(quotation) if (piece := plain(part).strip(ENDS))]
    if sum(map(len, pieces)) < SHORTEST:
        return bool(pieces) and plain(quotation) == material
    at = 0
    for piece in pieces:
        found = material.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def checked(quotations: Iterable[str], texts: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return the quotations that occur in one of the texts, and how many do not.

    >>> checked(["a gain of 0.4", "a loss of 0.4"], ["They report a gain of 0.4."])
    (['a gain of 0.4'], 1)
    """
    given = [quotation for quotation in quotations if quotation.strip()]
    kept = [quotation for quotation in given if _stands(quotation, texts)]
    return kept, len(given) - len(kept)


def _stands(quotation: str, texts: Sequence[str]) -> bool:
    if len(quotation.strip()) >= SHORTEST and any(quotation in text for text in texts):
        return True  # as it was written, which most are; the rest is twenty times the work
    return any(occurs(quotation, plain(text)) for text in texts)
