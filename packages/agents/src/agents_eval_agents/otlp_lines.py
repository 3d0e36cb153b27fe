"""OpenTelemetry spans as lines of OTLP JSON."""

import base64
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import msgspec
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind

from agents_eval_core.redaction import redact

Json: TypeAlias = dict[str, Any]
KINDS: Final = {
    SpanKind.INTERNAL: 1,
    SpanKind.SERVER: 2,
    SpanKind.CLIENT: 3,
    SpanKind.PRODUCER: 4,
    SpanKind.CONSUMER: 5,
}
HAS_IS_REMOTE: Final = 0x100
IS_REMOTE: Final = 0x200
RESOURCE_KEPT: Final = "service.name"
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def otlp_lines(spans: Iterable[ReadableSpan]) -> bytes:
    r"""Return one line a span, each a whole OTLP request, so that a file cut short loses only its last line.

    Every text is freed of secrets. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. A span that has not ended
    is written without its end. Of the resource only `service.name` is written: host and process are nobody's business.

    >>> otlp_lines([])
    b''
    """
    clean = Cleaning()
    return b"".join(msgspec.json.encode(clean.request(span)) + b"\n" for span in spans)


class Cleaning:
    """Turns spans into what OTLP JSON says about them, remembering texts that it has cleaned before."""

    def __init__(self) -> None:
        self._cleaned: dict[str, str] = {}

    def request(self, span: ReadableSpan) -> Json:
        """Return an export request with one span."""
        scope = span.instrumentation_scope
        scoped = {"scope": self._scope(scope), "spans": [self._span(span)]}
        service = {key: value for key, value in span.resource.attributes.items() if key == RESOURCE_KEPT}
        resource = {"attributes": self._attributes(service)}
        return {"resourceSpans": [{"resource": resource, "scopeSpans": [scoped]}]}

    def _scope(self, scope: InstrumentationScope | None) -> Json:
        return _filled({"name": scope.name, "version": scope.version}) if scope is not None else {}

    def _span(self, span: ReadableSpan) -> Json:
        context = span.get_span_context()
        return _filled(
            {
                **_context_ids(context),
                "traceState": _trace_state(context),
                "parentSpanId": f"{span.parent.span_id:016x}" if span.parent else "",
                "name": self._text(span.name),
                "kind": KINDS[span.kind],
                "startTimeUnixNano": str(span.start_time or ""),
                "endTimeUnixNano": str(span.end_time or ""),
                "attributes": self._attributes(span.attributes or {}),
                "events": [self._event(event) for event in span.events],
                "links": [self._link(link) for link in span.links],
                "droppedAttributesCount": span.dropped_attributes,
                "droppedEventsCount": span.dropped_events,
                "droppedLinksCount": span.dropped_links,
            }
        ) | {"status": self._status(span), "flags": _flags(span.parent)}

    def _status(self, span: ReadableSpan) -> Json:
        return _filled({"code": span.status.status_code.value, "message": self._text(span.status.description or "")})

    def _event(self, event: Event) -> Json:
        about = self._attributes(event.attributes or {})
        return _filled({"timeUnixNano": str(event.timestamp), "name": self._text(event.name), "attributes": about})

    def _link(self, link: Link) -> Json:
        about = _filled({"attributes": self._attributes(link.attributes or {})})
        return {**_context_ids(link.context), **about, "flags": _flags(link.context)}

    def _attributes(self, attributes: Mapping[str, Any]) -> list[Json]:
        return [{"key": self._text(key), "value": self._value(value)} for key, value in attributes.items()]

    def _value(self, value: Any) -> Json:
        if isinstance(value, str):
            return {"stringValue": self._text(value)}
        if isinstance(value, Mapping):
            return {"kvlistValue": _filled({"values": self._attributes(cast("Mapping[str, Any]", value))})}
        if isinstance(value, Sequence) and not isinstance(value, bytes):
            return {"arrayValue": _filled({"values": [self._value(one) for one in cast("Sequence[Any]", value)]})}
        return _plain(value)

    def _text(self, text: str) -> str:
        cleaned = self._cleaned.get(text)
        if cleaned is None:
            cleaned = self._cleaned[text] = redact(_encodable(text))
        return cleaned


def _encodable(text: str) -> str:
    try:
        text.encode()  # many times faster than a search
    except UnicodeEncodeError:
        return LONE_SURROGATE.sub("\ufffd", text)
    return text


def _context_ids(context: SpanContext | None) -> Json:
    return {"traceId": f"{context.trace_id:032x}", "spanId": f"{context.span_id:016x}"} if context else {}


def _trace_state(context: SpanContext | None) -> str:
    return ",".join(f"{key}={value}" for key, value in context.trace_state.items()) if context else ""


def _flags(context: SpanContext | None) -> int:
    return HAS_IS_REMOTE | IS_REMOTE if context is not None and context.is_remote else HAS_IS_REMOTE


def _plain(value: float | bytes | None) -> Json:
    match value:
        case None:
            return {}
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": _double(value)}
        case bytes():
            return {"bytesValue": base64.b64encode(value).decode()}


def _double(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")


def _filled(fields: Json) -> Json:
    """Return the fields that differ from protobuf's defaults, which OTLP JSON leaves out."""
    return {name: value for name, value in fields.items() if value not in ("", 0, [], None)}
