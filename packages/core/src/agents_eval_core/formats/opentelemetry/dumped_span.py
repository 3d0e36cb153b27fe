"""Span objects, in the many spellings that they have in files, as raw spans."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from agents_eval_core.formats.building.unix_time import nanoseconds_of
from agents_eval_core.formats.json_text.json_values import as_list, as_moment, as_record, as_records, parsed
from agents_eval_core.formats.opentelemetry.raw_span import RawEvent, RawSpan

CODES: Final = {"OK": 1, "ERROR": 2, "1": 1, "2": 2}
KINDS: Final = frozenset(
    ("LLM", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EMBEDDING", "RERANKER", "GUARDRAIL", "EVALUATOR", "PROMPT")
)
KIND: Final = "openinference.span.kind"
NESTING: Final = ("openinference", "gen_ai", "traceloop", "llm")
NESTED: Final = (*NESTING, "input", "output", "tool", "tool_call", "agent", "session")
"""Attributes that are objects where a viewer has nested the names with dots; `NESTING` are never objects otherwise."""
DURATION: Final = re.compile(
    r"P(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
NANOSECONDS_FROM: Final = 10**14
"""Floats below this are seconds since 1970, above it nanoseconds; whole numbers are always nanoseconds."""
CHILDREN: Final = ("child_spans", "children")


def dumped_spans(record: Mapping[str, Any]) -> Iterator[tuple[RawSpan, Mapping[str, Any]]]:
    """Yield the span that an object is, and those nested in it, each with the object it was made from.

    Raises:
        ValueError: It has no ids; those before it were yielded.

    >>> [(raw.name, raw.parent_id) for raw, _ in dumped_spans({
    ...     "trace_id": "t", "span_id": "1", "span_name": "a", "child_spans": [{"span_id": "2", "span_name": "b"}]})]
    [('a', None), ('b', '1')]
    """
    waiting: list[tuple[Mapping[str, Any], str | None, str | None]] = [(record, None, None)]
    while waiting:
        each, trace_id, parent_id = waiting.pop()
        raw = _raw_span(each, trace_id, parent_id)
        yield raw, each
        children = [child for key in CHILDREN for child in as_records(each.get(key))]
        waiting.extend((child, raw.trace_id, raw.id) for child in reversed(children))


def _raw_span(record: Mapping[str, Any], trace_id: str | None, parent_id: str | None) -> RawSpan:
    context = as_record(record.get("context"))
    own_trace = _hexadecimal(_first((context, record), "trace_id", "traceId", "context.trace_id"), 32) or trace_id
    own_id = _hexadecimal(_first((context, record), "span_id", "spanId", "context.span_id"), 16)
    if own_trace is None or own_id is None:
        raise ValueError("a span without id (trace_id, span_id)")
    started = _nanoseconds(
        _first((record,), "start_time", "startTime", "startTimeUnixNano", "start_time_unix_nano", "timestamp")
    )
    code, message = _status(record)
    return RawSpan(
        trace_id=own_trace,
        id=own_id,
        name=str(_first((record,), "name", "span_name") or ""),
        parent_id=_parent(record) or parent_id,
        started=started,
        ended=_ended(record, started),
        code=code,
        message=message,
        attributes=_attributes(record),
        events=_events(record.get("events")),
        scope=str(record.get("scope_name") or as_record(record.get("instrumentation_scope")).get("name") or ""),
        resource=as_record(as_record(record.get("resource")).get("attributes")),
    )


def _first(records: Sequence[Mapping[str, Any]], *keys: str) -> Any:
    return next((one[key] for one in records for key in keys if one.get(key) is not None), None)


def _hexadecimal(value: Any, digits: int) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return f"{value:0{digits}x}"
    text = value.removeprefix("0x") if isinstance(value, str) else ""
    return text if text.strip("0") else None


def _parent(record: Mapping[str, Any]) -> str | None:
    parent = record.get("parent")
    found = as_record(parent).get("span_id") if isinstance(parent, dict) else parent
    if found is None:
        found = _first((record,), "parent_id", "parent_span_id", "parentSpanId", "parentId")
    return _hexadecimal(found, 16)


def _nanoseconds(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value > 0 else None
    if isinstance(value, float) and value >= NANOSECONDS_FROM:
        return int(value) if value < NANOSECONDS_FROM**2 else None
    at = as_moment(value)
    return None if at is None else nanoseconds_of(at)


def _ended(record: Mapping[str, Any], started: int | None) -> int | None:
    ended = _nanoseconds(_first((record,), "end_time", "endTime", "endTimeUnixNano", "end_time_unix_nano"))
    duration = record.get("duration")
    if ended is not None or started is None or not isinstance(duration, str):
        return ended
    found = DURATION.fullmatch(duration)
    if found is None or not any(found.groups()):
        return None
    seconds = timedelta(**{unit: float(number) for unit, number in found.groupdict(default="0").items()})
    return started + seconds // timedelta(microseconds=1) * 1000


def _status(record: Mapping[str, Any]) -> tuple[int, str]:
    status = record.get("status")
    about = as_record(status) if isinstance(status, dict) else {"status_code": status}
    code = about.get("status_code") or about.get("code") or record.get("status_code")
    message = about.get("description") or about.get("message") or record.get("status_message")
    return CODES.get(str(code).rpartition(".")[2].rpartition("CODE_")[2].upper(), 0), str(message or "")


def _attributes(record: Mapping[str, Any]) -> dict[str, Any]:
    given = parsed(_first((record,), "attributes", "span_attributes"))
    if isinstance(given, list):
        attributes = {str(pair.get("key")): _pair_value(pair.get("value")) for pair in as_records(given)}
    elif isinstance(given, dict):
        attributes = dict(as_record(given))
    else:
        attributes = {key[11:]: value for key, value in record.items() if key.startswith("attributes.")}
    if any(isinstance(attributes.get(name), dict) for name in NESTING):
        for name in NESTED:
            if isinstance(attributes.get(name), dict):
                attributes.update(_flattened(attributes.pop(name), name))
    kind = record.get("span_kind")
    if isinstance(kind, str) and kind in KINDS:
        attributes.setdefault(KIND, kind)
    return attributes


def _pair_value(value: Any) -> Any:
    record = as_record(value)
    return next(iter(record.values()), None) if len(record) == 1 else value


def _flattened(value: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield nested attributes under their names with dots; messages are lists, of which the places are names."""
    waiting: list[tuple[str, Any]] = [(prefix, value)]
    while waiting:
        name, each = waiting.pop()
        inner = list(as_record(each).items())
        if isinstance(each, list) and as_records(each):
            inner = [(str(place), one) for place, one in enumerate(as_list(each))]
        if inner:
            waiting.extend((f"{name}.{key}", one) for key, one in reversed(inner))
        else:
            yield name, each


def _events(events: Any) -> Sequence[RawEvent]:
    return [
        RawEvent(
            name=str(_first((event,), "name", "Name") or ""),
            attributes=as_record(_first((event,), "attributes", "Attributes")),
        )
        for event in as_records(parsed(events))
    ]
