"""Trajectories of mini-SWE-agent: two samples counted by hand, and all real ones counted without the reader."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.mini_swe_agent import MiniSweAgentFormat
from agents_eval_core.trace import Outcome, Trace
from agents_eval_core.use_cases.trace_stats import counted

SAMPLES = Path(__file__).parents[2] / "data" / "traces" / "mini_swe_agent"


def read(path: Path, longest_text: int | None = None) -> Trace:
    [trace] = MiniSweAgentFormat().read(path, longest_text=longest_text)
    return trace


def test_a_version_1_sample_has_what_was_counted_by_hand() -> None:
    found = counted([read(SAMPLES / "rounding.traj.json")])
    assert found["spans"] == {"chat": 5, "execute_tool": 4, "invoke_agent": 1, "message": 3}
    assert found["roles"] == {"environment": 1, "system": 1, "user": 1, "worker": 1}
    assert (found["tool_calls"], found["failed_calls"], found["delegations"]) == (4, 2, 0)
    assert (found["input_tokens"], found["output_tokens"], found["cached_tokens"]) == (1000, 75, 700)
    assert found["cost_usd"] == pytest.approx(0.06)
    assert found["unread"] == {}


def test_a_version_2_sample_has_what_was_counted_by_hand() -> None:
    trace = read(SAMPLES / "greeting_v2.traj.json")
    found = counted([trace])
    assert found["spans"] == {"chat": 2, "execute_tool": 3, "invoke_agent": 1, "message": 2}
    assert (found["tool_calls"], found["failed_calls"]) == (3, 1)
    assert (found["input_tokens"], found["output_tokens"]) == (100, 20)
    calls = [span for span in trace.spans if span.tool]
    assert [(span.tool.call_id, span.seconds) for span in calls if span.tool] == [
        ("c1", 0.5),
        ("c2", 0.75),
        ("c3", None),
    ]
    assert calls[-1].tool is not None
    assert calls[-1].tool.result == "hello\n"


def test_a_refused_reply_is_no_call_and_a_timeout_is_a_failed_one() -> None:
    trace = read(SAMPLES / "rounding.traj.json")
    [refusal] = [span for span in trace.spans if trace.agent_by_id[span.agent_id or ""].role == "environment"]
    assert (refusal.text or "").startswith("Please always provide EXACTLY ONE action")
    failures = [(span.error_type, span.status_source) for span in trace.spans if span.status == "error"]
    assert failures == [("ReturnCode1", "declared"), ("TimeoutError", "inferred")]


def test_the_label_beside_it_is_the_outcome_and_nowhere_else() -> None:
    trace = read(SAMPLES / "rounding.traj.json")
    assert trace.outcome == Outcome(success=True, text="Submitted")
    assert all("labels" not in str(span) for span in trace.spans)


def test_long_texts_are_cut_and_their_lengths_kept() -> None:
    trace = read(SAMPLES / "rounding.traj.json", longest_text=10)
    cut = [span for span in trace.spans if span.attributes.get("cut")]
    assert cut
    assert all(len(span.text or "") <= 10 for span in trace.spans)
    whole = read(SAMPLES / "rounding.traj.json").span_by_id
    assert all(span.attributes["cut"].get("text", 11) == len(whole[span.id].text or "." * 11) for span in cut)


def test_what_is_left_of_a_file_that_was_cut_off_is_read(tmp_path: Path) -> None:
    data = (SAMPLES / "rounding.traj.json").read_bytes()
    path = tmp_path / "half.traj.json"
    path.write_bytes(data[: data.index(b"pytest -q")])
    trace = read(path)
    assert trace.unread["cut off"] == 1
    assert counted([trace])["tool_calls"] == 1


def test_one_damaged_message_costs_only_itself(tmp_path: Path) -> None:
    document = json.loads((SAMPLES / "rounding.traj.json").read_text(encoding="utf-8"))
    document["messages"][4] = "[" * 3 + "]" * 3
    document["messages"].insert(3, {"role": 7})
    path = tmp_path / "odd.traj.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    trace = read(path)
    assert trace.unread == {"damaged message": 2}


def test_half_letters_and_bad_utf8_become_replacement_marks(tmp_path: Path) -> None:
    data = (SAMPLES / "rounding.traj.json").read_bytes()
    path = tmp_path / "bad.traj.json"
    path.write_bytes(data.replace(b"look around.", b"look \\ud83d \xff around."))
    assert "look \ufffd \ufffd around." in str(read(path).spans[3].text)


def test_another_formats_file_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"steps": []}', encoding="utf-8")
    with pytest.raises(UnreadableError, match=r"other\.json"):
        read(path)


def results(messages: list[dict[str, Any]], submission: str) -> tuple[int, int]:
    """Count answers to commands, and those of commands that failed."""
    texts = [message["content"] for message in messages[2:] if message["role"] == "user"]
    answers = [t for t in texts if t.startswith(("<returncode>", "The last command")) or t == submission]
    failed = [t for t in answers if t != submission and not t.startswith("<returncode>0<")]
    return len(answers), len(failed)


def test_every_real_trajectory_has_its_calls_failures_tokens_and_cost(real_data: Path) -> None:
    folder = real_data / "traces" / "mini-swe-agent"
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    paths = sorted(folder.glob("*.traj.json"))
    assert len(paths) == 40
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        usages = [m["extra"]["response"]["usage"] for m in document["messages"] if m["role"] == "assistant"]
        trace = read(path)
        found = counted([trace])
        assert (found["tool_calls"], found["failed_calls"]) == results(
            document["messages"], document["info"]["submission"]
        )
        assert found["spans"]["chat"] == len(usages)
        assert found["input_tokens"] == sum(usage["prompt_tokens"] for usage in usages)
        assert found["output_tokens"] == sum(usage["completion_tokens"] for usage in usages)
        assert found["cost_usd"] == pytest.approx(document["info"]["model_stats"]["instance_cost"])
        assert trace.outcome is not None
        assert trace.outcome.success is labels[document["instance_id"]]
        assert found["unread"] == {}
