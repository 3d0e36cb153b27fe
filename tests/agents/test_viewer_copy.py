"""What viewers are sent: the kept spans as they are, and what Phoenix cannot derive."""

import gzip
import os

import msgspec
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.trace import Link, SpanContext
from opentelemetry.util.types import AttributeValue

from agents_eval_agents.engines.mas import MasEngine
from agents_eval_agents.engines.recorded_work import Workplace
from agents_eval_agents.recorder import FILE_NAME, Recorder
from agents_eval_agents.viewer_copy import viewer_copy
from agents_eval_core.case import Case
from agents_eval_core.ports.engine import EngineOptions

KEY = "sk-ant-api03-Zq7xW2vB9nM4kL8jH5gF3dS1aP6oI0uY"


def copied(lines: bytes) -> list[Span]:
    request = ExportTraceServiceRequest.FromString(gzip.decompress(viewer_copy(lines)))
    parts = [scoped for part in request.resource_spans for scoped in part.scope_spans]
    return [span for scoped in parts for span in scoped.spans]


def texts(span: Span) -> dict[str, str]:
    return {one.key: one.value.string_value for one in span.attributes if one.value.HasField("string_value")}


def named(spans: list[Span], name: str) -> dict[str, str]:
    return next(texts(span) for span in spans if span.name.startswith(name))


def recorded(**attributes: AttributeValue) -> bytes:
    about = {f"agents_eval.{name}": value for name, value in attributes.items()}
    with Recorder().recording(run_id="r1", attributes=about) as recording:
        pass
    return recording.lines


def a_line(operation: str, key: str, text: str) -> bytes:
    said = {"gen_ai.operation.name": operation, key: text}
    attributes = [{"key": name, "value": {"stringValue": value}} for name, value in said.items()]
    span = {"traceId": "01" * 16, "spanId": os.urandom(8).hex(), "name": operation, "attributes": attributes}
    return msgspec.json.encode({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}) + b"\n"


@pytest.fixture
async def kept(a_case: Case) -> bytes:
    """The trace of a full team."""
    options = EngineOptions(run_id="r1", composition="full")
    return (await MasEngine(place=Workplace(recorder=Recorder())).run(a_case, options)).files[FILE_NAME]


def test_parents_times_and_attributes_are_those_that_were_kept(kept: bytes) -> None:
    spans = copied(kept)
    known = {span.span_id for span in spans} | {b""}
    assert all(span.parent_span_id in known for span in spans)
    assert sum(span.parent_span_id == b"" for span in spans) == 1
    for span in spans:
        assert span.span_id.hex().encode() in kept
        assert str(span.start_time_unix_nano).encode() in kept
        assert str(span.end_time_unix_nano).encode() in kept
    assert texts(spans[0])["agents_eval.composition"] == "manager+researcher+analyst+synthesizer"


def test_phoenix_is_told_what_it_cannot_derive(kept: bytes) -> None:
    spans = copied(kept)
    root, manager, tool = (named(spans, name) for name in ("agents_eval.run", "invoke_agent manager", "execute_tool"))
    assert root["openinference.span.kind"] == "CHAIN"
    assert msgspec.json.decode(root["metadata"])["engine"] == "mas"
    assert (root["input.value"], root["output.value"]) == (manager["input.value"], manager["output.value"])
    assert "Spectral Cuts" in manager["input.value"]
    assert manager["output.value"] == manager["final_result"]
    assert tool["input.value"] == tool["gen_ai.tool.call.arguments"]
    answers = [texts(span)["gen_ai.output.messages"] for span in spans if span.name.startswith("chat")]
    assert answers
    assert all('"finish_reason"' in answer for answer in answers)
    assert {texts(span)["session.id"] for span in spans} == {"r1"}


def test_an_answer_says_whether_it_ended_with_a_call() -> None:
    def ended(kind: str) -> str:
        messages = msgspec.json.encode([{"role": "assistant", "parts": [{"type": kind, "content": "é"}]}]).decode()
        (span,) = copied(a_line("chat", "gen_ai.output.messages", messages))
        (message,) = msgspec.json.decode(texts(span)["gen_ai.output.messages"])
        assert message["parts"] == [{"type": kind, "content": "é"}]
        return message["finish_reason"]

    assert (ended("tool_call"), ended("text")) == ("tool_call", "stop")


def test_the_ending_that_a_model_gave_stays() -> None:
    (span,) = copied(a_line("chat", "gen_ai.output.messages", '[{"parts":[],"finish_reason":"length"}]'))
    assert '"finish_reason": "length"' in texts(span)["gen_ai.output.messages"]


@pytest.mark.parametrize("broken", ["", "{", '{"role": 1}', "[1]", '[{"parts": 3}]'])
@pytest.mark.parametrize(
    ("operation", "key"), [("chat", "gen_ai.output.messages"), ("invoke_agent", "pydantic_ai.all_messages")]
)
def test_messages_that_cannot_be_read_stay_as_they_are(broken: str, operation: str, key: str) -> None:
    (span,) = copied(a_line(operation, key, broken))
    assert texts(span) == {"gen_ai.operation.name": operation, key: broken}


def test_numbers_truths_and_lists_stay_such() -> None:
    (span,) = copied(recorded(n=3, share=0.5, infinite=float("inf"), ok=True, words=["a", "b"]))
    got = {one.key.removeprefix("agents_eval."): one.value for one in span.attributes}
    assert (got["n"].int_value, got["share"].double_value, got["ok"].bool_value) == (3, 0.5, True)
    assert got["infinite"].double_value == float("inf")
    assert [one.string_value for one in got["words"].array_value.values] == ["a", "b"]


def test_links_and_events_stay() -> None:
    recorder = Recorder()
    elsewhere = Link(SpanContext(trace_id=2**100, span_id=2**50, is_remote=True), {"why": "because"})
    tracer = recorder.provider.get_tracer("test")
    with recorder.recording(run_id="r1") as recording, tracer.start_as_current_span("linked", links=[elsewhere]) as one:
        one.add_event("happened", {"what": "that"})
    _, linked = copied(recording.lines)
    assert [(int.from_bytes(one.trace_id), int.from_bytes(one.span_id)) for one in linked.links] == [(2**100, 2**50)]
    assert [event.name for event in linked.events] == ["happened"]


def test_no_secret_is_in_it() -> None:
    sent = gzip.decompress(viewer_copy(recorded(note=f"key {KEY}")))
    assert b"key [REDACTED]" in sent
    assert KEY.encode() not in sent
