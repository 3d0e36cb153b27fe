"""OTLP JSON with logs instead of spans: those of Claude Code tell what its agents did."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from agents_eval_core.formats.json_text.json_stream import BadJsonError, JsonStream
from agents_eval_core.formats.opentelemetry.claude_code_events import Event, trace_of_events
from agents_eval_core.formats.opentelemetry.otlp_messages import Number, PairsOrMap
from agents_eval_core.formats.opentelemetry.otlp_wire import BAD_JSON, mapping, nanoseconds
from agents_eval_core.formats.opentelemetry.raw_span import Reading
from agents_eval_core.trace import Source, Trace

LOGS: Final = "resourceLogs"
METRICS: Final = "resourceMetrics"
SESSION: Final = "session.id"
PREFIX: Final = "claude_code."


class Body(Struct, rename="camel"):
    """What a record says."""

    string_value: str | None = None


class LogRecord(Struct, rename="camel"):
    """One record."""

    time_unix_nano: Number = None
    body: Body | None = None
    attributes: PairsOrMap | None = None


class ScopeLogs(Struct, rename="camel"):
    """The records of one library."""

    log_records: list[LogRecord] | None = None


class ResourceLogs(Struct, rename="camel"):
    """The records of one program."""

    scope_logs: list[ScopeLogs] | None = None


class LogRequest(Struct, rename="camel"):
    """An export request."""

    resource_logs: list[ResourceLogs]


_request: Final = msgspec.json.Decoder(LogRequest)


def traces_of_logs(stream: JsonStream, reading: Reading, path: str, *, longest_text: int | None) -> Iterator[Trace]:
    """Yield the sessions of Claude Code that are told of in logs; none where the logs are another program's.

    Args:
        stream: The file, at its beginning.
        reading: Takes what is not understood.
        path: The file's name.
        longest_text: Longer texts are cut.
    """
    sessions: dict[str, list[Event]] = {}
    for event in _events(stream, reading):
        session_id = event.text(SESSION)
        if session_id is not None:
            sessions.setdefault(session_id, []).append(event)
    source = Source(format="otlp", path=path, digest=stream.digest())
    for session_id, events in sessions.items():
        trace = trace_of_events(session_id, events, source, reading.unread, longest_text=longest_text)
        if trace is not None:
            yield trace


def _events(stream: JsonStream, reading: Reading) -> Iterator[Event]:
    while stream.peek():
        begun = stream.offset
        try:
            request = _request.decode(stream.value())
        except BadJsonError as problem:
            reading.miss("damaged line", str(problem))
            stream.next_record(begun)
        except BAD_JSON as problem:
            reading.miss("line of another kind", str(problem))
        else:
            yield from _events_of(request, reading)


def _events_of(request: LogRequest, reading: Reading) -> Iterator[Event]:
    groups: Sequence[ScopeLogs] = [group for one in request.resource_logs for group in one.scope_logs or ()]
    for record in (record for group in groups for record in group.log_records or ()):
        about: dict[str, Any] = mapping(record.attributes)
        body = (record.body.string_value if record.body else None) or ""
        if not body.startswith(PREFIX):
            reading.miss("log record", f"a log record that is no event of Claude Code: {body[:80]!r}")
            continue
        about.setdefault("event.name", body.removeprefix(PREFIX))
        try:
            yield Event(at=nanoseconds(record.time_unix_nano), attributes=about)
        except (ValueError, OverflowError) as problem:
            reading.miss("log record", f"a log record with a damaged time: {problem}")
