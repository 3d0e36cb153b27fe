"""What is in trace files, counted."""

import json
import shutil
from pathlib import Path

import pytest

from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.trace import Operation, Source, Span, Trace, Usage
from agents_eval_core.use_cases.trace_stats import counted, trace_stats

SAMPLES = Path(__file__).parents[2] / "data" / "traces"


def span(span_id: str, operation: Operation = "chat", parent: str | None = None, usage: Usage | None = None) -> Span:
    return Span(id=span_id, seq=int(span_id), operation=operation, name="x", parent_id=parent, usage=usage)


def tokens(*spans: Span) -> int | None:
    return counted([Trace(id="t", source=Source(format="native"), spans=spans)])["input_tokens"]


def test_totals_do_not_count_what_the_steps_below_say_themselves() -> None:
    total = Usage(input_tokens=10, scope="subtree")
    own = Usage(input_tokens=4)
    assert tokens(span("0", "invoke_agent", usage=total), span("1", parent="0", usage=own)) == 4


def test_of_totals_within_totals_the_topmost_counts() -> None:
    outer, inner = Usage(input_tokens=10, scope="subtree"), Usage(input_tokens=6, scope="subtree")
    spans = (span("0", "invoke_agent", usage=outer), span("1", "invoke_agent", "0", inner), span("2", parent="1"))
    assert tokens(*spans) == 10


def test_totals_count_beside_what_others_say_themselves() -> None:
    total, own = Usage(input_tokens=10, scope="subtree"), Usage(input_tokens=4)
    spans = (
        span("0", "invoke_agent"),
        span("1", "invoke_agent", "0", total),
        span("2", parent="1"),
        span("3", parent="0", usage=own),
    )
    assert tokens(*spans) == 14


def test_unknown_usage_is_unknown_and_not_zero() -> None:
    figures = counted([Trace(id="t", source=Source(format="native"), spans=(span("0"),))])
    assert (figures["input_tokens"], figures["cost_usd"], figures["requests_without_usage"]) == (None, None, 1)


def test_parents_in_a_circle_end() -> None:
    own = Usage(input_tokens=4)
    assert tokens(span("0", parent="1", usage=own), span("1", parent="0", usage=own)) == 8


def test_folders_are_walked_and_every_file_is_read_or_named_with_the_reason(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "mini_swe_agent", tmp_path / "a")
    (tmp_path / "README.md").write_text("Some runs.", encoding="utf-8")
    (tmp_path / "labels.json").write_text('{"run-1": true}', encoding="utf-8")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0\xff\xfe")
    (tmp_path / "broken.json").write_bytes(b'{"schema":"agents-eval/trace/1","id":')
    rows = {str(row.path.relative_to(tmp_path)): row for row in trace_stats([tmp_path])}
    assert {name: row.reason for name, row in rows.items() if row.format is None} == {
        "README.md": "it is text without any trace",
        "a/labels.json": "it is read as part of greeting_v2.traj.json",
        "empty.jsonl": "it is empty",
        "labels.json": "it is JSON (keys: run-1) in no trace format that is known",
        "picture.png": "it is neither text nor of a trace format that is known",
    }
    assert rows["a/rounding.traj.json"].tool_calls == 4
    assert rows["broken.json"].format == "native"
    assert "cannot be read as native" in str(rows["broken.json"].reason)
    assert len(rows) == 8


def test_sources_that_do_not_exist_and_unknown_formats_are_errors() -> None:
    with pytest.raises(UsageError, match="there is no file or folder nowhere"):
        list(trace_stats([Path("nowhere")]))
    with pytest.raises(UnknownNameError, match="did you mean 'native'"):
        list(trace_stats([SAMPLES], trace_format="nativ"))


def test_every_real_file_is_read_or_named_with_the_reason(real_data: Path) -> None:
    rows = list(trace_stats([real_data / "traces"]))
    files = [path for path in (real_data / "traces").rglob("*") if path.is_file()]
    assert {row.path for row in rows if row.path.is_file()} == set(files)
    assert all(row.reason or row.traces for row in rows)
    assert json.dumps([row.model_dump(mode="json") for row in rows])
