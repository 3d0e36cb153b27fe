"""Write traces in another format, with secrets taken out."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.ports.trace_format import WritableFormat
from agents_eval_core.redaction import redact_bytes
from agents_eval_core.store.atomic_file import draft_beside, not_written
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_trace, recognised


def convert_traces(
    source: Path, to: str, *, trace_format: str | None = None, trace_id: str | None = None
) -> Iterator[bytes]:
    """Yield the traces of a file in another format; what is yielded makes one file when put together.

    Nothing is cut: a large file is held in memory one trace at a time, with its long texts.

    Args:
        source: A trace file or folder.
        to: The format to write.
        trace_format: The format it is in; by default it is recognised by content.
        trace_id: Only this trace.

    Raises:
        UsageError: There is no such trace, or nothing can be written in that format.
        UnreadableError: The file cannot be read.
    """
    writer = writable_format(to)
    reader = registry.trace_format(trace_format) if trace_format else recognised(source)
    if trace_id is None:
        traces: Iterator[Trace] = iter(reader.read(source, longest_text=None))
    else:
        traces = (trace for trace in reader.read(source, longest_text=None) if trace.id == trace_id)
    written = 0
    for trace in traces:
        written += 1
        yield redact_bytes(writer.write(trace))
    if not written:
        read_trace(source, trace_format, trace_id=trace_id)


def write_converted(parts: Iterator[bytes], out: Path) -> int:
    """Write what `convert_traces` yields to a file, and return the number of traces; the file is there whole or not.

    Raises:
        StorageError: It could not be written.
    """
    draft = draft_beside(out)
    written = 0
    try:
        with draft.open("xb") as file:
            for part in parts:
                file.write(part)
                written += 1
        draft.replace(out)
    except OSError as problem:
        raise not_written(out, problem) from problem
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return written


def writable_format(name: str) -> WritableFormat:
    """Return a format that can be written.

    >>> writable_format("native").name
    'native'

    Raises:
        UsageError: There is none of that name, or it can only be read.
    """
    if name not in registry.names("formats"):
        raise UnknownNameError("format", name, writable_formats())
    found = registry.trace_format(name)
    if not isinstance(found, WritableFormat):
        raise UsageError(f"the format {name!r} can be read only; to write there is: {', '.join(writable_formats())}")
    return found


def writable_formats() -> tuple[str, ...]:
    """Return the names of the formats that traces can be written in."""
    return tuple(found.name for found in registry.load_all("formats") if isinstance(found, WritableFormat))
