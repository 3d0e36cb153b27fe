"""OTLP JSON as it lies in files, and the raw span records in it.

Read are: one export request (or one `resourceSpans` entry) a line, one alone, or an array of them. Ids may be
hexadecimal (as OTLP JSON wants) or base64 (as protobuf's own JSON has them), enumerations numbers or names, 64-bit
integers numbers or texts, attributes lists of pairs or plain maps.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw

from agents_eval_core.formats.opentelemetry.otlp_messages import (
    AnySpan,
    AnyValue,
    LargeWholeRequest,
    LargeWireSpan,
    Number,
    PairsOrMap,
    RawPairsOrMap,
    Request,
    SpanHead,
    WholeRequest,
    WireResource,
    WireSpan,
)
from agents_eval_core.formats.opentelemetry.raw_span import RawEvent, RawSpan

TRACE_ID_BYTES: Final = 16
SPAN_ID_BYTES: Final = 8
STATUS_CODES: Final = {"STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2, "1": 1, "2": 2}
BAD_JSON: Final = (ValueError, RecursionError, OverflowError)
LARGE_SPAN: Final = 4096
"""From this number of bytes on, a span's attributes are looked at before they are decoded."""

_whole_request: Final = msgspec.json.Decoder(WholeRequest)
_large_whole_request: Final = msgspec.json.Decoder(LargeWholeRequest)
_span: Final = msgspec.json.Decoder(WireSpan)
_large_span: Final = msgspec.json.Decoder(LargeWireSpan)
_resource: Final = msgspec.json.Decoder(WireResource | None)
_value_decoder: Final = msgspec.json.Decoder(AnyValue | None)
_head: Final = msgspec.json.Decoder(SpanHead)


def decoded_span(
    data: AnySpan, *, size: int, scope: str, resource: Mapping[str, Any], left_out: frozenset[str]
) -> RawSpan:
    r"""Return a span.

    Args:
        data: Its JSON, or what was already decoded of it.
        size: How long the JSON is.
        scope: The library that made it.
        resource: The program that made it.
        left_out: Attributes that nobody will look at; of a large span they are not even decoded.

    Raises:
        ValueError, RecursionError, OverflowError: It is damaged, or has no ids.

    >>> data = b'{"traceId": "0a", "spanId": "0b", "name": "run", "attributes": {"a": 1}}'
    >>> decoded_span(data, size=70, scope="", resource={}, left_out=frozenset()).attributes
    {'a': 1}
    """
    if isinstance(data, WireSpan | LargeWireSpan):
        span = data
    else:
        span = _large_span.decode(data) if size > LARGE_SPAN else _span.decode(data)
    trace_id, span_id = ids(span)
    code, message = (span.status.code, span.status.message) if span.status else (0, "")
    return RawSpan(
        trace_id=trace_id,
        id=span_id,
        name=span.name,
        parent_id=_id(span.parent_span_id or "", SPAN_ID_BYTES),
        started=nanoseconds(span.start_time_unix_nano),
        ended=nanoseconds(span.end_time_unix_nano),
        code=code if isinstance(code, int) else STATUS_CODES.get(code or "", 0),
        message=message or "",
        attributes=_large_mapping(span.attributes, left_out)
        if isinstance(span, LargeWireSpan)
        else mapping(span.attributes),
        events=[RawEvent(name=event.name, attributes=mapping(event.attributes)) for event in span.events]
        if span.events
        else (),
        scope=scope,
        resource=resource,
    )


def decoded_ids(data: AnySpan) -> tuple[str, str]:
    """Return the ids of a span's trace and of the span.

    Raises:
        ValueError, RecursionError: It is damaged, or has no ids.
    """
    return ids(data if isinstance(data, SpanHead) else _head.decode(data))


def decoded_resource(data: bytes | Raw) -> dict[str, Any]:
    """Return what is said about the program that made the spans; nothing where that is damaged."""
    try:
        resource = _resource.decode(data)
    except BAD_JSON:
        return {}
    return mapping(resource.attributes) if resource else {}


def ids(head: SpanHead) -> tuple[str, str]:
    """Return the ids in hexadecimal.

    Raises:
        ValueError: There is none.
    """
    trace_id, span_id = _id(head.trace_id, TRACE_ID_BYTES), _id(head.span_id, SPAN_ID_BYTES)
    if trace_id is None or span_id is None:
        raise ValueError("a span without id (traceId, spanId)")
    return trace_id, span_id


def _id(text: str, size: int) -> str | None:
    """Return an id in hexadecimal, or as it is where it is neither that nor base64; None where it is absent."""
    if len(text) == size * 2:
        return text.lower() if text != "0" * len(text) else None
    if len(text) == -(-size // 3) * 4:
        try:
            text = base64.b64decode(text, validate=True).hex()
        except ValueError:
            return text
    return text.lower() if text.strip("0") else None


def nanoseconds(value: Number) -> int | None:
    """Return a time, or None where it is absent.

    Raises:
        ValueError, OverflowError: It is no number.
    """
    return (int(value) or None) if value is not None and value != "" else None


def mapping(pairs: PairsOrMap | None) -> dict[str, Any]:
    """Return attributes as they are meant: by name, with plain values."""
    if not pairs:
        return {}
    if isinstance(pairs, dict):
        return pairs
    return {
        pair.key: value.string_value
        if (value := pair.value) is not None and value.string_value is not None
        else _value(value)
        for pair in pairs
    }


def _large_mapping(pairs: RawPairsOrMap | None, left_out: frozenset[str]) -> dict[str, Any]:
    if not pairs:
        return {}
    if isinstance(pairs, dict):
        return pairs
    return {pair.key: None if pair.key in left_out else _value(_value_decoder.decode(pair.value)) for pair in pairs}


def _value(value: AnyValue | None) -> Any:
    if value is None:
        return None
    if value.string_value is not None:
        return value.string_value
    if value.int_value is not None:
        return _as_number(int, value.int_value)
    if value.bool_value is not None:
        return value.bool_value
    if value.double_value is not None:
        return _as_number(float, value.double_value)
    return next(_rare_values(value), None)


def _rare_values(value: AnyValue) -> Iterator[Any]:
    if value.array_value is not None:
        yield [_value(one) for one in value.array_value.values]
    if value.kvlist_value is not None:
        yield mapping(value.kvlist_value.values)
    if value.bytes_value is not None:
        yield value.bytes_value


def _as_number(kind: type[int] | type[float], value: float | str) -> float | str:
    """Return a number, or what is there instead of one."""
    try:
        return kind(value)
    except (ValueError, OverflowError):
        return value


def whole_request(line: bytes) -> WholeRequest | LargeWholeRequest:
    """Return the export request that a line is, with its spans.

    Raises:
        ValueError, RecursionError: It is something else, or something in it is damaged.
    """
    return _whole_request.decode(line) if len(line) <= LARGE_SPAN else _large_whole_request.decode(line)


def requests_in(data: bytes) -> Sequence[Request]:
    """Return the export requests that some JSON is.

    Raises:
        ValueError, RecursionError: It is something else.
    """
    return _requests.decode(data) if data[:1] == b"[" else [_request.decode(data)]


_request: Final = msgspec.json.Decoder(Request)
_requests: Final = msgspec.json.Decoder(list[Request])
