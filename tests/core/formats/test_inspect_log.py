"""Logs of Inspect: samples counted by hand, all real ones counted without the reader, and hostile archives."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.inspect_log import InspectLogFormat
from agents_eval_core.trace import Outcome, Trace
from agents_eval_core.use_cases.trace_stats import counted

SAMPLES = Path(__file__).parents[2] / "data" / "traces" / "inspect_log"
HEADER = {"version": 2, "status": "success", "eval": {"run_id": "r", "task": "t"}}


def read(path: Path) -> list[Trace]:
    return list(InspectLogFormat().read(path))


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


@pytest.mark.parametrize("name", ["sums.json", "sums.eval"])
def test_a_sample_with_events_has_what_was_counted_by_hand(name: str) -> None:
    trace = read(SAMPLES / name)[0]
    found = counted([trace])
    operations = {"chat": 4, "execute_tool": 2, "invoke_agent": 1, "invoke_workflow": 1, "message": 2, "other": 4}
    assert found["spans"] == operations
    assert found["roles"] == {"orchestrator": 1, "system": 2, "user": 1, "worker": 1}
    assert (found["tool_calls"], found["failed_calls"], found["delegations"]) == (2, 1, 1)
    assert (found["input_tokens"], found["output_tokens"], found["cached_tokens"]) == (410, 34, 50)
    assert found["unread"] == {"event weather": 1}


def test_a_sample_without_events_has_what_was_counted_by_hand() -> None:
    trace = read(SAMPLES / "sums.json")[1]
    found = counted([trace])
    assert found["spans"] == {"chat": 2, "execute_tool": 2, "invoke_workflow": 1, "message": 1}
    assert (found["tool_calls"], found["failed_calls"]) == (2, 1)
    assert (found["input_tokens"], found["output_tokens"]) == (70, 7)
    assert trace.outcome == Outcome(success=False, text="I")


def test_an_agent_that_runs_within_a_call_is_its_delegate() -> None:
    trace = read(SAMPLES / "sums.json")[0]
    [call] = [span for span in trace.spans if span.is_delegation]
    assert (call.agent_id, call.to_agent_id, call.tool and call.tool.name) == ("solver", "adder", "transfer_to_adder")
    assert [(span.operation, span.agent_id) for span in trace.children[call.id]] == [("invoke_agent", "adder")]


def test_scores_and_target_are_outcome_and_annotations_and_in_no_span() -> None:
    trace = read(SAMPLES / "sums.json")[0]
    assert trace.outcome == Outcome(success=True, text="C")
    assert [(note.name, note.by) for note in trace.annotations] == [
        ("score", "exact"),
        ("score", "grader"),
        ("target", None),
        ("metadata", None),
    ]
    assert "target is 4" not in str(trace.spans)
    assert "GRADE" not in str(trace.spans)


def test_samples_of_one_input_share_their_task() -> None:
    assert [(trace.id, trace.task_id) for trace in read(SAMPLES / "sums.eval")] == [
        ("sum_epoch_1", "sums/sum"),
        ("sum_epoch_2", "sums/sum"),
    ]


def test_a_log_without_its_header_is_read_by_its_journal(tmp_path: Path) -> None:
    start = json.dumps({"version": 2, "eval": {"task": "begun"}}).encode()
    path = archive(tmp_path / "log.eval", {"_journal/start.json": start, "samples/1_epoch_1.json": b'{"id": 1}'})
    assert [trace.task_id for trace in read(path)] == ["begun/1"]


def test_a_damaged_sample_is_an_empty_trace_that_names_it(tmp_path: Path) -> None:
    members = {"header.json": json.dumps(HEADER).encode(), "samples/a.json": b'{"id": 1}', "samples/b.json": b"{"}
    good, bad = read(archive(tmp_path / "log.eval", members))
    assert (good.unread, bad.id, bad.unread) == ({}, "samples/b.json", {"damaged sample samples/b.json": 1})


def test_a_member_that_declares_more_than_a_log_can_be_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.eval", {"header.json": b"{}", "samples/a.json": bytes(300 * 2**20)})
    assert path.stat().st_size < 2**20
    with pytest.raises(UnreadableError, match=r"samples/a\.json unpacks to 314572800 bytes"):
        read(path)


def test_a_member_that_unpacks_to_many_times_its_size_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.eval", {"header.json": b"{}", "samples/a.json": bytes(32 * 2**20)})
    with pytest.raises(UnreadableError, match="times its packed size"):
        read(path)


def test_a_member_that_unpacks_to_more_than_it_declares_is_no_danger(tmp_path: Path) -> None:
    member = b'{"id": 1, "input": "' + b"a" * 100_000 + b'"}'
    path = archive(tmp_path / "liar.eval", {"header.json": json.dumps(HEADER).encode(), "samples/a.json": member})
    data = path.read_bytes()
    size = len(member).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, (64).to_bytes(4, "little")))
    with pytest.raises(UnreadableError, match=r"samples/a\.json"):
        read(path)


def test_members_that_overlap_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.eval", {"header.json": b"{}", "samples/a.json": b'{"id": 1, "input": "abcdefgh"}'})
    data = path.read_bytes()
    start = data.index(b"PK\x01\x02")
    directory, end = data[start : data.index(b"PK\x05\x06")], data[data.index(b"PK\x05\x06") :]
    entry = directory[directory.rindex(b"PK\x01\x02") :]
    copies = b"".join(entry.replace(b"samples/a.json", f"samples/{number}.json".encode()) for number in range(9))
    count, size = (2 + 9).to_bytes(2, "little"), len(directory + copies).to_bytes(4, "little")
    path.write_bytes(data[:start] + directory + copies + end[:8] + count + count + size + end[16:])
    with pytest.raises(UnreadableError, match="overlap"):
        read(path)


@pytest.mark.parametrize("cut", [10, 100, 1000, 2000])
def test_an_archive_that_was_cut_off_is_one_sentence(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "half.eval"
    path.write_bytes((SAMPLES / "sums.eval").read_bytes()[:cut])
    with pytest.raises(UnreadableError, match=r"half\.eval"):
        read(path)


def test_spans_without_beginning_and_doubled_ones_are_counted(tmp_path: Path) -> None:
    events: list[Any] = [
        {"event": "span_end", "id": "x"},
        {"event": "span_begin", "id": "y", "name": "y", "parent_id": "y"},
        {"event": "span_begin", "id": "y"},
        "odd",
        {"event": "model", "span_id": "nowhere", "output": {}},
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**HEADER, "samples": [{"id": 1, "events": events}]}), encoding="utf-8")
    [trace] = read(path)
    assert trace.unread == {"end of an unknown span": 1, "repeated span": 1, "damaged event": 1}
    assert [span.operation for span in trace.spans] == ["invoke_workflow", "other", "chat"]


def samples_of(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".eval":
        with zipfile.ZipFile(path) as file:
            yield from (json.loads(file.read(name)) for name in file.namelist() if name.startswith("samples/"))
    else:
        yield from json.loads(path.read_bytes())["samples"]


def calls_in(sample: dict[str, Any]) -> tuple[int, int]:
    """Count calls and failed calls by the events, or by the tools' answers where there are none."""
    if sample.get("events"):
        calls = [event for event in sample["events"] if event["event"] == "tool"]
    else:
        calls = [message for message in sample["messages"] if message["role"] == "tool"]
    return len(calls), sum(bool(call.get("error")) for call in calls)


def test_every_real_sample_has_its_calls_failures_tokens_and_score(real_data: Path) -> None:
    paths = [path for path in (real_data / "traces" / "inspect-eval").iterdir() if path.suffix in (".eval", ".json")]
    assert len(paths) == 5
    outcomes: list[bool | None] = []
    for path in paths:
        traces = read(path)
        samples = list(samples_of(path))
        assert len(traces) == len(samples)
        for trace, sample in zip(traces, samples, strict=True):
            found = counted([trace])
            assert (found["tool_calls"], found["failed_calls"]) == calls_in(sample)
            used: dict[str, dict[str, int]] = sample.get("model_usage") or {}
            usages = list(used.values())
            assert (found["input_tokens"] or 0) == sum(usage["input_tokens"] for usage in usages)
            assert (found["output_tokens"] or 0) == sum(usage["output_tokens"] for usage in usages)
            assert found["unread"] == {}
            outcomes.append(trace.outcome.success if trace.outcome else None)
    assert (outcomes.count(True), outcomes.count(False)) == (78, 42)
