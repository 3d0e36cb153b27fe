"""Files of JSON as they are found: one object, one list, or lines; whole or damaged.

A file that is whole and not large is decoded at once. Else it is taken apart (`Pieces`) and each piece is decoded on
its own. What is damaged is mended where that can be (`mended`) and is counted in `unread` either way.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

from msgspec import Struct, field
from msgspec.structs import replace

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.json_text.json_mending import Shape, decoded, mended, shape_of, unmarked
from agents_eval_core.formats.json_text.json_pieces import Piece, Pieces
from agents_eval_core.formats.json_text.json_values import as_list, cut_texts
from agents_eval_core.trace import Source, Trace

LARGE_BYTES: Final = 16 * 2**20
CHUNK_BYTES: Final = 2**20
HEAD_BYTES: Final = 65536
LEAST_KEPT: Final = 2000


class JsonFile(Struct):
    """An opened file: its digest, its shape, and what was not understood in it so far."""

    path: Path
    digest: str
    shape: Shape
    longest_text: int | None
    unread: Counter[str] = field(default_factory=Counter[str])
    problem: str = ""
    data: bytes | None = None

    def source(self, trace_format: str) -> Source:
        """Return where its traces come from."""
        return Source(format=trace_format, path=str(self.path), digest=self.digest)

    def trace_id(self, name: str | None, number: int) -> str:
        """Return an id for a trace: its name if it has one, with the file's digest, and its number after the first."""
        parts = (name, self.digest[:12], str(number) if number else None)
        return "-".join(part for part in parts if part)

    def values(self) -> Iterator[Any]:
        """Yield the object, the elements of the list or the values of the lines, as far as they can be read."""
        if self.shape == "lines":
            yield from self._lines()
            return
        whole = decoded(self.data) if self.data is not None else None
        if isinstance(whole, list):
            yield from as_list(whole)
        elif whole is not None:
            yield whole
        elif self.shape == "list":
            yield from (value for _, value in self._pieces())
        else:
            yield self._assembled()

    def closing(self, traces: Iterator[Trace], expected: str) -> Iterator[Trace]:
        """Yield the traces of the file; the last one carries what was not understood in the file.

        Raises:
            UnreadableError: There is no trace that has a span.
        """
        held: Trace | None = None
        for trace in traces:
            if not trace.spans:
                self.miss("trace without content", trace.id)
                continue
            if held is not None:
                yield held
            held = trace
        if held is None:
            found = self.problem or f"its JSON is another {self.shape}"
            raise UnreadableError(
                f"{self.path} holds no {expected}: {found}; give such a file, or name what it is with --format"
            )
        unread = self.unread + Counter(held.unread)
        yield replace(held, unread=dict(unread))

    def shorter(self, value: Any) -> Any:
        """Return a value of a large file with its long texts cut, for those who must keep many of them.

        What is needed to understand a message (its role, its names) is short, so nothing is cut below 2,000 characters.
        """
        if self.data is not None or self.longest_text is None:
            return value
        return cut_texts(value, max(self.longest_text, LEAST_KEPT))

    def miss(self, kind: str, where: str) -> None:
        """Count what could not be read, and keep where the first was."""
        self.unread[kind] += 1
        self.problem = self.problem or f"{where}: {kind}"

    def _lines(self) -> Iterator[Any]:
        for number, line in enumerate(self._raw_lines(), start=1):
            if not line.strip():
                continue
            value = self._value(line, f"line {number}", "damaged line")
            if value is not None:
                yield value

    def _value(self, raw: bytes, where: str, damage: str) -> Any:
        value = decoded(raw)
        return mended(raw, lambda kind: self.miss(kind, where), damage) if value is None and raw != b"null" else value

    def _raw_lines(self) -> Iterator[bytes]:
        if self.data is not None:
            yield from self.data.split(b"\n")
            return
        with self.path.open("rb") as file:
            yield from file

    def _pieces(self) -> Iterator[tuple[Piece, Any]]:
        for piece in Pieces(self._chunks()):
            where = f"{piece.key or 'element'} {'' if piece.index is None else piece.index}".rstrip()
            value = self._value(piece.raw, where, "part that breaks off" if piece.is_cut else "damaged part")
            if value is not None:
                yield piece, value

    def _assembled(self) -> dict[str, Any]:
        whole: dict[str, Any] = {}
        for piece, value in self._pieces():
            if piece.key is None:
                continue
            if piece.index is None:
                whole[piece.key] = self.shorter(value)
            else:
                as_list(whole.setdefault(piece.key, [])).append(self.shorter(value))
        return whole

    def _chunks(self) -> Iterator[bytes]:
        if self.data is not None:
            yield self.data
            return
        with self.path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk


def open_json(source: Path, longest_text: int | None = None) -> JsonFile:
    """Open a file of JSON.

    Raises:
        UnreadableError: It cannot be opened, or does not begin like JSON.
    """
    try:
        with source.open("rb") as file:
            is_small = source.stat().st_size <= LARGE_BYTES
            data = file.read() if is_small else None
            head = file.read(HEAD_BYTES) if data is None else data
            digest = sha256(data).hexdigest() if data is not None else _digest(file)
    except OSError as problem:
        raise UnreadableError(f"{source} cannot be read: {problem.strerror or problem}; give a file") from problem
    data = None if data is None else unmarked(data)
    shape = shape_of(unmarked(head).lstrip())
    if shape is None:
        found = "it is empty" if not head.strip() else "line 1: it does not begin with { or ["
        raise UnreadableError(f"{source} holds no JSON: {found}; give the log as it was written")
    return JsonFile(path=source, digest=digest, shape=shape, longest_text=longest_text, data=data)


def _digest(file: BinaryIO) -> str:
    file.seek(0)
    return file_digest(file, "sha256").hexdigest()  # pyright: ignore[reportArgumentType]  a readable binary file
