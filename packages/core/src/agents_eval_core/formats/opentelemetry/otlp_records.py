"""The span records in OTLP JSON, one after another, however large the file is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from agents_eval_core.formats.json_text.json_stream import BadJsonError, JsonStream
from agents_eval_core.formats.opentelemetry.otlp_messages import (
    AnySpan,
    LargeWholeRequest,
    Request,
    WholeRequest,
    WireScope,
)
from agents_eval_core.formats.opentelemetry.otlp_wire import BAD_JSON, decoded_resource, requests_in, whole_request
from agents_eval_core.formats.opentelemetry.raw_span import Reading

GROUPS: Final = ("scopeSpans", "instrumentationLibrarySpans")
SCOPES: Final = ("scope", "instrumentationLibrary")
START_COMPARED: Final = 96
_scope: Final = msgspec.json.Decoder(WireScope | None)


class Context(Struct, frozen=True):
    """Who made a span: the library and the program."""

    scope: str
    resource: Mapping[str, Any]


class Record(Struct, frozen=True):
    """A span as it is written, and where; the offset is only known where it was asked for."""

    data: AnySpan
    size: int
    offset: int
    context: Context


class OtlpRecords:
    """Goes through a file; what is damaged is counted, and the rest is read.

    A line that is a whole request is decoded at once. Anything else (a document of many lines, or of one line that is
    very long, or one that is damaged) is gone through value by value, so that all spans up to the damage are found.
    """

    def __init__(self, stream: JsonStream, reading: Reading, *, with_offsets: bool) -> None:
        self._stream = stream
        self._reading = reading
        self._with_offsets = with_offsets
        self._resources: dict[bytes, Mapping[str, Any]] = {}
        self._contexts: dict[tuple[str, int], Context] = {}
        self._last = 0

    @property
    def line_number(self) -> int:
        """The line that was reached, from 1; only looked up for the first problem, since it takes time."""
        return 0 if self._reading.problem else self._stream.line_number

    def __iter__(self) -> Iterator[Record]:
        stream = self._stream
        while mark := stream.peek():
            if mark in (b"{", b"["):
                begun = stream.offset
                line = stream.line()
                whole = self._whole(line) if line is not None else None
                if line is None or whole is None:
                    stream.back(len(line or b""))
                    yield from self._by_value(begun)
                elif isinstance(whole, WholeRequest | LargeWholeRequest):
                    yield from self._of_whole(whole, len(line))
                else:
                    yield from self._of_requests(whole, line, begun)
            elif mark == b",":
                stream.skip()
            else:
                self._miss("damaged line", "this is not JSON")
                stream.next_record(stream.offset)

    def _whole(self, line: bytes) -> WholeRequest | LargeWholeRequest | Sequence[Request] | None:
        """Return the requests of a line of which all is understood, with their spans if none of these is damaged."""
        try:
            if not self._with_offsets:
                return whole_request(line)
        except msgspec.ValidationError:
            pass
        except BAD_JSON:
            return None
        try:
            requests = requests_in(line)
        except BAD_JSON:
            return None
        entries = (
            entry for one in requests for entry in (one.resource_spans if one.resource_spans is not None else [one])
        )
        return requests if requests and all(entry.scope_spans is not None for entry in entries) else None

    def _of_whole(self, request: WholeRequest | LargeWholeRequest, size: int) -> Iterator[Record]:
        for entry in request.resource_spans:
            resource = bytes(entry.resource)
            for group in entry.scope_spans:
                context = self._context(group.scope.name or "" if group.scope else "", resource)
                for span in group.spans or ():
                    yield Record(span, size, 0, context)

    def _of_requests(self, requests: Sequence[Request], line: bytes, begun: int) -> Iterator[Record]:
        at = 0
        for request in requests:
            for entry in request.resource_spans or [request]:
                resource = bytes(entry.resource)
                for group in entry.scope_spans or ():
                    context = self._context(group.scope.name or "" if group.scope else "", resource)
                    for data in group.spans or ():
                        size = len(memoryview(data))
                        if self._with_offsets:
                            at = _found(line, memoryview(data), at)
                        yield Record(data, size, begun + at, context)

    def _by_value(self, begun: int) -> Iterator[Record]:
        self._last = begun
        try:
            if self._stream.peek() == b"[":
                for _ in self._stream.elements():
                    yield from self._object(is_entry=False)
            else:
                yield from self._object(is_entry=False)
        except BadJsonError as problem:
            self._miss("damaged line", str(problem))
            self._stream.next_record(self._last)

    def _object(self, *, is_entry: bool) -> Iterator[Record]:
        """Yield the spans of an export request, or of an entry of one."""
        stream, resource, is_known = self._stream, b"null", is_entry
        if stream.peek() != b"{":
            stream.value()
            self._miss("line of another kind", "no object")
            return
        for key in stream.members():
            is_list = stream.peek() == b"["
            if is_list and key == "resourceSpans" and not is_entry:
                is_known = True
                for _ in stream.elements():
                    yield from self._object(is_entry=True)
            elif is_list and key in GROUPS:
                is_known = True
                for _ in stream.elements():
                    yield from self._group(resource)
            else:
                value = stream.value()
                resource = value if key == "resource" else resource
        if not is_known:
            self._miss("line of another kind", "neither resourceSpans nor scopeSpans")

    def _group(self, resource: bytes) -> Iterator[Record]:
        stream, scope = self._stream, ""
        if stream.peek() != b"{":
            stream.value()
            return
        for key in stream.members():
            if key == "spans" and stream.peek() == b"[":
                context = self._context(scope, resource)
                for _ in stream.elements():
                    stream.peek()
                    offset = stream.offset
                    data = stream.value()
                    self._last = stream.offset
                    yield Record(data, len(data), offset, context)
            else:
                value = stream.value()
                scope = _scope_name(value) if key in SCOPES else scope

    def _context(self, scope: str, resource: bytes) -> Context:
        known = self._resources.get(resource)
        if known is None:
            known = self._resources[resource] = decoded_resource(resource)
        key = (scope, id(known))
        return self._contexts.get(key) or self._contexts.setdefault(key, Context(scope, known))

    def _miss(self, kind: str, why: str) -> None:
        place = "" if self._reading.problem else f"line {self._stream.line_number}: "
        self._reading.miss(kind, place + why)


def _scope_name(data: bytes) -> str:
    try:
        scope = _scope.decode(data)
    except BAD_JSON:
        return ""
    return scope.name or "" if scope else ""


def _found(line: bytes, part: memoryview, since: int) -> int:
    """Return where a part of a line stands; it is known to be there."""
    start = bytes(part[:START_COMPARED])
    at = line.find(start, since)
    whole = bytes(part)
    while not line.startswith(whole, at):
        at = line.find(start, at + 1)
    return at
