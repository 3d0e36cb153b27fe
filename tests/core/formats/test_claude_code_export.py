from pathlib import Path

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.claude_code_export import ClaudeCodeExportFormat
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import recognised

SAMPLES = Path(__file__).parents[2] / "data" / "traces" / "claude_code_export"


def read(source: Path) -> Trace:
    [trace] = ClaudeCodeExportFormat().read(source)
    return trace


def test_an_exported_session_has_what_was_counted_by_hand() -> None:
    """1 agent, 3 tool calls: one that went well, one failed, one of which nothing is known."""
    trace = read(SAMPLES / "session")
    assert recognised(SAMPLES / "session").name == "claude_code_export"
    assert [(span.status, span.error_type) for span in trace.spans[1:]] == [
        ("ok", None),
        ("error", "NonZeroExit"),
        ("unknown", None),
    ]
    assert (trace.id, trace.elapsed_seconds, [agent.id for agent in trace.agents]) == ("solo-1", 60.0, ["main"])
    assert trace.spans[0].attributes["paper"] == "p1"
    assert trace.spans[3].started_at is None


def test_equal_times_of_beginning_and_end_are_a_placeholder(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text('{"session_id": "s", "start_time": 1770000000.0, "end_time": 1770000000.0}')
    (tmp_path / "tool_calls.jsonl").write_text("")
    assert read(tmp_path).elapsed_seconds is None


def test_a_team_has_what_was_counted_by_hand() -> None:
    """3 members, 2 hand-offs, 2 messages, 1 task that nobody took; the assigning message is not counted again."""
    trace = read(SAMPLES / "team")
    assert recognised(SAMPLES / "team").name == "claude_code_export"
    assert [
        (span.operation, trace.agent_name(span.agent_id), trace.agent_name(span.to_agent_id)) for span in trace.spans
    ] == [
        ("invoke_workflow", "?", "?"),
        ("handoff", "team-lead", "reader"),
        ("message", "checker", "reader"),
        ("message", "reader", "team-lead"),
        ("handoff", "team-lead", "checker"),
        ("plan", "team-lead", "?"),
    ]
    assert [agent.role for agent in trace.agents] == ["orchestrator", "worker", "worker"]
    assert [span.status for span in trace.spans if span.operation == "handoff"] == ["ok", "unknown"]


def test_tasks_that_lie_where_claude_code_keeps_them_are_found(tmp_path: Path) -> None:
    team, tasks = tmp_path / "teams" / "t", tmp_path / "tasks" / "t"
    team.mkdir(parents=True)
    tasks.mkdir(parents=True)
    (team / "config.json").write_text('{"name": "t", "members": [{"agentId": "a@t", "name": "a"}]}')
    (tasks / "7.json").write_text('{"id": "7", "subject": "Sort", "owner": "a", "status": "completed"}')
    [_, task] = read(team).spans
    assert (task.operation, task.to_agent_id, task.text) == ("handoff", "a@t", "Sort")


def test_a_damaged_task_or_message_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"team_name": "t", "members": ["a", "b"]}')
    for name in ("inboxes", "tasks"):
        (tmp_path / name).mkdir()
    (tmp_path / "inboxes" / "a.json").write_text('[{"from": "b", "text": "Hi"}, 3]')
    (tmp_path / "tasks" / "1.json").write_text('{"id": "1", "subj')
    trace = read(tmp_path)
    assert [span.text for span in trace.spans[1:]] == ["Hi"]
    assert trace.unread == {"damaged tasks file": 1, "inboxes file of another kind": 1}


@pytest.mark.parametrize("config", ["{", "[]", "\udcff"])
def test_a_team_whose_members_cannot_be_read_is_refused(tmp_path: Path, config: str) -> None:
    (tmp_path / "config.json").write_bytes(config.encode("utf-8", "surrogateescape"))
    with pytest.raises(UnreadableError, match=r"config\.json"):
        list(ClaudeCodeExportFormat().read(tmp_path))


def test_a_folder_with_some_other_configuration_is_not_claimed(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"name": "web", "port": 80}')
    assert not ClaudeCodeExportFormat().recognises(tmp_path, b"")
