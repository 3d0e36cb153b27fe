"""The messages of OTLP JSON, as far as they are read.

There are three ways to read a request: with each span left as it is (`Request`), so that a damaged one costs only
itself; with all spans (`WholeRequest`); and with all spans but the values of their attributes (`LargeWholeRequest`),
since most of a large span is never looked at.
"""

from typing import Any, Final

from msgspec import Raw, Struct, field

Number = int | float | str | None


class AnyValue(Struct, rename="camel", gc=False):
    """One attribute's value; exactly one field is set, none for null."""

    string_value: str | None = None
    int_value: Number = None
    bool_value: bool | None = None
    double_value: float | str | None = None
    bytes_value: str | None = None
    array_value: "Values | None" = None
    kvlist_value: "Pairs | None" = None


class Values(Struct):
    """A list as a value."""

    values: list[AnyValue] = field(default_factory=list[AnyValue])


class Pair(Struct, gc=False):
    """A key and its value."""

    key: str
    value: AnyValue | None = None


class Pairs(Struct):
    """A mapping as a value."""

    values: list[Pair] = field(default_factory=list[Pair])


NOTHING: Final = Raw(b"null")


class RawPair(Struct, gc=False):
    """A key and its value as it is written."""

    key: str
    value: Raw = NOTHING


PairsOrMap = list[Pair] | dict[str, Any]
RawPairsOrMap = list[RawPair] | dict[str, Any]


class WireEvent(Struct, rename="camel"):
    """Something that happened within a span."""

    name: str = ""
    attributes: PairsOrMap | None = None


class WireStatus(Struct):
    """How a span ended."""

    code: int | str | None = 0
    message: str | None = ""


class SpanHead(Struct, rename="camel"):
    """Which span it is."""

    trace_id: str
    span_id: str


class WireSpan(SpanHead, rename="camel"):
    """A span as it is written."""

    parent_span_id: str | None = None
    name: str = ""
    start_time_unix_nano: Number = None
    end_time_unix_nano: Number = None
    attributes: PairsOrMap | None = None
    events: list[WireEvent] | None = None
    status: WireStatus | None = None


class LargeWireSpan(SpanHead, rename="camel"):
    """A span as it is written, the values of its attributes not yet decoded."""

    parent_span_id: str | None = None
    name: str = ""
    start_time_unix_nano: Number = None
    end_time_unix_nano: Number = None
    attributes: RawPairsOrMap | None = None
    events: list[WireEvent] | None = None
    status: WireStatus | None = None


class WireScope(Struct):
    """The library that made the spans."""

    name: str | None = ""


class ScopeSpans(Struct, rename="camel"):
    """The spans of one library; each is decoded on its own, so that a damaged one costs only itself."""

    scope: WireScope | None = None
    spans: list[Raw] | None = None


class SpansOfScope(Struct):
    """The spans of one library, decoded together."""

    scope: WireScope | None = None
    spans: list[WireSpan] | None = None


class LargeSpansOfScope(Struct):
    """The spans of one library, decoded together, but for the values of their attributes."""

    scope: WireScope | None = None
    spans: list[LargeWireSpan] | None = None


class WireResource(Struct):
    """The program that made the spans."""

    attributes: PairsOrMap | None = None


class Request(Struct, rename="camel"):
    """An export request, or one entry of it."""

    resource_spans: "list[Request] | None" = None
    resource: Raw = NOTHING
    scope_spans: list[ScopeSpans] | None = None


class WholeEntry(Struct, rename="camel"):
    """An entry of an export request in which nothing is damaged."""

    scope_spans: list[SpansOfScope]
    resource: Raw = NOTHING


class LargeWholeEntry(Struct, rename="camel"):
    """The same with large spans."""

    scope_spans: list[LargeSpansOfScope]
    resource: Raw = NOTHING


class WholeRequest(Struct, rename="camel"):
    """An export request in which nothing is damaged."""

    resource_spans: list[WholeEntry]


class LargeWholeRequest(Struct, rename="camel"):
    """The same with large spans."""

    resource_spans: list[LargeWholeEntry]


AnySpan = bytes | Raw | WireSpan | LargeWireSpan
