r"""A file that is one JSON object: decoded at once if it is whole and small, else taken apart piece by piece."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.json_text.json_pieces import Pieces
from agents_eval_core.formats.json_text.legible import legible
from agents_eval_core.trace import Source

T = TypeVar("T")
AT_ONCE: Final = 32 * 2**20
CHUNK: Final = 2**20
UNREADABLE: Final = (ValueError, RecursionError, OverflowError)


def decoded(data: bytes | Raw, shape: type[T]) -> T:
    r"""Return the value of some JSON; letters that no encoding has are replaced by U+FFFD.

    >>> decoded(rb'{"a": "\ud800!"}', dict) == {"a": "\ufffd!"}
    True

    Raises:
        ValueError: It is no JSON, or of another shape.
        RecursionError: It is nested too deeply.
    """
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError:
        raise
    except ValueError:
        found = bytes(data)
        mended = legible(found)
        if mended == found:
            raise
        return msgspec.json.decode(mended, type=shape)


class JsonDocument:
    """An object in a file, by its members; what cannot be read is counted in `unread`.

    A file that is damaged, cut off or nested too deeply is taken apart. One beyond 32 MiB is read anew for each list
    that is asked for, and no more than one element is in memory.
    """

    def __init__(self, path: Path, trace_format: str) -> None:
        self.path = path
        self.trace_format = trace_format
        self.unread: Counter[str] = Counter()
        self._members: dict[str, Raw] = {}
        self._lists: dict[str, list[bytes]] | None = None
        self._is_whole = False
        self._problem = "it is no JSON object"
        digest = sha256()
        data = b""
        for chunk in _chunks(path, self._refused):
            digest.update(chunk)
            data = data + chunk if len(data) <= AT_ONCE else data
        self.source = Source(format=trace_format, path=str(path), digest=digest.hexdigest())
        self._open(data)

    def value(self, key: str) -> Any:
        """Return a member as it is; None where there is none."""
        return self.member(key, object)

    def member(self, key: str, shape: type[T]) -> T | None:
        """Return a member; None where there is none, or where it is not of that shape, which is counted."""
        if key not in self._members:
            return None
        try:
            return decoded(self._members[key], shape)
        except UNREADABLE:
            self.miss(f"damaged {key}")
            return None

    def elements(self, key: str, shape: type[T], kind: str) -> Iterator[T]:
        """Yield the elements of a member that is a list; those that cannot be read are counted under their kind."""
        return self.readable(self._raw_elements(key), shape, kind)

    def readable(self, listed: Iterable[bytes | Raw], shape: type[T], kind: str) -> Iterator[T]:
        """Yield the values of parts that were not decoded yet; those that cannot be read are counted."""
        for raw in listed:
            try:
                yield decoded(raw, shape)
            except UNREADABLE:
                self.miss(f"damaged {kind}")

    def miss(self, kind: str, count: int = 1) -> None:
        """Count something that was not understood."""
        self.unread[kind] += count

    def refusal(self, why: str = "") -> UnreadableError:
        """Return the error for a file that holds no such trace."""
        return self._refused(f"it cannot be read as {self.trace_format}: {why or self._problem}")

    def _refused(self, why: str) -> UnreadableError:
        return UnreadableError(f"{self.path}: {why}; give a file of the format {self.trace_format}")

    def _open(self, data: bytes) -> None:
        self._is_whole = len(data) <= AT_ONCE and self._decode(data)
        if self._is_whole:
            return
        is_small = len(data) <= AT_ONCE
        lists: dict[str, list[bytes]] = {}
        for piece in Pieces(iter([data]) if is_small else _chunks(self.path, self._refused)):
            if piece.is_cut:
                self.miss("cut off")
            elif piece.index is None and piece.key is not None:
                self._members[piece.key] = Raw(piece.raw)
            elif piece.key is not None:
                self._members.setdefault(piece.key, Raw(b"[]"))
                if is_small:
                    lists.setdefault(piece.key, []).append(piece.raw)
        self._lists = lists if is_small else None

    def _decode(self, data: bytes) -> bool:
        try:
            self._members = decoded(data, dict[str, Raw])
        except UNREADABLE as problem:
            self._problem = str(problem) if data.strip() else "it is empty"
            self.miss("damaged document")
            return False
        return True

    def _raw_elements(self, key: str) -> Iterator[bytes | Raw]:
        if self._is_whole:
            yield from self.member(key, list[Raw]) or ()
            return
        if self._lists is not None:
            yield from self._lists.get(key, ())
            return
        for piece in Pieces(_chunks(self.path, self._refused)):
            if piece.key == key and piece.index is not None and not piece.is_cut:
                yield piece.raw

    def __contains__(self, key: str) -> bool:
        return key in self._members


def _chunks(path: Path, refused: Any) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as problem:
        raise refused(f"it cannot be read: {problem.strerror or problem}") from problem
