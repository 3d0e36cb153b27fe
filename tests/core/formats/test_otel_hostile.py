"""Damaged and hostile files of the OpenTelemetry family."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.opentelemetry.otlp_facts import HEADER
from agents_eval_core.formats.otel_dump import OtelDumpFormat
from agents_eval_core.formats.otlp import OtlpFormat
from agents_eval_core.ports.trace_format import TraceFormat
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import recognised

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
FILES = sorted([*(SAMPLES / "otlp").iterdir(), *(SAMPLES / "otel_dump").iterdir()])
READERS: tuple[TraceFormat, ...] = (OtlpFormat(), OtelDumpFormat())
SPLICES = [
    b"",
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b",",
    b"null",
    b"-1",
    b"1e999",
    b"\xff\xfe",
    b"\\u0000",
    b"\\ud800",
    b"\n",
    b"9" * 40,
]


def read(data: bytes, reader: TraceFormat, longest_text: int | None = None) -> list[Trace]:
    path = Path("hostile.json")
    path.write_bytes(data)
    return list(reader.read(path, longest_text=longest_text))


def attempt(data: bytes) -> None:
    for reader in READERS:
        for longest in (None, 3):
            try:
                traces = read(data, reader, longest)
            except UnreadableError:
                continue
            assert traces
            assert all(len(trace.span_by_id) == len(trace.spans) for trace in traces)
            assert all(trace.spans or HEADER.encode() in data for trace in traces), "only an export may have no step"


@given(st.sampled_from(FILES), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
def test_a_mutated_sample_is_read_or_refused(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        length = data.draw(st.sampled_from([0, 1, 5, 300]))
        content = content[:at] + data.draw(st.sampled_from(SPLICES)) + content[at + length :]
    attempt(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("0" * 16),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(FILES), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
def test_a_sample_with_other_values_is_read_or_refused(path: Path, data: st.DataObject) -> None:
    def altered(value: Any) -> Any:
        if isinstance(value, dict) and data.draw(st.integers(0, 6)):
            return {key: altered(one) for key, one in cast("dict[str, Any]", value).items()}
        if isinstance(value, list) and data.draw(st.integers(0, 6)):
            return [altered(one) for one in cast("list[Any]", value)[:4]]
        return data.draw(VALUES) if data.draw(st.integers(0, 9)) == 0 else cast("Any", value)

    text = path.read_text()
    documents = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [_first(text)]
    attempt("\n".join(json.dumps(altered(document)) for document in documents[:3]).encode())


def _first(text: str) -> Any:
    return json.JSONDecoder().raw_decode(text)[0]


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"spans":[', b'{"resourceSpans":[{"scopeSpans":['])
def test_what_is_nested_without_end_is_refused(opening: bytes) -> None:
    for reader in READERS:
        with pytest.raises(UnreadableError, match=r"hostile\.json"):
            read(opening * 10_000, reader)


def a_record(number: int, **keys: object) -> dict[str, Any]:
    times = {"start_time": number, "end_time": number + 1}
    return {"name": f"span {number}", "context": {"trace_id": 1, "span_id": number}, **times} | keys


def test_children_nested_ten_thousand_deep_cost_only_their_span() -> None:
    deep = b'{"span_id":"1","trace_id":"t","name":"x","child_spans":[' * 10_000 + b"]}" * 10_000
    data = json.dumps(a_record(1)).encode() + b"\n" + deep
    (trace,) = read(data, OtelDumpFormat())
    assert [span.name for span in trace.spans] == ["span 1"]
    assert sum(trace.unread.values()) >= 1


def test_parents_in_a_circle_repeated_ids_and_negative_durations_are_read() -> None:
    records = [
        a_record(1, parent_id="2"),
        a_record(2, parent_id="1"),
        a_record(3, end_time=1),
        a_record(3, name="final"),
        a_record(4, parent=4),
    ]
    (trace,) = read(json.dumps(records).encode(), OtelDumpFormat())
    assert [span.name for span in trace.spans] == ["span 1", "span 2", "final", "span 4"]
    assert trace.unread == {"repeated span": 1}


def test_a_record_without_ids_and_one_that_is_no_object_are_counted() -> None:
    (trace,) = read(json.dumps([a_record(1), {"name": "x"}, 5, None]).encode(), OtelDumpFormat())
    assert trace.unread == {"damaged span": 1, "line of another kind": 2}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is empty"),
        (b"\n \n", "it is empty"),
        (b"[]", "list of spans is empty"),
        (b'{"spans": []}', "list of spans is empty"),
        (b"hello", "line 1: this is not JSON"),
        (b'\n{"role": "user", "content": "hi"}', "line 2: a span without id"),
    ],
)
def test_a_dump_without_a_readable_span_is_named_with_the_place(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableError, match=f"hostile.json.*{said}"):
        read(data, OtelDumpFormat())


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(UnreadableError, match=rf"{path.name} cannot be read: \w+"):
            list(OtelDumpFormat().read(path))


@pytest.mark.parametrize(
    "head",
    [
        b'{"type": "user", "message": {"content": "{\\"trace_id\\": 1, \\"span_id\\": 2}"}}',
        b'{"object": "trace.span", "id": "span_1", "trace_id": "t", "span_id": "s", "name": "x", "span_data": {}}',
        b'[{"role": "user", "content": "context"}]',
        b'{"version": 2, "eval": {"span_id": 1}, "events": [{"span_id": "a"}]}',
        b"",
        b"\xff\xfe{",
    ],
)
def test_other_files_are_not_recognised(head: bytes) -> None:
    assert not any(reader.recognises(Path("any"), head) for reader in READERS)


def test_every_real_file_of_other_formats_is_left_to_their_readers(real_data: Path) -> None:
    ours = ("otel-", "openinference-")
    others = [
        path
        for folder in sorted((real_data / "traces").iterdir())
        if not folder.name.startswith(ours)
        for path in sorted(folder.rglob("*.json*"))
    ]
    assert len(others) > 100
    for path in others:
        with path.open("rb") as file:
            head = file.read(65536)
        assert not any(reader.recognises(path, head) for reader in READERS), path


def test_the_samples_are_recognised_through_the_door() -> None:
    assert {recognised(path).name for path in FILES} == {"otlp", "otel_dump"}
