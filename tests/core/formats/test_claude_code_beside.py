"""Spans and events of one run of Claude Code, side by side in a folder, are one trace."""

import json
from pathlib import Path
from typing import Any

from agents_eval_core.trace_source import read_trace
from agents_eval_core.use_cases.trace_files import readable_files, trace_files

KINDS = {str: "stringValue", int: "intValue", float: "doubleValue"}


def pairs(**values: str | float) -> list[dict[str, Any]]:
    return [{"key": name.replace("__", "."), "value": {KINDS[type(value)]: value}} for name, value in values.items()]


def write_spans(path: Path, session: str = "s") -> Path:
    kinds = (("llm_request", {"request_id": "r1", "input_tokens": 7}), ("tool", {"tool_use_id": "t1"}))
    spans = [
        {
            "traceId": "1" * 32,
            "spanId": f"{place}" * 16,
            "name": f"claude_code.{kind}",
            "attributes": pairs(span__type=kind, session__id=session, **about),
        }
        for place, (kind, about) in enumerate(kinds, 1)
    ]
    scope = {"scope": {"name": "com.anthropic.claude_code.tracing"}, "spans": spans}
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [scope]}]}), encoding="utf-8")
    return path


def write_events(path: Path, *sessions: str) -> Path:
    told = (
        ("api_request", {"request_id": "r1", "input_tokens": 7, "cost_usd": 0.25}),
        ("assistant_response", {"request_id": "r1", "response": "I will read it."}),
        ("tool_result", {"tool_use_id": "t1", "tool_name": "Read", "tool_input": '{"path": "a"}', "success": "true"}),
    )
    records = [
        {"body": {"stringValue": f"claude_code.{name}"}, "attributes": pairs(session__id=session, **about)}
        for session in sessions
        for name, about in told
    ]
    path.write_text(json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}), encoding="utf-8")
    return path


def test_events_complete_the_spans_of_their_session(tmp_path: Path) -> None:
    spans = write_spans(tmp_path / "a.jsonl")
    alone = read_trace(spans)
    assert [(span.text, span.usage and span.usage.cost_usd) for span in alone.spans] == [(None, None)] * 2
    events = write_events(tmp_path / "b.jsonl", "s")
    chat, call = read_trace(spans).spans
    assert chat.usage is not None
    assert (chat.text, chat.usage.input_tokens, chat.usage.cost_usd) == ("I will read it.", 7, 0.25)
    assert call.tool is not None
    assert call.tool.arguments == {"path": "a"}
    assert [path for path, _ in readable_files(tmp_path, None, [])] == [spans]
    assert [one.part_of for one in trace_files([tmp_path])] == [None, spans]
    assert len(read_trace(events).spans) == 2


def test_events_of_another_session_stay_a_trace_of_their_own(tmp_path: Path) -> None:
    spans = write_spans(tmp_path / "a.jsonl")
    for sessions in (("other",), ("s", "other")):
        events = write_events(tmp_path / "b.jsonl", *sessions)
        assert [path for path, _ in readable_files(tmp_path, None, [])] == [spans, events]
    assert read_trace(spans).spans[0].text is None


def test_real_runs_are_counted_once(real_data: Path) -> None:
    folder = real_data / "traces" / "otel-claude-code"
    found = [path for path, _ in readable_files(folder, None, []) if path.name != "metrics.jsonl"]
    assert sorted(path.parent.name for path in found) == sorted(path.name for path in folder.iterdir() if path.is_dir())
    asked = [span for path in found for span in read_trace(path).spans if span.operation == "chat"]
    assert all(span.usage is not None and span.usage.cost_usd for span in asked if span.status == "ok")
