"""Traces from wherever they lie: the format is found by content, and large files are read without their long texts."""

import gc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.content_kind import compression
from agents_eval_core.errors import SeveralRunsError, UnreadableError, UsageError
from agents_eval_core.ports.trace_format import CompoundFormat, FarReachingFormat, TraceFormat
from agents_eval_core.reach import is_in_reach, is_plain
from agents_eval_core.trace import Trace

HEAD_BYTES: Final = 65536
LARGE_BYTES: Final = 32 * 2**20
LONGEST_TEXT_OF_LARGE: Final = 2000
SHORTEST_TEXT_OF_LARGE: Final = 200
IDS_SHOWN: Final = 5


def read_traces(source: Path, trace_format: str | None = None, *, root: Path | None = None) -> Iterator[Trace]:
    """Yield the traces of a file or folder.

    Of what is larger than 32 MiB, long texts are cut (see `longest_text_of`), so that a huge trace fits into memory.

    Args:
        source: A file, or a folder such as an agent's session.
        trace_format: By default it is recognised by content.
        root: The folder that nothing may be read outside of; labels and the like that lie elsewhere are not looked for.

    Raises:
        UnreadableError: No known format recognises it, or its reader cannot read it.
        UnknownNameError: There is no format of that name.
        UsageError: What it consists of leads out of the root.
    """
    reader = registry.trace_format(trace_format) if trace_format else recognised(source)
    if root is not None:
        reader = reader.within(root) if isinstance(reader, FarReachingFormat) else reader
        _refuse_ways_out(source, reader, root)
    for trace in _collected_later(reader.read(source, longest_text=longest_text_of(_size(source, reader)))):
        if root is not None:
            _refuse_ways_out(source, reader, root)  # a file may have been exchanged while it was read
        yield trace


def _collected_later(traces: Iterator[Trace]) -> Iterator[Trace]:
    """Yield traces; while one is made, no cycles are looked for: that would go through its spans time and again."""
    while True:
        was_on = gc.isenabled()
        gc.disable()
        try:
            trace = next(traces, None)
        finally:
            if was_on:
                gc.enable()
        if trace is None:
            return
        yield trace


def longest_text_of(size: int) -> int | None:
    """Return to how many characters each text is cut where so many bytes are read; None up to 32 MiB.

    From 2,000 characters on the limit falls as the size grows, down to 200: what is kept of a huge trace is how many
    steps it has times what is kept of each.

    >>> [longest_text_of(megabytes * 10**6) for megabytes in (30, 60, 500, 5000)]
    [None, 1118, 200, 200]
    """
    if size <= LARGE_BYTES:
        return None
    return max(LONGEST_TEXT_OF_LARGE * LARGE_BYTES // size, SHORTEST_TEXT_OF_LARGE)


def read_trace(
    source: Path, trace_format: str | None = None, *, trace_id: str | None = None, root: Path | None = None
) -> Trace:
    """Return the trace of a file or folder that has one, or the one of that id; nothing outside a root is read.

    Raises:
        UnreadableError: It cannot be read, or no format recognises it.
        SeveralRunsError: It holds several traces and none was chosen.
        UsageError: It holds none, or none of that id.
    """
    first, ids, total = None, list[str](), 0
    for trace in read_traces(source, trace_format, root=root):
        if trace.id == trace_id:
            return trace
        first = first or trace
        total += 1
        if len(ids) < IDS_SHOWN:
            ids.append(trace.id)
    shown = ", ".join(ids) + (", …" if total > len(ids) else "")
    if trace_id is not None:
        raise UsageError(f"{source} holds no trace {trace_id!r}; it holds {total}: {shown}")
    if first is None or total > 1:
        kind = SeveralRunsError if total > 1 else UsageError
        raise kind(
            f"{source} holds {total} traces ({shown}); choose one with --trace ID "
            f"('agents-eval trace show {source}' lists them)"
        )
    return first


def recognised(source: Path) -> TraceFormat:
    """Return the reader of the first format, by name, that recognises a file or folder.

    A format that cannot be loaded does not keep the others from being tried.

    Raises:
        UnreadableError: None does; the formats that were tried are named.
    """
    head = _head(source)
    broken: list[str] = []
    for name in registry.names("formats"):
        try:
            reader = registry.trace_format(name)
        except UsageError as problem:
            broken.append(str(problem))
            continue
        if reader.recognises(source, head):
            return reader
    packed = compression(head)
    if packed is not None:
        raise UnreadableError(f"{source} cannot be read as it is: {packed}")
    tried = ", ".join(registry.names("formats"))
    sort = "has no run.json and is in no trace format" if source.is_dir() else "is in no trace format"
    raise UnreadableError(
        f"{source} {sort} that is known (tried {tried}); name it with --format if it is"
        + "".join(f"; {problem}" for problem in broken)
    )


def _size(source: Path, reader: TraceFormat) -> int:
    """Return how many bytes are read with a file or folder."""
    return sum(path.stat().st_size for path in _files(source, reader) if path.is_file())


def _files(source: Path, reader: TraceFormat) -> Iterable[Path]:
    if source.is_dir():
        return source.rglob("*")
    return (source, *(reader.parts(source) if isinstance(reader, CompoundFormat) else ()))


def _refuse_ways_out(source: Path, reader: TraceFormat, root: Path) -> None:
    for path in (source, *_files(source, reader)):
        if not is_in_reach(path, root):
            raise UsageError(
                f"{source.name} is read together with {path.name}, which leads out of the root; put a copy in its place"
            )
        if not is_plain(path):
            raise UsageError(f"{source.name} is read together with {path.name}, which is no plain file; take it away")


def _head(source: Path) -> bytes:
    if source.is_dir():
        return b""
    try:
        with source.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError as problem:
        raise UnreadableError(f"{source} cannot be read: {problem.strerror or problem}; give a trace file") from problem
