"""The trace format `otlp`: OpenTelemetry spans as OTLP JSON, in lines, alone or in an array."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.json_text.json_keys import first_keys
from agents_eval_core.formats.json_text.json_stream import JsonStream
from agents_eval_core.formats.opentelemetry.claude_code_beside import events_beside, with_events
from agents_eval_core.formats.opentelemetry.otel_trace import trace_of_raw_spans
from agents_eval_core.formats.opentelemetry.otlp_export import export_otlp
from agents_eval_core.formats.opentelemetry.otlp_logs import LOGS, METRICS, traces_of_logs
from agents_eval_core.formats.opentelemetry.otlp_records import GROUPS, OtlpRecords
from agents_eval_core.formats.opentelemetry.otlp_shelf import FileShelf, MemoryShelf, Shelf
from agents_eval_core.formats.opentelemetry.otlp_wire import BAD_JSON
from agents_eval_core.formats.opentelemetry.raw_span import Reading
from agents_eval_core.trace import Source, Trace

KEYS: Final = ("resourceSpans", *GROUPS, LOGS, METRICS)
HEAD_BYTES: Final = 65536
LARGE_BYTES: Final = 32 * 2**20
"""A larger file is read twice: once for where the spans of each trace are, once for the spans."""


class OtlpFormat:
    """Reads OTLP JSON; what the records mean is told by the convention that each of them follows.

    There is one trace for each trace id, in the order in which the file first has them. A line or span that is damaged
    is counted in `unread` of every trace of the file (of a file larger than 32 MiB: of the trace it belongs to), and
    the others are read, up to the damage within a damaged line. A span that is there twice (an export that was
    repeated) is taken once, in its last form. Of logs, those of Claude Code are read, a trace for each session; where
    they stand beside its spans they are read with these.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "otlp"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes of a file look like OTLP JSON with spans.

        >>> OtlpFormat().recognises(Path("any"), b'{"resourceSpans": [')
        True
        """
        return not first_keys(head).isdisjoint(KEYS)

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file.

        Raises:
            UnreadableError: The file cannot be read, or holds no span; names the first problem and its line.
        """
        try:
            with source.open("rb", buffering=0) as file:
                yield from self._traces(source, file, longest_text)
        except OSError as problem:
            raise UnreadableError(
                f"{source} cannot be read: {problem.strerror or problem}; give a file of spans"
            ) from problem

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return Claude Code's events that stand beside its spans: they tell of the same requests and calls again."""
        try:
            return events_beside(source)
        except OSError:
            return ()

    def write(self, trace: Trace) -> bytes:
        """Return a trace as lines of OTLP JSON; see `export_otlp`."""
        return export_otlp(trace)

    def _traces(self, source: Path, file: BinaryIO, longest_text: int | None) -> Iterator[Trace]:
        keys = first_keys(file.read(HEAD_BYTES))
        file.seek(0)
        if METRICS in keys:
            raise UnreadableError(
                f"{source} holds metrics, which tell of sums and not of steps; give the file with the spans "
                "(resourceSpans), or with Claude Code's events (resourceLogs), of the same run"
            )
        if LOGS in keys:
            yield from _of_logs(source, file, longest_text)
        else:
            yield from self._of_spans(source, file, longest_text)

    def _of_spans(self, source: Path, file: BinaryIO, longest_text: int | None) -> Iterator[Trace]:
        reading, stream, found = Reading(), JsonStream(file), False
        is_large = source.stat().st_size > LARGE_BYTES
        shelf = FileShelf(file) if is_large else MemoryShelf()
        _fill(shelf, OtlpRecords(stream, reading, with_offsets=is_large), reading)
        origin = Source(format=self.name, path=str(source), digest=stream.digest())
        events = self.parts(source)
        for trace_id, spans in shelf.traces(reading):
            trace = trace_of_raw_spans(trace_id, spans, origin, reading, longest_text=longest_text)
            if trace is not None:
                found = True
                yield with_events(trace, events, longest_text=longest_text) if events else trace
        if not found:
            why = reading.why_empty(is_blank=stream.is_blank, wanted="resourceSpans")
            raise UnreadableError(f"{source} holds no span that can be read as OTLP JSON: {why}")


def _of_logs(source: Path, file: BinaryIO, longest_text: int | None) -> Iterator[Trace]:
    reading, found = Reading(), False
    for trace in traces_of_logs(JsonStream(file), reading, str(source), longest_text=longest_text):
        found = True
        yield trace
    if not found:
        why = reading.problem or "nothing in its logs tells of a request to a model or a tool call"
        raise UnreadableError(f"{source} holds no trace: {why}; give the file of spans (resourceSpans)")


def _fill(shelf: Shelf, records: OtlpRecords, reading: Reading) -> None:
    for record in records:
        try:
            shelf.put(record)
        except BAD_JSON as problem:
            reading.miss("damaged span", f"line {records.line_number}: {problem}")
