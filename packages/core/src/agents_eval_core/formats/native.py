"""The trace format `native`: our own, one JSON object a trace with `"schema": "agents-eval/trace/1"`."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import msgspec
from msgspec.structs import replace

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.building.sound_trace import sound_trace
from agents_eval_core.trace import Trace

SCHEMA: Final = "agents-eval/trace/1"
MARK: Final = re.compile(rb'\s*\{\s*"schema"\s*:\s*"agents-eval/trace/\d+"')
UNREADABLE: Final = (ValueError, RecursionError, OverflowError)


class NativeTrace(
    Trace, frozen=True, kw_only=True, dict=True, tag_field="schema", tag=SCHEMA, forbid_unknown_fields=True
):
    """A trace as it is written; the field `schema` comes first."""


_decoder: Final = msgspec.json.Decoder(NativeTrace)


class NativeFormat:
    """Reads traces as `export_native` writes them: one a line, or one in the whole file.

    A line that is damaged is counted in `unread` of the last trace; the others are read. A file that says what no trace
    can say (two spans of one id, a time without zone) is mended and says so in `unread`.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "native"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes are those of a trace of ours.

        >>> NativeFormat().recognises(Path("any"), b'{"schema":"agents-eval/trace/1","id":"a"')
        True
        """
        return MARK.match(head) is not None

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file.

        Raises:
            UnreadableError: The file cannot be read, or holds no trace of ours; names the first problem and its line.
        """
        damaged: Counter[str] = Counter()
        problem, last = "", None
        for number, line in _lines(source):
            try:
                found = sound_trace(_decoder.decode(line), longest_text)
            except UNREADABLE as why:
                problem = problem or f"line {number}: {why}"
                damaged["damaged line"] += 1
                continue
            if last is not None:
                yield last
            last = found
        if last is None:
            raise UnreadableError(
                f"{source} cannot be read as {self.name}: {problem or 'line 1: it is empty'}; "
                "write it again with 'agents-eval trace convert --to native'"
            )
        yield replace(last, unread=dict(Counter(last.unread) + damaged)) if damaged else last

    def write(self, trace: Trace) -> bytes:
        """Return a trace as one line."""
        return export_native(trace)


def export_native(trace: Trace) -> bytes:
    """Return a trace as one line of JSON that reads back equal.

    In attributes, numbers that JSON does not know (NaN, infinities) become null, and what JSON has
    no form for becomes text.

    >>> from agents_eval_core.trace import Source
    >>> export_native(Trace(id="t", source=Source(format="otlp")))[:47]
    b'{"schema":"agents-eval/trace/1","id":"t","sourc'
    """
    written = NativeTrace(**{name: getattr(trace, name) for name in Trace.__struct_fields__})
    try:
        return msgspec.json.encode(written, enc_hook=str) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_legible(msgspec.to_builtins(written, enc_hook=str))) + b"\n"


def _lines(source: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty; the whole file at once where its first line is no object of its own."""
    try:
        with source.open("rb") as file:
            first = file.readline()
            if first.rstrip()[-1:] != b"}":
                yield 1, first + file.read()
                return
            yield 1, first
            yield from ((number, line) for number, line in enumerate(file, start=2) if line.strip())
    except OSError as problem:
        raise UnreadableError(f"{source} cannot be read: {problem.strerror or problem}; give a trace file") from problem


def _legible(value: Any) -> Any:
    """Return a value without halves of letters, which JSON cannot carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_legible(key): _legible(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_legible(item) for item in cast("list[Any]", value)]
    return value
