"""Trajectories of SWE-agent: two samples counted by hand."""

import json
from pathlib import Path

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.swe_agent import SweAgentFormat
from agents_eval_core.trace import Outcome, Trace
from agents_eval_core.use_cases.trace_stats import counted

SAMPLES = Path(__file__).parents[2] / "data" / "traces" / "swe_agent"


def read(path: Path) -> Trace:
    [trace] = SweAgentFormat().read(path)
    return trace


def test_a_sample_has_what_was_counted_by_hand() -> None:
    trace = read(SAMPLES / "division.traj")
    found = counted([trace])
    assert found["spans"] == {"chat": 6, "execute_tool": 5, "invoke_agent": 1, "message": 2, "other": 1}
    assert found["roles"] == {"system": 1, "user": 1, "worker": 1}
    assert (found["tool_calls"], found["failed_calls"], found["delegations"]) == (5, 2, 0)
    assert (found["input_tokens"], found["output_tokens"], found["cost_usd"]) == (9000, 700, 1.25)
    assert found["unread"] == {}
    assert trace.clock == "none"
    assert trace.outcome == Outcome(text="exit_cost")


def test_the_tool_is_the_first_word_of_the_command_and_failures_are_inferred_from_the_answer() -> None:
    calls = [span for span in read(SAMPLES / "division.traj").spans if span.tool]
    assert [span.tool.name for span in calls if span.tool] == ["ls", "open", "edit", "foo", "python"]
    assert [span.error_type for span in calls] == [None, None, "RefusedError", "CommandNotFound", None]
    assert all(span.status_source == "inferred" for span in calls)
    assert calls[4].attributes["execution_time"] == 3.5


def test_attempts_are_counted_once_though_the_best_is_written_twice() -> None:
    found = counted([read(SAMPLES / "retried.traj")])
    assert found["spans"] == {"chat": 3, "execute_tool": 3, "invoke_agent": 2, "message": 2}
    assert (found["input_tokens"], found["output_tokens"], found["cost_usd"]) == (3000, 300, 1.25)


def test_a_demonstration_is_not_taken_for_what_the_agent_did() -> None:
    trace = read(SAMPLES / "division.traj")
    assert all("worked example" not in (span.text or "") for span in trace.spans)
    assert trace.spans[0].attributes["demonstration"] is True


def test_a_file_that_was_cut_off_is_read_to_its_last_whole_step(tmp_path: Path) -> None:
    data = (SAMPLES / "division.traj").read_bytes()
    path = tmp_path / "half.traj"
    path.write_bytes(data[: data.index(b"foo --bar")])
    trace = read(path)
    assert counted([trace])["tool_calls"] == 3
    assert trace.unread["cut off"] == 1


def test_older_steps_without_the_later_fields_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.traj"
    step = {"action": "submit\n", "observation": None, "response": "r", "state": '{"open_file": "n/a"}', "thought": "t"}
    path.write_text(json.dumps({"environment": "swe_main", "trajectory": [step], "history": []}), encoding="utf-8")
    [_, chat, call] = read(path).spans
    assert (chat.text, call.status, call.attributes["state"]) == ("r", "unknown", '{"open_file": "n/a"}')


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"history": []}', "not json", '{"trajectory": 7'])
def test_what_is_no_trajectory_is_one_sentence(content: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.traj"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableError, match=r"odd\.traj"):
        read(path)
