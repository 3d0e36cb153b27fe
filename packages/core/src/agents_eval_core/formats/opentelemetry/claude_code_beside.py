"""Claude Code's events beside its spans: one run, told twice, whose spans get what only the events tell."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from agents_eval_core.formats.building.first_bytes import first_bytes
from agents_eval_core.formats.json_text.json_keys import first_keys
from agents_eval_core.formats.json_text.json_stream import JsonStream
from agents_eval_core.formats.opentelemetry.otlp_logs import LOGS, traces_of_logs
from agents_eval_core.formats.opentelemetry.raw_span import Reading
from agents_eval_core.trace import Span, ToolUse, Trace, Usage

SPANS: Final = "resourceSpans"
MARK: Final = b"claude_code."
REQUEST: Final = "request_id"
MOST_BYTES: Final = 32 * 2**20
MOST_FILES: Final = 50
_SESSION: Final = re.compile(rb'"session\.id"\s*,\s*"value"\s*:\s*\{\s*"stringValue"\s*:\s*"([^"\\]{1,100})"')


def events_beside(source: Path) -> tuple[Path, ...]:
    """Return the files of events in the same folder whose sessions are all told of in a file of spans.

    They are found by content. A folder of more than 50 files, and files beyond 32 MiB, are not looked through.
    """
    if not _holds(source, SPANS) or not (sessions := _sessions(source)):
        return ()
    files = sorted(path for path in source.parent.iterdir() if path.is_file())
    beside = [path for path in files if path != source] if len(files) <= MOST_FILES else []
    return tuple(path for path in beside if _holds(path, LOGS) and (told := _sessions(path)) and told <= sessions)


def with_events(trace: Trace, files: Sequence[Path], *, longest_text: int | None) -> Trace:
    """Return a trace whose spans have the texts, arguments and costs that events of their sessions tell."""
    told = {key: span for path in files for span in _told(path, longest_text) for key in _keys(span)}
    spans = tuple(_completed(span, [told[key] for key in _keys(span) if key in told]) for span in trace.spans)
    return replace(trace, spans=spans)


def _holds(path: Path, kind: str) -> bool:
    head = first_bytes(path)
    return MARK in head and kind in first_keys(head)


def _sessions(path: Path) -> set[bytes]:
    return set(_SESSION.findall(path.read_bytes())) if path.stat().st_size <= MOST_BYTES else set()


def _told(path: Path, longest_text: int | None) -> Iterator[Span]:
    with path.open("rb", buffering=0) as file:
        for trace in traces_of_logs(JsonStream(file), Reading(), str(path), longest_text=longest_text):
            yield from trace.spans


def _keys(span: Span) -> Iterator[tuple[str, str]]:
    request = span.attributes.get(REQUEST)
    if span.operation == "chat" and isinstance(request, str):
        yield "chat", request
    if span.tool is not None and span.tool.call_id:
        yield "call", span.tool.call_id


def _completed(span: Span, told: Sequence[Span]) -> Span:
    for other in told:
        span = replace(
            span,
            text=span.text if span.text is not None else other.text,
            error_text=span.error_text or other.error_text,
            usage=_costed(span.usage, other.usage),
            tool=_described(span.tool, other.tool),
        )
    return span


def _costed(usage: Usage | None, told: Usage | None) -> Usage | None:
    if usage is None or told is None:
        return usage or told
    return replace(usage, cost_usd=told.cost_usd) if usage.cost_usd is None else usage


def _described(tool: ToolUse | None, told: ToolUse | None) -> ToolUse | None:
    if tool is None or told is None or tool.arguments is not None:
        return tool
    return replace(tool, arguments=told.arguments)
