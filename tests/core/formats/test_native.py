"""Our own format: what is written reads back equal."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.native import NativeFormat, export_native
from agents_eval_core.trace import Agent, Annotation, Outcome, Source, Span, ToolUse, Trace, Usage
from agents_eval_core.use_cases.trace_stats import counted

SAMPLE = Path(__file__).parents[2] / "data" / "traces" / "native" / "team.jsonl"

texts = st.text(st.characters(codec="utf-8"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
times = st.none() | st.datetimes(timezones=st.just(UTC))
counts = st.none() | st.integers(0, 2**40)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    size = draw(st.integers(0, 4))
    spans = tuple(
        Span(
            id=f"{seq}",
            seq=seq,
            operation=draw(st.sampled_from(["chat", "execute_tool", "message", "other"])),
            name=draw(texts),
            parent_id=draw(st.none() | texts),
            agent_id=draw(st.none() | st.just("a")),
            started_at=draw(times),
            ended_at=draw(times),
            status=draw(st.sampled_from(["ok", "error", "unknown"])),
            tool=draw(st.none() | st.builds(ToolUse, name=texts, arguments=values, result=st.none() | texts)),
            usage=draw(st.none() | st.builds(Usage, input_tokens=counts, output_tokens=counts)),
            text=draw(st.none() | texts),
            source_span_ids=draw(st.tuples(texts)),
            attributes=draw(st.dictionaries(texts, values, max_size=2)),
        )
        for seq in range(size)
    )
    return Trace(
        id=draw(texts),
        source=draw(st.builds(Source, format=texts, path=st.none() | texts)),
        spans=spans,
        agents=(Agent(id="a", name=draw(texts)),),
        outcome=draw(st.none() | st.builds(Outcome, success=st.none() | st.booleans(), text=st.none() | texts)),
        annotations=draw(st.tuples(st.builds(Annotation, name=texts, value=values))),
        unread=draw(st.dictionaries(texts, st.integers(1, 9), max_size=2)),
    )


def read(path: Path, longest_text: int | None = None) -> list[Trace]:
    return list(NativeFormat().read(path, longest_text=longest_text))


@given(st.lists(traces(), min_size=1, max_size=3))
def test_any_traces_read_back_equal(tmp_path_factory: pytest.TempPathFactory, written: list[Trace]) -> None:
    path = tmp_path_factory.mktemp("native") / "traces.jsonl"
    path.write_bytes(b"".join(map(export_native, written)))
    assert read(path) == written


def test_the_sample_has_what_was_counted_by_hand() -> None:
    found = counted(read(SAMPLE))
    assert found["traces"] == 2
    assert found["spans"] == {"chat": 2, "execute_tool": 1, "invoke_agent": 1}
    assert found["roles"] == {"orchestrator": 1, "worker": 1}
    assert (found["tool_calls"], found["failed_calls"], found["delegations"]) == (1, 1, 1)
    assert (found["input_tokens"], found["output_tokens"], found["cost_usd"]) == (37, 4, 0.001)
    assert found["unread"] == {"event x": 2}


def test_a_trace_written_over_several_lines_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    first = SAMPLE.read_bytes().splitlines()[0]
    path.write_text(json.dumps(json.loads(first), indent=2), encoding="utf-8")
    assert read(path) == read(SAMPLE)[:1]
    assert NativeFormat().recognises(path, path.read_bytes())


def test_a_line_that_was_cut_off_is_counted_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    path.write_bytes(SAMPLE.read_bytes() + SAMPLE.read_bytes()[:200])
    assert [trace.unread.get("damaged line") for trace in read(path)] == [None, 1]


def changed(folder: Path, **changes: Any) -> Path:
    path = folder / "changed.jsonl"
    document = json.loads(SAMPLE.read_bytes().splitlines()[0]) | changes
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    return path


def test_a_field_that_we_do_not_know_and_another_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"line 1: .*colour"):
        read(changed(tmp_path, colour="blue"))
    with pytest.raises(UnreadableError, match="line 1: "):
        read(changed(tmp_path, schema="agents-eval/trace/2"))


def test_doubled_spans_and_times_without_zone_are_mended_and_counted(tmp_path: Path) -> None:
    span = {"id": "x", "seq": 7, "operation": "chat", "name": "chat", "started_at": "2026-01-01T00:00:00"}
    [trace] = read(changed(tmp_path, spans=[span, span], unread={}))
    assert [(one.seq, one.started_at) for one in trace.spans] == [(0, datetime(2026, 1, 1, tzinfo=UTC))]
    assert trace.unread == {"repeated span": 1, "time without zone": 1}


def test_what_no_trace_can_say_is_mended_and_counted(tmp_path: Path) -> None:
    call = {
        "id": "x",
        "seq": 0,
        "operation": "execute_tool",
        "name": "read",
        "agent_id": "a",
        "usage": {"cost_usd": -1},
    }
    agent = {"id": "b", "name": "first"}
    [trace] = read(changed(tmp_path, spans=[call], agents=[agent, {**agent, "name": "second"}], unread={"x": 0}))
    assert [(one.id, one.name) for one in trace.agents] == [("b", "first"), ("a", "a")]
    assert trace.spans[0].usage == Usage()
    assert trace.unread == {
        "negative usage": 1,
        "repeated agent": 1,
        "agent that is not listed": 1,
    }


def test_values_that_json_has_no_form_for_are_written_all_the_same(tmp_path: Path) -> None:
    odd = {"nan": float("nan"), "set": {1}, "half": "\ud83d", "path": Path("a")}
    trace = Trace(id="t", source=Source(format="otlp"), spans=(
        Span(id="a", seq=0, operation="other", name="a", attributes=odd),))  # fmt: skip
    path = tmp_path / "odd.jsonl"
    path.write_bytes(export_native(trace))
    assert read(path)[0].spans[0].attributes == {"nan": None, "set": [1], "half": "?", "path": "a"}


def test_long_texts_are_cut(tmp_path: Path) -> None:
    trace = read(changed(tmp_path, task_id="x"), longest_text=3)[0]
    assert (trace.spans[1].text, trace.spans[1].attributes["cut"]) == ("Grü", {"text": 7})
