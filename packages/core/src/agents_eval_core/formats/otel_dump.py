"""The trace format `otel_dump`: OpenTelemetry spans as objects, the way libraries and viewers write them to files."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.json_text.json_keys import first_keys
from agents_eval_core.formats.json_text.json_stream import BadJsonError, JsonStream
from agents_eval_core.formats.opentelemetry.dumped_span import dumped_spans
from agents_eval_core.formats.opentelemetry.otel_trace import OtelTrace
from agents_eval_core.formats.opentelemetry.raw_span import Reading
from agents_eval_core.formats.opentelemetry.trail_labels import TrailLabels, label_files
from agents_eval_core.trace import Source, Trace

SPAN_ID_KEYS: Final = ("context.span_id", "span_id", "spanId")
TRACE_ID_KEYS: Final = ("context.trace_id", "trace_id", "traceId")
NAME_KEYS: Final = ("name", "span_name")
WITHIN: Final = ("", "spans.")
OTHERS: Final = ("resourceSpans", "scopeSpans", "span_data")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtelDumpFormat:
    """Reads spans as objects: in a list, in lines, one after another, or in the `spans` of an object.

    So they are written by the console exporter and `to_json` of OpenTelemetry's SDK, by Logfire's test exporter, by
    any-agent, by Phoenix (flat OpenInference), and by TRAIL (nested in `child_spans`). Logs that stand beside spans are
    not read, since those of TRAIL hold the right answers.

    Attributes:
        root: The folder that labels may be read from; None is any.
    """

    root: Path | None = None

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "otel_dump"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes of a file look like span objects.

        >>> OtelDumpFormat().recognises(Path("any"), b'[{"name": "a", "context": {"trace_id": 1, "span_id": 2}')
        True
        """
        keys = first_keys(head)
        if not keys.isdisjoint(OTHERS):
            return False
        return any(
            all(any(place + key in keys for key in wanted) for wanted in (SPAN_ID_KEYS, TRACE_ID_KEYS, NAME_KEYS))
            for place in WITHIN
        )

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the traces of a file, one for each trace id.

        Raises:
            UnreadableError: The file cannot be read, or holds no span; names the first problem and its line.
        """
        reading = Reading()
        try:
            with source.open("rb", buffering=0) as file:
                stream = JsonStream(file)
                labels = TrailLabels()
                traces = _by_trace(_Records(stream, reading), reading, labels, longest_text)
                origin = Source(format=self.name, path=str(source), digest=stream.digest())
        except OSError as problem:
            raise UnreadableError(
                f"{source} cannot be read: {problem.strerror or problem}; give a file of spans"
            ) from problem
        is_empty = True
        for found in traces.values():
            trace = found.trace(origin, reading)
            if trace is not None:
                is_empty = False
                yield labels.on(trace, source, self.root)
        if is_empty:
            why = reading.why_empty(is_blank=stream.is_blank, wanted="span objects")
            raise UnreadableError(f"{source} holds no span that can be read: {why}")

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return the labels that people gave to a trace of TRAIL."""
        return label_files(source.stem, source, self.root)

    def within(self, root: Path) -> "OtelDumpFormat":
        """Return a reader that looks for labels in a folder only."""
        return replace(self, root=root)


class _Records:
    """Goes through the objects of a file; what is damaged is counted, and the rest is read."""

    def __init__(self, stream: JsonStream, reading: Reading) -> None:
        self._stream = stream
        self._reading = reading
        self._last = 0

    @property
    def line_number(self) -> int:
        """The line that was reached; only looked up for the first problem."""
        return 0 if self._reading.problem else self._stream.line_number

    def __iter__(self) -> Iterator[dict[str, Any]]:
        stream = self._stream
        while mark := stream.peek():
            self._last = stream.offset
            try:
                if mark == b"[":
                    yield from self._listed()
                elif mark == b"{":
                    yield from self._object()
                elif mark == b",":
                    stream.skip()
                else:
                    stream.entry()
            except BadJsonError as problem:
                self._reading.miss("damaged line", f"line {self.line_number}: {problem}")
                stream.next_record(self._last)

    def _object(self) -> Iterator[dict[str, Any]]:
        """Yield the spans of an object that has some, else the object."""
        record: dict[str, Any] = {}
        is_span = True
        for key in self._stream.members():
            if key == "spans" and self._stream.peek() == b"[":
                is_span = False
                yield from self._listed(record)
            else:
                self._take(key, record)
        self._last = self._stream.offset
        if is_span:
            yield record

    def _listed(self, around: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        for _ in self._stream.elements():
            if self._stream.peek() != b"{":
                self._stream.value()
                self._reading.miss("line of another kind", f"line {self.line_number}: no object")
                continue
            decoded: dict[str, Any] = {}
            self._take("span", decoded)
            self._last = self._stream.offset
            if isinstance(decoded.get("span"), dict):
                trace_id = (around or {}).get("trace_id")
                yield decoded["span"] if trace_id is None else {"trace_id": trace_id, **decoded["span"]}

    def _take(self, key: str, into: dict[str, Any]) -> None:
        value = self._stream.value()
        try:
            into[key] = msgspec.json.decode(value)
        except (ValueError, RecursionError) as problem:
            self._reading.miss("damaged span", f"line {self.line_number}: {problem}")


def _by_trace(
    records: _Records, reading: Reading, labels: TrailLabels, longest_text: int | None
) -> dict[str, OtelTrace]:
    traces: dict[str, OtelTrace] = {}
    for record in records:
        try:
            for raw, told in dumped_spans(record):
                labels.take(raw, told)
                if raw.trace_id not in traces:
                    traces[raw.trace_id] = OtelTrace(raw.trace_id, longest_text=longest_text)
                traces[raw.trace_id].take(raw)
        except (ValueError, OverflowError) as problem:
            reading.miss("damaged span", f"line {records.line_number}: {problem}")
    return traces
