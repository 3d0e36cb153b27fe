"""Where in a text the phrases of `speaking_to_judges` can begin: plain searches, so that few places need be tried."""

import re
from collections.abc import Iterator
from typing import Final

AS_IN_PATTERNS: Final = {"\u0130": "i", "\u0131": "i", "\u017f": "s"}  # what `re` takes for these letters
LONG_GAP: Final = re.compile(r"\s{40}")
REACH: Final = 500  # no phrase without a long gap reaches further back from its end
LINE_BEGINNING: Final = " \t#"
_ROLES: Final = ("system", "assistant", "developer")
_FORGED: Final = ("<", "[", "criterion", "level", "instructions_found")
_ASCII: Final = (
    *("ignor", "disregard", "forget", "override", "bypass", "discard", "missachte", "vergiss", "oublie", "olvid"),
    *("descarta", "give", "assign", "award", "rate", "grade", "score", "note", "message", "attention", "dear"),
    *("instruction", "notice", "memo"),
)
_OTHER: Final = (
    *("игнорируй", "забудь", "проигнорируй", "忽略", "无视", "無視", "忘记", "忘掉", "以前", "前", "これまで", "上記"),
    *("이전", "위의", "앞의", "تجاهل", "انس", "पिछले", "पूर्व", "सभी"),
)
_SHORT: Final = tuple(  # words that stand everywhere: only with what must follow
    re.compile(pattern)
    for pattern in (
        r"ne\s+tiens",
        r"if\s+you",
        r"do\s+not\s+(?:mention|report|reveal|quote)",
        r"new\s+(?:system|instruction|prompt|rule)",
        r"updated\s+(?:system|instruction|prompt|rule)",
        r"revised\s+(?:system|instruction|prompt|rule)",
    )
)
_PLAYED: Final = re.compile(r"as|you|act|pretend|play")
_PLAYED_END: Final = re.compile(r"you\s+must|always|must\s+(?:give|grade|answer)|only\s+praise|without\s+restriction")
_PLAYED_ENDS: Final = ("always", "praise", "restriction", "must")


def folded(text: str) -> str:
    """Return a text in lower case, as long as before, so that places in one are places in the other.

    >>> folded("\u0130gnore")
    'ignore'
    """
    if text.isascii():
        return text.lower()
    for letter, plain in AS_IN_PATTERNS.items():
        text = text.replace(letter, plain)
    return text.lower()


def spoken_beginnings(low: str) -> list[int]:
    """Return where a phrase of `speaking_to_judges.SPOKEN` can begin in a folded text, in order."""
    words = _ASCII if low.isascii() else _ASCII + _OTHER
    places = {place for word in words for place in _found(word, low)}
    places.update(found.start() for pattern in _SHORT for found in pattern.finditer(low))
    if any(word in low for word in _PLAYED_ENDS):
        for end in _PLAYED_END.finditer(low):
            places.update(found.start() for found in _PLAYED.finditer(low, max(0, end.start() - REACH), end.start()))
    return sorted(places)


def forged_beginnings(low: str) -> list[int]:
    """Return where a mark of `speaking_to_judges.FORGED` can begin in a folded text, in order."""
    places = {place for mark in _FORGED for place in _found(mark, low)}
    places |= {place - 1 for place in places if place and low[place - 1] in "\"'"}
    for word in _ROLES:
        for place in _found(word, low):
            line = low.rfind("\n", 0, place) + 1
            if not low[line:place].strip(LINE_BEGINNING):
                places.add(line)
    return sorted(places)


def _found(word: str, low: str) -> Iterator[int]:
    place = low.find(word)
    while place >= 0:
        yield place
        place = low.find(word, place + 1)
