import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.building.sound_trace import sound_trace
from agents_eval_core.formats.opentelemetry.otlp_export import export_otlp
from agents_eval_core.formats.otel_dump import OtelDumpFormat
from agents_eval_core.formats.otlp import OtlpFormat
from agents_eval_core.ports.trace_format import TraceFormat
from agents_eval_core.trace import Agent, Annotation, Outcome, Source, Span, ToolUse, Trace, Usage

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
NATIVE = Source(format="native")

texts = st.text(max_size=20)
maybe_texts = st.none() | texts
ids = st.sampled_from(["a", "b", "", "0" * 16, "00f067aa0ba902b7", "a b \u00e9", "0xAB"]) | st.text(max_size=3)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
zones = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))])
times = st.none() | st.datetimes(min_value=datetime(1900, 1, 1), timezones=zones)  # noqa: DTZ001  the zone is drawn
counts = st.none() | st.integers(min_value=0, max_value=2**62)
keys = st.sampled_from(["gen_ai.operation.name", "agents_eval.span", "agents_eval.run.id", "cut", "k"]) | texts
tools = st.builds(ToolUse, name=texts, call_id=maybe_texts, arguments=values, result=maybe_texts)
usages = st.builds(
    Usage,
    input_tokens=counts,
    output_tokens=counts,
    cached_tokens=counts,
    cost_usd=st.none() | st.floats(min_value=0, allow_infinity=False),
    scope=st.sampled_from(["self", "subtree"]),
)
spans = st.builds(
    Span,
    id=ids,
    seq=st.integers(min_value=0, max_value=99),
    operation=st.sampled_from(
        ["invoke_workflow", "invoke_agent", "chat", "execute_tool", "handoff", "message", "retrieval", "plan", "other"]
    ),
    name=texts,
    parent_id=st.none() | ids,
    agent_id=st.none() | ids,
    started_at=times,
    ended_at=times,
    status=st.sampled_from(["ok", "error", "unknown"]),
    status_source=st.sampled_from(["declared", "inferred"]),
    error_type=maybe_texts,
    error_text=maybe_texts,
    tool=st.none() | tools,
    to_agent_id=st.none() | ids,
    model=maybe_texts,
    usage=st.none() | usages,
    text=maybe_texts,
    source_span_ids=st.lists(ids, max_size=2).map(tuple),
    attributes=st.dictionaries(keys, values, max_size=4),
)
traces = st.builds(
    Trace,
    id=ids,
    source=st.just(NATIVE),
    spans=st.lists(spans, max_size=4).map(tuple),
    agents=st.lists(st.builds(Agent, id=ids, name=texts, role=st.sampled_from(["worker", "user"]))).map(tuple),
    clock=st.sampled_from(["wall", "monotonic", "none"]),
    task_id=maybe_texts,
    group_id=maybe_texts,
    outcome=st.none()
    | st.builds(Outcome, success=st.none() | st.booleans(), reward=st.none() | st.floats(allow_nan=False)),
    annotations=st.lists(
        st.builds(Annotation, name=texts, value=values, span_id=st.none() | ids, by=maybe_texts), max_size=2
    ).map(tuple),
    unread=st.dictionaries(texts, st.integers(min_value=1, max_value=9), max_size=2),
)


def read_back(trace: Trace) -> Trace:
    path = Path("exported.otlp.jsonl")
    path.write_bytes(export_otlp(trace))
    (again,) = OtlpFormat().read(path)
    return replace(again, source=trace.source)


@given(traces.map(sound_trace))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=100)
def test_any_trace_comes_back_equal(trace: Trace) -> None:
    assert read_back(trace) == trace


def a_trace(*spans: Span, **facts: Any) -> Trace:
    return Trace(id="t", source=NATIVE, spans=spans, **facts)


CHAT = Span(id="a", seq=0, operation="chat", name="chat")


def a_span(**facts: Any) -> Span:
    return replace(CHAT, **facts)


def test_a_trace_without_spans_comes_back() -> None:
    assert read_back(a_trace(agents=(Agent(id="a", name="n"),))) == a_trace(agents=(Agent(id="a", name="n"),))


def test_of_spans_with_the_same_id_the_first_comes_back_and_the_others_are_counted() -> None:
    twins = a_trace(a_span(text="first"), a_span(text="second"))
    again = read_back(twins)
    assert [(span.id, span.text) for span in again.spans] == [("a", "first")]
    assert again.unread == {"repeated span": 1}


def test_values_that_otlp_has_not_come_back() -> None:
    odd: dict[str, Any] = {
        "large": 2**80,
        "endless": float("inf"),
        "deep": [[[[{"a": [None, {}]}]]]],
        "none": None,
        "empty": {},
    }
    span = a_span(attributes=odd, tool=ToolUse(name="t", arguments={"n": -(2**70), "t": "5"}))
    assert read_back(a_trace(span)) == a_trace(span)


def test_deeply_nested_values_come_back() -> None:
    deep: Any = "bottom"
    for _ in range(200):
        deep = [deep]
    span = a_span(attributes={"deep": deep})
    assert read_back(a_trace(span)) == a_trace(span)


def test_lone_surrogates_become_the_replacement_character() -> None:
    span = a_span(text="a \ud800", attributes={"k\udfff": ["\udc00"]})
    again = read_back(a_trace(span)).spans[0]
    assert (again.text, again.attributes) == ("a \ufffd", {"k\ufffd": ["\ufffd"]})


def test_other_tools_see_the_names_of_the_conventions() -> None:
    span = a_span(text="hi", agent_id="m", model="tiny", usage=Usage(input_tokens=3), status="ok")
    line = export_otlp(a_trace(span, agents=(Agent(id="m", name="manager"),)))
    for said in (
        b'"gen_ai.agent.name","value":{"stringValue":"manager"}',
        b'"gen_ai.response.model"',
        b'"intValue":"3"',
    ):
        assert said in line


def test_a_file_without_its_first_line_still_gives_its_spans() -> None:
    trace = a_trace(a_span(), a_span(id="b", seq=1, agent_id="m"), agents=(Agent(id="m", name="manager"),))
    path = Path("cut.jsonl")
    path.write_bytes(export_otlp(trace).split(b"\n", 1)[1])
    (again,) = OtlpFormat().read(path)
    assert again.spans == (replace(trace.spans[1], seq=0),)
    assert [agent.id for agent in again.agents] == ["m"]


@pytest.mark.parametrize("reader", [OtlpFormat(), OtelDumpFormat()])
def test_an_export_of_which_neither_the_beginning_nor_a_whole_span_is_left_is_refused(reader: TraceFormat) -> None:
    rest = {"traceId": "1" * 32, "spanId": "2" * 16, "name": "chat", "attributes": {"agents_eval.span": "{"}}
    path = Path("rest.json")
    path.write_text(json.dumps(rest if reader.name == "otel_dump" else {"scopeSpans": [{"spans": [rest]}]}))
    with pytest.raises(UnreadableError, match="a span that Agents-eval exported, without what it says about it"):
        list(reader.read(path))


def test_what_is_cut_when_reading_back_says_so() -> None:
    path = Path("long.jsonl")
    path.write_bytes(export_otlp(a_trace(a_span(text="x" * 900))))
    (again,) = OtlpFormat().read(path, longest_text=100)
    assert (again.spans[0].text, again.spans[0].attributes) == ("x" * 100, {"cut": {"text": 900}})


@pytest.mark.parametrize("name", sorted(path.name for path in (SAMPLES / "otel_dump").iterdir()))
def test_every_sample_comes_back_equal(name: str) -> None:
    for trace in OtelDumpFormat().read(SAMPLES / "otel_dump" / name):
        assert read_back(trace) == trace
