import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_eval_core import registry
from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats import otlp
from agents_eval_core.formats.otlp import OtlpFormat
from agents_eval_core.trace import Trace

Json: TypeAlias = dict[str, Any]
TRACE = "0af7651916cd43dd8448eb211c80319c"
OTHER = "1bf7651916cd43dd8448eb211c80319c"


def a_span(number: int, *, under: int | None = None, trace: str = TRACE, **keys: object) -> Json:
    """A span that begins at its number in seconds and lasts one."""
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": "" if under is None else f"{under:016x}",
        "name": f"span {number}",
        "startTimeUnixNano": str(number * 10**9),
        "endTimeUnixNano": str((number + 1) * 10**9),
    } | keys


def a_request(*spans: Json) -> Json:
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def in_lines(*spans: Json) -> bytes:
    return b"".join(json.dumps(a_request(span)).encode() + b"\n" for span in spans)


def read(data: bytes) -> Sequence[Trace]:
    path = Path("trace.otlp.jsonl")
    path.write_bytes(data)
    return list(OtlpFormat().read(path))


def the_trace(*spans: Json) -> Trace:
    (trace,) = read(in_lines(*spans))
    return trace


def names(trace: Trace) -> list[str]:
    return [span.name for span in trace.spans]


def test_lines_one_object_and_an_array_are_read_alike() -> None:
    spans = a_span(1), a_span(2, under=1)
    ways = (
        in_lines(*spans),
        json.dumps(a_request(*spans)).encode(),
        json.dumps(a_request(*spans), indent=2).encode(),
        json.dumps([a_request(span) for span in spans], indent=2).encode(),
        json.dumps(a_request(*spans)["resourceSpans"][0]).encode(),
        b"\xef\xbb\xbf" + in_lines(*spans).replace(b"\n", b"\r\n\r\n"),
    )
    for way in ways:
        (trace,) = read(way)
        assert names(trace) == ["span 1", "span 2"]
        assert trace.unread == {}


def test_the_trace_knows_its_file_and_digest() -> None:
    data = in_lines(a_span(1))
    (trace,) = read(data)
    assert (trace.id, trace.source.format, trace.source.path) == (TRACE, "otlp", "trace.otlp.jsonl")
    assert trace.source.digest == sha256(data).hexdigest()


def test_it_is_found_through_the_registry() -> None:
    assert isinstance(registry.trace_format("otlp"), OtlpFormat)


def test_ids_in_base64_are_those_in_hexadecimal() -> None:
    trace = the_trace(a_span(1, traceId="CvdlGRbNQ92ESOshHIAxnA==", spanId="AAAAAAAAAAE="), a_span(2, under=1))
    assert trace.id == TRACE
    assert [span.id for span in trace.ancestors(trace.spans[1])] == ["0000000000000001"]


def test_ids_in_capitals_are_the_same_ids() -> None:
    assert the_trace(a_span(1), a_span(2, traceId=TRACE.upper())).id == TRACE


def test_a_parent_of_zeros_is_no_parent() -> None:
    assert the_trace(a_span(1, parentSpanId="0" * 16)).spans[0].parent_id is None


@pytest.mark.parametrize("code", [2, "STATUS_CODE_ERROR"])
@pytest.mark.parametrize("start", ["1700000000123456789", 1700000000123456789])
def test_numbers_and_enumerations_come_as_numbers_or_texts(code: int | str, start: int | str) -> None:
    (span,) = the_trace(a_span(1, status={"code": code}, startTimeUnixNano=start)).spans
    assert span.status == "error"
    assert span.started_at is not None
    assert span.started_at.isoformat() == "2023-11-14T22:13:20.123456+00:00"


def test_every_kind_of_value_is_read() -> None:
    values: list[tuple[str, Json, Any]] = [
        ("text", {"stringValue": ""}, ""),
        ("yes", {"boolValue": False}, False),
        ("count", {"intValue": "9007199254740993"}, 9007199254740993),
        ("share", {"doubleValue": 0.5}, 0.5),
        ("endless", {"doubleValue": "Infinity"}, float("inf")),
        ("list", {"arrayValue": {"values": [{"intValue": 1}, {"stringValue": "a"}]}}, [1, "a"]),
        ("empty", {"arrayValue": {}}, []),
        ("map", {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}}, {"k": 1}),
        ("raw", {"bytesValue": "AAE="}, "AAE="),
        ("null", {}, None),
        ("odd", {"intValue": "many"}, "many"),
    ]
    (span,) = the_trace(a_span(1, attributes=[{"key": key, "value": value} for key, value, _ in values])).spans
    assert span.attributes == {key: expected for key, _, expected in values}


def test_spans_are_ordered_by_beginning_and_parents_come_first() -> None:
    same: Json = {"startTimeUnixNano": "5000000000"}
    trace = the_trace(a_span(9, under=8), a_span(3, under=2, **same), a_span(2, under=1, **same), a_span(1, **same))
    assert names(trace) == ["span 1", "span 2", "span 3", "span 9"]
    assert [span.seq for span in trace.spans] == [0, 1, 2, 3]


def test_nanoseconds_decide_the_order() -> None:
    trace = the_trace(a_span(2, startTimeUnixNano="1000000002"), a_span(1, startTimeUnixNano="1000000001"))
    assert names(trace) == ["span 1", "span 2"]


def test_each_trace_id_is_a_trace() -> None:
    traces = read(in_lines(a_span(1), a_span(1, trace=OTHER), a_span(2, under=1)))
    assert [(trace.id, len(trace.spans)) for trace in traces] == [(TRACE, 2), (OTHER, 1)]


def test_without_times_there_is_no_clock() -> None:
    trace = the_trace(a_span(1, startTimeUnixNano=None, endTimeUnixNano="0"))
    assert (trace.clock, trace.elapsed_seconds) == ("none", None)


def test_a_span_without_end_is_read_and_its_status_is_unknown() -> None:
    (span,) = the_trace(a_span(1, endTimeUnixNano=None)).spans
    assert (span.ended_at, span.seconds, span.status) == (None, None, "unknown")


def test_a_span_sent_twice_is_taken_once_and_in_its_final_form() -> None:
    trace = the_trace(a_span(1, name="final"), a_span(1, name="open", endTimeUnixNano=None))
    assert names(trace) == ["final"]
    assert trace.unread == {"repeated span": 1}


def test_what_is_damaged_is_counted_and_the_rest_is_read() -> None:
    good = a_request(a_span(1), {"traceId": TRACE}, a_span(0), a_span(2, name=3), a_span(4))
    lines = [json.dumps(good), '{"resourceLogs": []}', '{"resourceSpans": 5}', "oops", json.dumps(good)[:90]]
    (trace,) = read("\n".join(lines).encode())
    assert names(trace) == ["span 1", "span 4"]
    assert trace.unread == {"damaged span": 3, "line of another kind": 2, "damaged line": 2}


def test_a_file_cut_anywhere_reads_to_its_last_whole_span() -> None:
    spans = a_span(1), a_span(2, under=1), a_span(3, under=1)
    for data in (
        in_lines(*spans),
        json.dumps(a_request(*spans)).encode(),
        json.dumps(a_request(*spans), indent=1).encode(),
    ):
        ends = [
            data.index(b'"', data.index(f'"{n + 1}000000000"'.encode(), data.index(f"span {n}".encode())))
            for n in (1, 2, 3)
        ]
        for cut in range(len(data)):
            whole = sum(b"}" in data[end + 12 : cut] for end in ends)
            if whole:
                (trace,) = read(data[:cut])
                assert len(trace.spans) == whole
            else:
                with pytest.raises(UnreadableError):
                    read(data[:cut])


def test_damage_in_the_middle_of_a_document_costs_what_follows_in_it() -> None:
    data = json.dumps(a_request(a_span(1), a_span(2), a_span(3)))
    (trace,) = read(data.replace('"span 2"', '"span 2').encode() + b"\n" + in_lines(a_span(4)))
    assert names(trace) == ["span 1", "span 4"]
    assert trace.unread == {"damaged line": 1}


def test_attributes_may_be_a_plain_map() -> None:
    (span,) = the_trace(a_span(1, attributes={"k": "v", "n": [1, {"a": None}]})).spans
    assert span.attributes == {"k": "v", "n": [1, {"a": None}]}


def test_the_names_before_scopes_were_called_scopes_are_read() -> None:
    old = {"instrumentationLibrarySpans": [{"instrumentationLibrary": {"name": "x"}, "spans": [a_span(1)]}]}
    (trace,) = read(json.dumps({"resourceSpans": [old]}).encode())
    assert names(trace) == ["span 1"]


def test_what_logfire_announced_and_never_ended_is_an_open_span() -> None:
    def announced(number: int, of: int, under: int | None) -> Json:
        about = {"logfire.span_type": "pending_span", "logfire.pending_parent_id": f"{under or 0:016x}"}
        return a_span(number, under=of, name=f"span {of}", attributes=about)

    trace = the_trace(announced(11, 1, None), announced(12, 2, 1), announced(13, 3, 1), a_span(2, under=1))
    assert [(span.name, span.ended_at is None, len(list(trace.ancestors(span)))) for span in trace.spans] == [
        ("span 2", False, 1),
        ("span 1", True, 0),
        ("span 3", True, 1),
    ]
    assert trace.unread == {}


@pytest.fixture
def every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(otlp, "LARGE_BYTES", 0)


@pytest.mark.usefixtures("every_file_is_large")
def test_a_large_file_gives_the_same_traces() -> None:
    spans = a_span(1), a_span(9, trace=OTHER), a_span(2, under=1), a_span(2, under=1, name="again")
    for data in (
        in_lines(*spans),
        json.dumps(a_request(*spans), indent=2).encode(),
        in_lines(*spans) + json.dumps(a_request(*spans)).encode(),
        json.dumps([a_request(*spans), a_request(*spans[:2])]).encode(),
    ):
        first, second = read(data)
        assert (names(first), names(second)) == (["span 1", "again"], ["span 9"])


@pytest.mark.usefixtures("every_file_is_large")
def test_damaged_spans_of_a_large_file_are_counted_in_their_trace() -> None:
    first, second = read(in_lines(a_span(1), a_span(2, name=3), {"traceId": "x"}, a_span(1, trace=OTHER)))
    assert names(first) == ["span 1"]
    assert first.unread == {"damaged span": 2}
    assert second.unread["damaged span"] >= 1


@pytest.mark.usefixtures("every_file_is_large")
def test_a_large_file_without_a_readable_span_is_refused() -> None:
    with pytest.raises(UnreadableError, match=r"byte .*name"):
        read(in_lines(a_span(2, name=3)))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is empty"),
        (b" \n\n", "it is empty"),
        (b"not json", "line 1"),
        (b'{"resourceSpans": []}', "list of spans is empty"),
        (b"[]", "list of spans is empty"),
        (b'{"resourceSpans": [{"scopeSpans": [{"spans": [{}]}]}]}', "line 1: .*traceId"),
        (b"5\n6\n", "line 1"),
        (b'[{"name": "a", "context": {"trace_id": 1}}]', "neither resourceSpans nor scopeSpans"),
        (b'\n\n{"resourceSpans": [', "line 1|line 3"),
        (b'{"a":' * 100_000, "recursion"),
    ],
)
def test_a_file_without_a_readable_span_is_named_with_the_place(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableError, match=f"trace.otlp.jsonl.*({said})"):
        read(data)


def test_a_file_that_is_not_there_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(UnreadableError, match=rf"{path.name} cannot be read: \w+"):
            list(OtlpFormat().read(path))


def test_parents_in_a_circle_and_very_deep_trees_are_read() -> None:
    ring = the_trace(a_span(1, under=2), a_span(2, under=1), a_span(3, under=3))
    assert len(ring.spans) == 3
    deep = the_trace(*(a_span(number, under=number - 1) for number in range(1, 3000)))
    assert names(deep)[-1] == "span 2999"


def test_a_value_nested_without_end_costs_only_its_line() -> None:
    nested = b'{"arrayValue":{"values":[' * 5000 + b"]}}" * 5000
    hostile = json.dumps(a_request(a_span(2, attributes=[{"key": "k", "value": "HERE"}]))).encode()
    (trace,) = read(in_lines(a_span(1)) + hostile.replace(b'"HERE"', nested))
    assert (names(trace), trace.unread) == (["span 1"], {"damaged line": 1})


def test_hostile_text_survives() -> None:
    text = "\x00 \u202e \U0001f600 </review> " + "x" * 2_000_000
    (span,) = the_trace(a_span(1, name=text)).spans
    assert span.name == text


def test_what_belongs_to_the_run_stays_on_the_root() -> None:
    about = {"agents_eval.run.id": "r1", "agents_eval.paper.id": "p1"}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in about.items()]
    trace = the_trace(a_span(1, attributes=attributes))
    assert (trace.spans[0].attributes, trace.task_id) == (about, "p1")


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'{"resourceSpans":[{"resource":{}', True),
        (b'\n [{"resourceSpans": []}]', True),
        (b'{"resourceLogs":[]}', True),
        (b'{"resourceMetrics":[]}', True),
        (b'[{"name": "run", "context": {}}]', False),
        (b'say "resourceSpans"', False),
        (b"", False),
    ],
)
def test_it_recognises_its_own(head: bytes, known: bool) -> None:
    assert OtlpFormat().recognises(Path("any"), head) is known


def _as_json(value: object) -> bytes:
    return json.dumps(value).encode()


WORDS = st.sampled_from(["resourceSpans", "scopeSpans", "spans", "traceId", "spanId", "attributes", "key", "value"])
ANYTHING = st.recursive(
    st.none() | st.text(max_size=5) | st.integers() | st.just(TRACE),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
)


@given(st.binary() | ANYTHING.map(_as_json))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_whatever_lies_in_a_file_it_is_read_or_refused(data: bytes) -> None:
    Path("trace.otlp.jsonl").write_bytes(data)
    assert "trace.otlp.jsonl" in (_refusal(Path("trace.otlp.jsonl")) or "trace.otlp.jsonl")


def test_every_real_file_of_the_family_is_read_or_refused_with_its_name(real_data: Path) -> None:
    files = [
        path
        for family in ("otel-pydantic-ai-logfire", "otel-claude-code", "agents-eval-mas")
        for path in sorted((real_data / "traces" / family).rglob("*.json*"))
    ]
    read_files = Counter(path.name for path in files if _reads(path))
    assert len(files) > 50
    assert read_files == {"traces.jsonl": 5, "logs.jsonl": 6}


def _reads(path: Path) -> bool:
    refusal = _refusal(path)
    if refusal is not None:
        assert str(path) in refusal
        return False
    traces = list(OtlpFormat().read(path))
    assert OtlpFormat().recognises(path, path.read_bytes()[:4096])
    assert all(trace.spans and not {"damaged line", "damaged span"} & set(trace.unread) for trace in traces)
    return True


def _refusal(path: Path) -> str | None:
    try:
        list(OtlpFormat().read(path))
    except UnreadableError as refusal:
        return str(refusal)
    return None
