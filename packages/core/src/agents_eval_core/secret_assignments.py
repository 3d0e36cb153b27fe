"""Secrets that are known by the word before them: `api_key=…`, `"password": "…"`, `Authorization: Bearer …`.

Quoted values are followed through any depth of escaping: in JSON within JSON within a string, the quotes that open and
close a value carry the same number of backslashes, 2^depth - 1, and those inside it more.
"""

import re
from collections.abc import Iterator
from typing import Final

REDACTED: Final = b"[REDACTED]"
Replacement = tuple[int, int, bytes]
"""Where a secret begins and ends, and what takes its place."""

WORDS: Final = (b"pass", b"key", b"secret", b"token", b"authorization", b"bearer")
FOLLOWING: Final = frozenset(b"\"'\\ \t\r\n:=,_0123456789wp")
"""What can come after such a word: "tokens" and "keyboard" are left at once."""
KEY: Final = re.compile(
    rb"""
    (?P<strong>
        pass(?:word|wd|phrase)
      | (?:(?<=api)|(?<=api[_-])|(?<=secret)|(?<=secret[_-])|(?<=access)|(?<=access[_-])|(?<=private)|(?<=private[_-])
          |(?<=account)|(?<=account[_-])|(?<=subscription[_-]))key
      | (?:(?<=client)|(?<=client[_-])|(?<=app[_-])|(?<=consumer[_-])|(?<=webhook[_-]))secret
      | (?:(?<=access)|(?<=access[_-])|(?<=refresh)|(?<=refresh[_-])|(?<=auth)|(?<=auth[_-])|(?<=bearer)
          |(?<=bearer[_-])|(?<=api)|(?<=api[_-]))token
      | authorization
    )
    | (?P<quoted>secret) | (?P<weak>token|pass)
    """,
    re.IGNORECASE | re.VERBOSE,
)
ASSIGNMENT: Final = re.compile(
    rb"""(?:_?[0-9]{1,2})?                                      # OPENAI_API_KEY_2
    (?P<quote>\\*+["'])?
    (?P<sign>\s*+[:=]\s*+ | \s*+,\s*+\\*+"value\\*+"\s*+:\s*+\{\s*+\\*+"stringValue\\*+"\s*+:\s*+)   # second: OTLP
    (?P<open>\\*+["'])?""",
    re.IGNORECASE | re.VERBOSE,
)
BEARER: Final = re.compile(rb"bearer[ \t]{1,8}(?P<value>[\w.~+/=-]{8,}+)", re.IGNORECASE)
SCHEME: Final = re.compile(rb"(?:basic|bearer|token|digest)[ \t]{1,8}(?P<value>[\w.~+/=-]{4,}+)", re.IGNORECASE)
FLAG: Final = re.compile(rb"[ =]{1,8}(?P<value>[^\s\"'\\,;&<>(){}\[\]`$|-][^\s\"'\\,;&<>(){}\[\]`$|]{5,}+)")
BARE: Final = re.compile(rb"[^\s\"'\\,;&<>(){}\[\]`$|*]{3,}+")
NUMBER: Final = re.compile(rb"-?[0-9]++(?:\.[0-9]++)?(?=[\s,}\]])")
STOP: Final = {ord('"'): re.compile(rb'["\n]'), ord("'"): re.compile(rb"[\"'\n]")}
PLAIN: Final = re.compile(rb"[^\s\"'\\\[\]]*+")
NO_SECRETS: Final = frozenset({b"none", b"null", b"true", b"false", b"undefined", b"str", b"string"})


def assigned_secrets(data: bytes) -> Iterator[Replacement]:
    """Yield the values that stand after a word such as `password`, in the order of the text.

    >>> list(assigned_secrets(b'password=hunter2 passwords'))
    [(9, 16, b'[REDACTED]')]
    """
    lower, done = data.lower(), 0
    for place in sorted(place for word in WORDS for place in _places(lower, word)):
        if place >= done and (found := _secret_after(data, place)):
            yield found
            done = found[1]


def _places(data: bytes, word: bytes) -> Iterator[int]:
    end, place = 0, data.find(word)
    while place >= 0:
        end = place + len(word)
        if end < len(data) and data[end] in FOLLOWING:
            yield place
        place = data.find(word, end)


def _secret_after(data: bytes, place: int) -> Replacement | None:
    if bearer := BEARER.match(data, place):
        return _if(_looks_random(bearer["value"]), *bearer.span("value"))
    key = KEY.match(data, place)
    if key is None:
        return None
    assignment = ASSIGNMENT.match(data, key.end())
    if assignment is None:
        return _after_flag(data, place, key.end())
    if assignment["open"] is not None:
        return _quoted(data, key, assignment)
    if assignment["quote"] is not None:
        number = NUMBER.match(data, assignment.end()) if key["strong"] else None
        return (*number.span(), assignment["quote"] + REDACTED + assignment["quote"]) if number else None
    return _bare(data, key, assignment)


def _if(is_secret: bool, start: int, end: int) -> Replacement | None:
    return (start, end, REDACTED) if is_secret and end > start else None


def _quoted(data: bytes, key: re.Match[bytes], assignment: re.Match[bytes]) -> Replacement | None:
    start = assignment.end()
    if assignment["quote"] != assignment["open"] and data[start : start + 1].strip(b",}]: \t\r\n") == b"":
        return None  # that quote ends a string of the JSON around it
    end = _closing(data, start, assignment["open"])
    value = data[start:end]
    return _if(REDACTED not in value and (key["weak"] is None or _looks_random(value)), start, end)


def _closing(data: bytes, start: int, opening: bytes) -> int:
    """Return where a quoted value ends: before its closing quote, or after its first word where none closes it."""
    escapes = len(opening) - 1
    for stop in STOP[opening[-1]].finditer(data, start):
        depth = _backslashes_before(data, stop.start(), start) % (2 * escapes + 2)
        if stop[0] != opening[-1:] or depth not in (escapes, 2 * escapes + 1):
            break
        if depth == escapes:
            return stop.start() - escapes
    word = PLAIN.match(data, start)
    return word.end() if word else start


def _backslashes_before(data: bytes, end: int, start: int) -> int:
    place = end
    while place > start and data[place - 1] == ord("\\"):
        place -= 1
    return end - place


def _bare(data: bytes, key: re.Match[bytes], assignment: re.Match[bytes]) -> Replacement | None:
    scheme = SCHEME.match(data, assignment.end())
    if scheme and key[0].lower() == b"authorization":
        return _if(True, *scheme.span("value"))
    value = BARE.match(data, assignment.end())
    if value is None:
        return None
    start, end = value.start(), value.start() + len(value[0].rstrip(b".:!?"))
    return _if(_is_bare_secret(key, assignment["sign"], data[start:end], data[end : end + 1]), start, end)


def _is_bare_secret(key: re.Match[bytes], sign: bytes, value: bytes, after: bytes) -> bool:
    is_name = key[0].lower() in value.lower() and not _has_figures(value)
    if is_name or value.lower() in NO_SECRETS or after in (b"(", b"["):
        return False  # a variable or a call, not its value
    if key["strong"] is None:
        return _looks_random(value)
    return sign == b"=" or _has_figures(value)


def _after_flag(data: bytes, place: int, end: int) -> Replacement | None:
    is_flag = b"--" in data[max(0, place - 24) : place].rpartition(b" ")[2]
    value = FLAG.match(data, end) if is_flag else None
    return _if(_has_figures(value["value"]), *value.span("value")) if value else None


def _has_figures(value: bytes) -> bool:
    return len(value) >= 6 and any(48 <= code <= 57 for code in value)  # noqa: PLR2004  "0" to "9"


def _looks_random(value: bytes) -> bool:
    """Whether a value is no word: long, in one piece, of letters and digits.

    >>> _looks_random(b"a8f5f167f44f4964e6c998dee827110c"), _looks_random(b"state-of-the-art")
    (True, False)
    """
    text = value.decode("ascii", "replace")
    has_both = any(letter.isdigit() for letter in text) and any(letter.isalpha() for letter in text)
    return len(text) >= 12 and has_both and not re.search(r"\s", text)  # noqa: PLR2004
