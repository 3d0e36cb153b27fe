"""Any trace as OTLP JSON lines, for other tools and for reading back.

Other tools see spans of the GenAI conventions. What those cannot say is in `agents_eval.…` attributes, so that reading
the lines gives the same trace, only with another source.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, TypeAlias, cast

import msgspec
from msgspec.structs import replace

from agents_eval_core.formats.building.unix_time import EPOCH, nanoseconds_of
from agents_eval_core.formats.opentelemetry.otlp_facts import (
    ARGUMENTS,
    ATTRIBUTES,
    FACTS,
    HEADER,
    OPERATION,
    RESULT,
    SAID,
    TEXT,
    WRITTEN,
    Header,
    as_exact_json,
)
from agents_eval_core.trace import Span, ToolUse, Trace, Usage

Json: TypeAlias = dict[str, Any]
HEXADECIMAL: Final = re.compile("[0-9a-f]+")
CODES: Final = {"ok": 1, "error": 2, "unknown": 0}
LARGEST: Final = 2**63
DEEPEST: Final = 60
TRACE_DIGITS: Final = 32
SPAN_DIGITS: Final = 16
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def export_otlp(trace: Trace) -> bytes:
    r"""Return a trace as OTLP JSON, one request with one span a line, in the trace's own order.

    Ids that OTLP cannot have are replaced by digests of them. Lone surrogates, which UTF-8 cannot hold, become U+FFFD.

    >>> from agents_eval_core.trace import Source
    >>> chat = Span(id="a", seq=0, operation="chat", name="chat", text="hi")
    >>> export_otlp(Trace(id="t", source=Source(format="native"), spans=(chat,))).count(b"\n")
    1
    """
    wire_ids = _WireIds(trace)
    header = [_pair(HEADER, _header(trace))]
    requests = [
        _request(_span(span, trace, wire_ids), header if at == 0 else []) for at, span in enumerate(trace.spans)
    ]
    if not requests:
        empty = {"traceId": wire_ids.trace, "spanId": _hexadecimal(trace.id, SPAN_DIGITS), "name": HEADER}
        requests = [_request(empty, header)]
    return b"".join(_encoded(request) + b"\n" for request in requests)


class _WireIds:
    """The ids that spans have in OTLP: of those with the same id, only the first has its own."""

    def __init__(self, trace: Trace) -> None:
        self.trace = _hexadecimal(trace.id, TRACE_DIGITS)
        self._seen = Counter[str]()

    def of(self, span_id: str) -> str:
        self._seen[span_id] += 1
        number = self._seen[span_id]
        return _hexadecimal(span_id if number == 1 else f"{span_id}#{number}", SPAN_DIGITS)


def _hexadecimal(text: str, digits: int) -> str:
    if len(text) == digits and HEXADECIMAL.fullmatch(text) and text.strip("0"):
        return text
    return sha256(text.encode(errors="replace")).hexdigest()[:digits]


def _header(trace: Trace) -> str:
    header = Header(**{name: getattr(trace, name) for name in Header.__struct_fields__})
    return as_exact_json(msgspec.to_builtins(header))


def _request(span: Json, resource: Sequence[Json]) -> Json:
    about = [_pair("service.name", "agents-eval"), *resource]
    scoped = {"scope": {"name": "agents-eval"}, "spans": [span]}
    return {"resourceSpans": [{"resource": {"attributes": about}, "scopeSpans": [scoped]}]}


def _span(span: Span, trace: Trace, wire_ids: _WireIds) -> Json:
    about = {
        "traceId": wire_ids.trace,
        "spanId": wire_ids.of(span.id),
        "parentSpanId": _hexadecimal(span.parent_id, SPAN_DIGITS) if span.parent_id is not None else "",
        "name": span.name,
        "kind": 1,
        "startTimeUnixNano": _nanoseconds(span.started_at),
        "endTimeUnixNano": _nanoseconds(span.ended_at),
    }
    attributes = [_pair(key, value) for key, value in _attributes(span, trace).items()]
    status = {"code": CODES[span.status], "message": span.error_text or ""}
    return {**{key: value for key, value in about.items() if value != ""}, "attributes": attributes, "status": status}


def _attributes(span: Span, trace: Trace) -> Json:
    plain = {key: value for key, value in span.attributes.items() if key not in WRITTEN and _is_wireable(value)}
    odd = {key: value for key, value in span.attributes.items() if key not in plain}
    said = {
        **_of_agent(span, trace),
        **_of_usage(span.usage),
        "gen_ai.response.model": span.model,
        "error.type": span.error_type,
        **_of_tool(span.tool),
        **_of_text(span),
        ATTRIBUTES: as_exact_json(odd) if odd else None,
        FACTS: as_exact_json(msgspec.to_builtins(_facts(span))),
    }
    return plain | {key: value for key, value in said.items() if value is not None}


def _facts(span: Span) -> Span:
    """Return a span without what the export has elsewhere."""
    tool = ToolUse(name=span.tool.name, call_id=span.tool.call_id) if span.tool else None
    return replace(span, tool=tool, text=None, attributes={})


def _of_agent(span: Span, trace: Trace) -> Json:
    name = trace.agent_name(span.agent_id) if span.agent_id is not None else None
    return {OPERATION: span.operation, "gen_ai.agent.id": span.agent_id, "gen_ai.agent.name": name}


def _of_usage(usage: Usage | None) -> Json:
    if usage is None or usage.scope != "self":
        return {}
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "operation.cost": usage.cost_usd,
    }


def _of_tool(tool: ToolUse | None) -> Json:
    if tool is None:
        return {}
    return {
        "gen_ai.tool.name": tool.name,
        "gen_ai.tool.call.id": tool.call_id,
        ARGUMENTS: None if tool.arguments is None else as_exact_json(tool.arguments),
        RESULT: tool.result,
    }


def _of_text(span: Span) -> Json:
    if span.text is None or span.operation != "chat":
        return {TEXT: span.text}
    part = {"type": "text", "content": span.text}
    return {SAID: as_exact_json([{"role": "assistant", "parts": [part]}])}


def _nanoseconds(at: datetime | None) -> str:
    """Return a time as OTLP has it; nothing where it has none: before 1970, or without a zone."""
    if at is None or at.tzinfo is None or at <= EPOCH:
        return ""
    return str(nanoseconds_of(at))


def _is_wireable(value: Any, depth: int = 0) -> bool:
    """Whether a value comes back from OTLP as it was."""
    if isinstance(value, int) and not isinstance(value, bool):
        return -LARGEST <= value < LARGEST
    if isinstance(value, float):
        return value - value == 0
    if isinstance(value, list):
        return depth < DEEPEST and all(_is_wireable(one, depth + 1) for one in cast("list[Any]", value))
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value).items()
        return depth < DEEPEST and all(isinstance(key, str) and _is_wireable(one, depth + 1) for key, one in entries)
    return value is None or isinstance(value, str | bool)


def _pair(key: str, value: Any) -> Json:
    return {"key": key, "value": _wire_value(value)}


def _wire_value(value: Any) -> Json:
    match value:
        case bool():
            said = {"boolValue": value}
        case int():
            said = {"intValue": str(value)}
        case float():
            said = {"doubleValue": value}
        case str():
            said = {"stringValue": value}
        case dict():
            said = {"kvlistValue": {"values": [_pair(*entry) for entry in cast("Mapping[str, Any]", value).items()]}}
        case list():
            said = {"arrayValue": {"values": [_wire_value(one) for one in cast("list[Any]", value)]}}
        case _:
            said = Json()
    return said


def _encoded(request: Json) -> bytes:
    try:
        return msgspec.json.encode(request)
    except UnicodeEncodeError:
        return msgspec.json.encode(_without_surrogates(request))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value).items()
        return {_without_surrogates(key): _without_surrogates(one) for key, one in entries}
    return [_without_surrogates(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value
