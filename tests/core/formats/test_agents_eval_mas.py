"""Traces of the public Agents-eval: a sample counted by hand, and all real ones counted without the reader."""

import json
from pathlib import Path

import pytest

from agents_eval_core.formats.agents_eval_mas import AgentsEvalMasFormat
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.trace_stats import counted

SAMPLE = Path(__file__).parents[2] / "data" / "traces" / "agents_eval_mas" / "trace.json"


def read(path: Path) -> Trace:
    [trace] = AgentsEvalMasFormat().read(path)
    return trace


def test_the_sample_has_what_was_counted_by_hand() -> None:
    trace = read(SAMPLE)
    found = counted([trace])
    assert found["spans"] == {"execute_tool": 5, "invoke_agent": 2, "invoke_workflow": 1}
    assert found["roles"] == {"orchestrator": 1, "worker": 2}
    assert (found["tool_calls"], found["failed_calls"], found["delegations"]) == (5, 1, 2)
    assert (found["input_tokens"], found["output_tokens"], found["cost_usd"]) == (None, None, None)
    assert (found["unread"], trace.task_id, trace.clock) == ({}, "77.1", "monotonic")


def test_a_delegation_stands_before_what_the_delegate_did_though_the_file_has_it_after() -> None:
    trace = read(SAMPLE)
    names = [span.tool.name for span in trace.spans if span.tool]
    assert names == [
        "delegate_research",
        "get_peerread_paper",
        "get_paper_content",
        "delegate_analysis",
        "save_structured_review",
    ]
    [research, invoked, first, *_] = trace.spans[1:]
    assert (invoked.parent_id, first.parent_id, research.to_agent_id) == (research.id, invoked.id, "researcher")
    assert research.seconds == 4.0


def test_old_scores_are_annotations_and_in_no_span() -> None:
    trace = read(SAMPLE)
    assert {note.name: note.value for note in trace.annotations}["composite_score"] == 0.42
    assert all("0.42" not in str(span) for span in trace.spans)


def test_a_delegation_of_which_the_call_is_missing_is_a_handoff(tmp_path: Path) -> None:
    document = json.loads(SAMPLE.read_text(encoding="utf-8"))
    document["tool_calls"] = document["tool_calls"][:2]
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    trace = read(path)
    assert [span.to_agent_id for span in trace.spans if span.operation == "handoff"] == ["researcher", "analyst"]


def test_the_folder_of_a_run_is_read_as_its_trace() -> None:
    reader = AgentsEvalMasFormat()
    assert reader.recognises(SAMPLE.parent, b"")
    assert [trace.id for trace in reader.read(SAMPLE.parent)] == ["exec_0001"]
    assert [path.name for path in reader.parts(SAMPLE)] == ["evaluation.json"]


def test_every_real_trace_has_its_calls_failures_and_delegations_once(real_data: Path) -> None:
    paths = sorted((real_data / "traces" / "agents-eval-mas").glob("*/trace.json"))
    assert len(paths) == 26
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        calls, interactions = document["tool_calls"], document["agent_interactions"]
        trace = read(path)
        found = counted([trace])
        assert found["tool_calls"] == len(calls)
        assert found["failed_calls"] == sum(not call["success"] for call in calls)
        assert found["delegations"] == len(interactions)
        named = {call["agent_id"] for call in calls} | {name for i in interactions for name in (i["from"], i["to"])}
        assert {agent.id for agent in trace.agents} == named
        assert found["unread"] == {}
        ended = max(span.ended_at for span in trace.spans if span.ended_at)
        assert ended.timestamp() == pytest.approx(document["end_time"], abs=1e-5)
