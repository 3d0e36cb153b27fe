import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)
from opentelemetry.trace.span import TraceState
from opentelemetry.util.types import AttributeValue

from agents_eval_agents.otlp_lines import otlp_lines
from agents_eval_core import registry

ELSEWHERE = SpanContext(
    trace_id=7, span_id=8, is_remote=True, trace_flags=TraceFlags(1), trace_state=TraceState([("a", "b"), ("c", "d")])
)
VALUES: Mapping[str, AttributeValue] = {
    "text": 'é\x00\n"\\ \U0001f600',
    "empty": "",
    "yes": True,
    "no": False,
    "zero": 0,
    "large": 2**62,
    "share": 0.1,
    "whole": 5.0,
    "nan": float("nan"),
    "endless": float("-inf"),
    "texts": ["a", "b"],
    "none": [],
    "numbers": (1, 2),
}


def some_spans() -> Sequence[ReadableSpan]:
    """Spans with everything a span can have."""
    kept = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "test"}), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("a library", "1.2")
    with tracer.start_as_current_span("outer", attributes=VALUES, links=[Link(ELSEWHERE, {"why": "it is near"})]):
        with tracer.start_as_current_span("inner", kind=SpanKind.CLIENT) as inner:
            inner.add_event("something", {"n": 1})
            inner.add_event("nothing")
            inner.set_status(StatusCode.ERROR, "it broke")
        tracer.start_span("done", kind=SpanKind.SERVER).end()
    with tracer.start_as_current_span("far", context=set_span_in_context(NonRecordingSpan(ELSEWHERE))) as far:
        far.set_status(StatusCode.OK)
    provider.get_tracer("").start_span("nameless scope").end()
    return kept.get_finished_spans()


def as_opentelemetry_writes(span: ReadableSpan) -> dict[str, Any]:
    """OpenTelemetry's own encoder, with the numbers and ids that OTLP JSON asks for."""
    request = MessageToDict(encode_spans([span]), use_integers_for_enums=True)
    written = request["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    for holder in (written, *written.get("links", ())):
        for name in {"traceId", "spanId", "parentSpanId"} & set(holder):
            holder[name] = base64.b64decode(holder[name]).hex()
    return request


def test_a_line_is_what_opentelemetrys_own_encoder_says() -> None:
    spans = some_spans()
    lines = [json.loads(line) for line in otlp_lines(spans).splitlines()]
    assert lines == [as_opentelemetry_writes(span) for span in spans]
    assert len(lines) == 5


def test_of_the_resource_only_the_service_is_written() -> None:
    resource = Resource({"service.name": "test", "host.name": "my-laptop", "process.pid": 7})
    tracer = TracerProvider(resource=resource, shutdown_on_exit=False).get_tracer("t")
    span = tracer.start_span("a")
    assert isinstance(span, Span)
    assert json.loads(otlp_lines([span]))["resourceSpans"][0]["resource"] == {
        "attributes": [{"key": "service.name", "value": {"stringValue": "test"}}]
    }


def test_a_span_that_has_not_ended_has_no_end() -> None:
    span = TracerProvider(shutdown_on_exit=False).get_tracer("t").start_span("open")
    assert isinstance(span, Span)
    (written,) = json.loads(otlp_lines([span]))["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert "endTimeUnixNano" not in written


def test_numbers_beyond_64_bits_and_bytes_are_written(tmp_path: Path) -> None:
    span = (
        TracerProvider(shutdown_on_exit=False)
        .get_tracer("t")
        .start_span("a", attributes={"huge": 2**70, "raw": b"\x00\xff"})
    )
    assert isinstance(span, Span)
    path = tmp_path / "trace.otlp.jsonl"
    path.write_bytes(otlp_lines([span]))
    (trace,) = registry.trace_format("otlp").read(path)
    assert trace.spans[0].attributes == {"huge": 2**70, "raw": "AP8="}


@pytest.mark.parametrize("text", ["sk-ant-api03-Zq7xW2vB9nM4kL8jH5gF3dS1aP6oI0uY", '{"api_key": "hunter2hunter2"}'])
def test_every_text_is_freed_of_secrets(text: str) -> None:
    span = TracerProvider(shutdown_on_exit=False).get_tracer("t").start_span(text, attributes={text: text, "l": [text]})
    span.add_event(text, {"a": text})
    span.set_status(StatusCode.ERROR, text)
    assert isinstance(span, Span)
    line = otlp_lines([span])
    assert line.count(b"[REDACTED]") == 7
    assert b"hunter2" not in line
    assert b"Zq7x" not in line
