"""ATIF trajectories: a sample with sub-agents counted by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.atif import AtifFormat
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.trace_stats import counted

SAMPLE = Path(__file__).parents[2] / "data" / "traces" / "atif" / "trajectory.json"


def read(path: Path) -> Trace:
    [trace] = AtifFormat().read(path)
    return trace


def written(folder: Path, **changes: Any) -> Path:
    document = json.loads(SAMPLE.read_text(encoding="utf-8")) | changes
    path = folder / "trajectory.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_the_sample_has_what_was_counted_by_hand() -> None:
    found = counted([read(SAMPLE)])
    assert found["spans"] == {"chat": 4, "execute_tool": 5, "invoke_agent": 3, "message": 4}
    assert found["roles"] == {"orchestrator": 1, "system": 2, "user": 1, "worker": 1}
    assert (found["tool_calls"], found["failed_calls"], found["delegations"]) == (5, 1, 1)
    assert (found["input_tokens"], found["output_tokens"], found["cached_tokens"]) == (1350, 94, 200)
    assert found["cost_usd"] == pytest.approx(0.006)
    assert found["unread"] == {}


def test_a_delegation_is_one_call_with_the_sub_agent_beneath() -> None:
    trace = read(SAMPLE)
    [call] = [span for span in trace.spans if span.is_delegation]
    [below] = trace.children[call.id]
    assert (call.agent_id, call.to_agent_id, below.operation, below.agent_id) == (
        "planner",
        "checker",
        "invoke_agent",
        "checker",
    )


def test_steps_copied_from_an_earlier_trajectory_are_left_to_it() -> None:
    trace = read(SAMPLE)
    assert trace.spans[0].attributes["copied_steps"] == 1
    assert all(span.text != "An older answer." for span in trace.spans)


def test_a_step_without_a_model_call_is_no_chat() -> None:
    [saved] = [span for span in read(SAMPLE).spans if span.tool and span.tool.name == "save"]
    assert (saved.status, saved.status_source) == ("ok", "declared")


def test_a_call_without_an_answer_has_an_unknown_status() -> None:
    [fetched] = [span for span in read(SAMPLE).spans if span.tool and span.tool.name == "fetch"]
    assert (fetched.status, fetched.tool and fetched.tool.result) == ("unknown", None)


def test_totals_are_usage_only_where_no_step_has_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, steps=[{"step_id": 1, "source": "agent", "message": "a"}], subagent_trajectories=[])
    found = counted([read(path)])
    assert (found["input_tokens"], found["output_tokens"]) == (1260, 85)


def test_a_sub_agent_in_another_file_is_an_agent_and_is_counted_as_unread(tmp_path: Path) -> None:
    trace = read(written(tmp_path, subagent_trajectories=[]))
    assert trace.unread == {"sub-agent trajectory in another file": 2}
    assert [span.to_agent_id for span in trace.spans if span.is_delegation] == ["sub-1"]


def test_embedded_agents_of_one_name_stay_apart(tmp_path: Path) -> None:
    nested = [
        {"trajectory_id": name, "agent": {"name": "checker"}, "steps": [{"source": "agent", "message": "x"}]}
        for name in ("sub-1", "sub-2")
    ]
    trace = read(written(tmp_path, subagent_trajectories=nested))
    assert [agent.id for agent in trace.agents if agent.name == "checker"] == ["checker", "checker#2"]


def test_endless_nesting_of_sub_agents_ends(tmp_path: Path) -> None:
    inner: dict[str, Any] = {"trajectory_id": "x", "agent": {"name": "a"}, "steps": []}
    for _ in range(60):
        inner = {"trajectory_id": "x", "agent": {"name": "a"}, "steps": [], "subagent_trajectories": [inner]}
    trace = read(written(tmp_path, subagent_trajectories=[inner]))
    assert trace.unread["sub-agent trajectory nested too deeply"] == 1


@pytest.mark.parametrize("content", ["", "[]", '{"steps": []}', '{"schema_version": "1"}', "ATIF-v1.7"])
def test_what_is_no_trajectory_is_one_sentence(content: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableError, match=r"odd\.json"):
        read(path)
