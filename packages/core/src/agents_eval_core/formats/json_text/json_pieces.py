"""JSON taken apart without being decoded: for documents that are damaged, or too large to be decoded at once.

A document is an object or a list. Its pieces are the elements of a list, the members of an object, and the elements of
lists that are members of an object. So a document of which the end is missing, or of which one message is damaged,
still gives its other messages, and no more than one piece is in memory.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
TOKEN: Final = re.compile(STRING + rb'|"|[\[\]{},]', re.DOTALL)
MEMBER: Final = re.compile(rb"\s*(" + STRING + rb")\s*:", re.DOTALL)
CLOSING: Final = {b"{": b"}", b"[": b"]"}
DEEPEST: Final = 200


class Piece(Struct, frozen=True):
    """A value of a document: its key where the document is an object, and its place where it is in a list."""

    key: str | None
    index: int | None
    raw: bytes
    is_cut: bool = False


def closed(data: bytes) -> bytes | None:
    """Return JSON that stops in the middle as JSON that ends: up to its last whole value.

    What lies deeper than 200 levels is left out with all that follows. None if nothing has begun.

    >>> closed(b'{"a": [1, {"b": "x", "c": "half')
    b'{"a": [1, {"b": "x"}]}'
    """
    closers: list[bytes] = []
    end = 0
    for match in TOKEN.finditer(data):
        token = match.group()
        if token in CLOSING:
            closers.append(CLOSING[token])
            end = match.end()
        elif token == b",":
            end = match.start()
        elif token in (b"}", b"]"):
            if not closers or closers[-1] != token:
                break
            closers.pop()
            end = match.end()
        if token == b'"' or not closers or len(closers) > DEEPEST:
            break
    return data[:end] + b"".join(reversed(closers)) if end else None


class Pieces:
    r"""Takes one document apart, in the order of the file.

    >>> [(piece.key, piece.index, piece.raw) for piece in Pieces(iter([b'{"id": 7, "mess', b'ages": [{}, [1]]}']))]
    [('id', None, b'7'), ('messages', 0, b'{}'), ('messages', 1, b'[1]')]
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = b""
        self._begin = 0
        self._depth = 0
        self._top = b""
        self._key: str | None = None
        self._index: int | None = None

    def __iter__(self) -> Iterator[Piece]:
        """Yield the pieces; one that the end of the file cuts off comes last, with `is_cut`."""
        position = 0
        while True:
            for match in TOKEN.finditer(self._buffer, position):
                if match.group() == b'"':
                    break
                position = match.end()
                piece = self._take(match)
                if piece is not None:
                    yield piece
                if self._depth == 0 and self._top:
                    return
            position = self._grown(position)
            if position < 0:
                break
        rest = self._piece(self._buffer[self._begin :], is_cut=True)
        if rest is not None:
            yield rest

    def _grown(self, position: int) -> int:
        """Read on, as much again as is held, and return where to go on; -1 at the end."""
        more, wanted = [self._buffer[self._begin :]], max(1, len(self._buffer) - self._begin)
        while wanted > 0 and (chunk := next(self._chunks, b"")):
            more.append(chunk)
            wanted -= len(chunk)
        if len(more) == 1:
            return -1
        self._buffer = b"".join(more)
        position -= self._begin
        self._begin = 0
        return position

    def _take(self, match: re.Match[bytes]) -> Piece | None:
        token = match.group()
        if token in CLOSING:
            self._open(token, match)
            return None
        if token == b"," and self._depth == self._level:
            return self._emitted(match)
        if token in (b"}", b"]"):
            piece = self._emitted(match) if self._depth == self._level else None
            if self._depth == self._level and self._depth > 1:
                self._key = self._index = None
            self._depth -= 1
            return piece
        return None

    @property
    def _level(self) -> int:
        """How deep the values lie that are pieces."""
        return 2 if self._key is not None else 1

    def _open(self, token: bytes, match: re.Match[bytes]) -> None:
        self._depth += 1
        if self._depth == 1:
            self._top, self._begin = token, match.end()
            self._index = 0 if token == b"[" else None
        elif self._depth == 2 and self._top == b"{" and token == b"[" and self._key is None:  # noqa: PLR2004  a member
            member = MEMBER.match(self._buffer, self._begin, match.start())
            if member is not None:
                self._key, self._index, self._begin = _key(member.group(1)), 0, match.end()

    def _emitted(self, match: re.Match[bytes]) -> Piece | None:
        piece = self._piece(self._buffer[self._begin : match.start()], is_cut=False)
        self._begin = match.end()
        if self._index is not None and match.group() == b",":
            self._index += 1
        return piece

    def _piece(self, raw: bytes, *, is_cut: bool) -> Piece | None:
        key = self._key
        member = MEMBER.match(raw) if self._index is None else None
        if member is not None:
            key, raw = _key(member.group(1)), raw[member.end() :]
        raw = raw.strip()
        return Piece(key, self._index, raw, is_cut) if raw and self._top else None


def _key(raw: bytes) -> str:
    try:
        return msgspec.json.decode(raw, type=str)
    except ValueError:
        return raw.decode(errors="replace")
