"""The real Claude Code against our server, and as the engine of a review; its model follows a script."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pytest

REVIEW = {
    "summary": "The paper proposes prototypical networks for learning from few examples, and its tests are convincing.",
    "strengths": [{"text": "The method is simpler than matching networks and does well.", "anchor": "Abstract"}],
    "weaknesses": [
        {"text": "It does not say how sensitive the prototypes are to noisy labels, which matters with few examples."},
        {"text": "The comparison with fine tuned matching networks is missing, so the gain cannot be judged."},
    ],
    "suggestions": [{"text": "Please report the variance over episodes on mini-ImageNet."}],
    "rating": 7,
    "confidence": 3,
    "recommendation": "weak_accept",
}
AGENTS = ("researcher", "analyst", "synthesizer")


class ClaudeCode(Protocol):
    def ask(
        self,
        server: Sequence[str],
        steps: Sequence[Mapping[str, Any]],
        *,
        server_environment: Mapping[str, str] | None = None,
    ) -> list[dict[str, Any]]: ...

    def scripted(
        self, conversations: Mapping[str, Sequence[Mapping[str, Any]]]
    ) -> AbstractContextManager[dict[str, str]]: ...


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": f"mcp__agents-eval__{name}", "input": arguments}]}


def agents_eval(environment: Mapping[str, str], *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "agents_eval_cli", *arguments, "--json"]
    done = subprocess.run(
        command,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_calls_the_three_verbs_and_is_shown_what_they_say(
    claude_code: ClaudeCode, stdio_server: Sequence[str], real_data: Path, clean_place: Path
) -> None:
    stream = real_data / "traces" / "claude_code_current" / "v2.1.328" / "subagents" / "stream.jsonl"
    (clean_place / "session.jsonl").write_bytes(stream.read_bytes())
    steps = [
        call("run_review", paper="sparse-gates", composition="manager"),
        call("run_review", paper="sparse-gates"),
        call("evaluate_trace", source="session.jsonl"),
        call("get_trace_steps", source="session.jsonl"),
        call("compare_runs", baseline="composition=manager", candidate="composition=full"),
        {"text": "done"},
    ]
    first, second, evaluated, looked, compared = claude_code.ask(stdio_server, steps)
    for reply in (first, second, evaluated, looked, compared):
        assert not reply["is_error"], reply["text"]
        assert reply["value"]["summary"]
        assert reply["value"]["next_step"]
        assert len(reply["text"]) / 4 <= 2000
    assert first["value"]["status"] == "complete"
    assert evaluated["value"]["verdict"] is None
    assert any("gives work" in step["what"] for step in looked["value"]["steps"])


def test_a_long_review_is_watched_and_cancelled(
    claude_code: ClaudeCode, stdio_server: Sequence[str], silent_provider: Mapping[str, str]
) -> None:
    steps = [
        call("run_review", paper="sparse-gates", provider="openai-compatible", model="m", wait_s=1),
        call("get_review", review_id="{{review_id}}", wait_s=1),
        call("cancel_review", review_id="{{review_id}}"),
        call("get_review", review_id="not-mine"),
        call("list_runs"),
        {"text": "done"},
    ]
    replies = claude_code.ask(stdio_server, steps, server_environment=silent_provider)
    assert all("value" in reply for reply in (*replies[:3], replies[4])), replies
    begun, watched, ended, unknown, runs = replies
    assert begun["value"]["status"] == "working", begun["text"]
    assert watched["value"]["review_id"] == begun["value"]["review_id"]
    assert "under way" in watched["value"]["summary"]
    assert ended["value"]["status"] == "cancelled", ended["text"]
    assert unknown["is_error"]
    assert [run["status"] for run in runs["value"]["runs"]] == ["interrupted"]


def test_it_plays_the_judge_that_is_asked_by_packet(claude_code: ClaudeCode, stdio_server: Sequence[str]) -> None:
    claude_code.ask(stdio_server, [call("run_review", paper="sparse-gates", composition="manager"), {"text": "done"}])
    listed, asked = claude_code.ask(
        stdio_server, [call("list_runs"), call("evaluate_trace", source="2", judge="caller"), {"text": "done"}]
    )
    assert not asked["is_error"], asked["text"]
    run_id = listed["value"]["runs"][0]["id"]
    question = asked["value"]["judging"]["questions"][0]
    handed, *_ = claude_code.ask(
        stdio_server,
        [
            call("submit_judgement", source=run_id, verdict={question["key"]: {"answers": []}}, declared="scripted"),
            {"text": "done"},
        ],
    )
    assert not handed["is_error"], handed["text"]
    assert any(score["tier"] == 2 for score in handed["value"]["scores"])


@pytest.mark.parametrize("engine", ["cc-solo", "cc-teams"])
def test_it_is_the_engine_of_a_review_complete_but_for_the_judge(
    claude_code: ClaudeCode, engine: str, peerread: Path
) -> None:
    read = {"tool_calls": [{"name": "Read", "input": {"file_path": "paper.md"}}]}
    answer = {"text": json.dumps(REVIEW)}
    asked = [
        {"tool_calls": [{"name": "Agent", "input": {"description": n, "prompt": f"[[{n}]]", "subagent_type": n}}]}
        for n in AGENTS
    ]
    conversations = {"GO": [*asked, answer] if engine == "cc-teams" else [read, answer]}
    conversations |= {name: [read, {"text": f"{name}: prototypes are class means."}] for name in AGENTS}
    paper = ("--paper", "iclr_2017/B1-Hhnslg", "--data-dir", str(peerread))
    with claude_code.scripted(conversations) as environment:
        done = agents_eval(environment, "review", *paper, "--engine", engine, "--query", "[[GO]]")
        team = agents_eval(environment, "review", *paper)
        compared = agents_eval(environment, "compare", team["run"]["id"], done["run"]["id"])
    card = done["scorecard"]
    missing = {
        score["name"] for score in card["scores"] if score["name"] in card["weights_used"] and score["value"] is None
    }
    assert not missing
    assert card["tier_scores"]["1"] is not None
    assert card["tier_scores"]["3"] is not None
    names = {score["name"]: score for score in card["scores"]}
    assert names["planning_rationality"]["explanation"]
    assert (names["coordination_quality"]["value"] is None) == (engine == "cc-solo")
    assert card["resources"]["input_tokens"] > 0
    assert card["resources"]["cost_usd"] > 0
    assert compared["comparison"]
