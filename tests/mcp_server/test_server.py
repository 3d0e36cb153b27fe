"""The server through the SDK's own client: in memory in both protocol eras, and over stdio."""

import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from agents_eval_core.settings import Settings
from agents_eval_mcp_server.root import open_root
from agents_eval_mcp_server.server import build_server
from scripted_server.server import ScriptedServer

CHARACTERS_A_TOKEN = 4
TOKENS_BY_DEFAULT = 2000
ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def client(root: Path, mode: str = "auto") -> AsyncGenerator[Client]:
    async with Client(build_server(open_root(root, Settings())), mode=mode) as connected:
        yield connected


def content(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


def evaluation(result: CallToolResult) -> dict[str, Any]:
    reply = content(result)
    assert reply["status"] == "complete", reply["summary"]
    return reply["evaluation"]


def error(result: CallToolResult) -> str:
    assert result.is_error
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


async def test_the_three_verbs_answer_in_both_protocol_eras(clean_place: Path, mode: str) -> None:
    async with client(clean_place, mode) as connected:
        assert connected.protocol_version == ERAS[mode]
        tools = {tool.name for tool in (await connected.list_tools()).tools}
        assert {"run_review", "evaluate_trace", "compare_runs"} <= tools
        reviews = [
            content(await connected.call_tool("run_review", {"paper": "sparse-gates", "composition": composition}))[
                "evaluation"
            ]
            for composition in ("full", "manager")
        ]
        assert reviews[0]["run"]["model"] == "offline-baseline (no language model)"
        assert reviews[0]["coverage"] < 1
        scores = {score["name"]: score for score in reviews[0]["scores"]}
        assert scores["planning_rationality"]["value"] is None
        assert "no judge configured" in scores["planning_rationality"]["explanation"]
        again = content(await connected.call_tool("evaluate_trace", {"source": reviews[0]["run"]["id"]}))
        assert again["scores"] == reviews[0]["scores"]
        trace = next(file for file in reviews[0]["files"] if file.endswith("trace.otlp.jsonl"))
        foreign = content(await connected.call_tool("evaluate_trace", {"source": trace}))
        assert foreign["verdict"] is None
        ids = [review["run"]["id"] for review in reviews]
        compared = content(await connected.call_tool("compare_runs", {"baseline": ids[0], "candidate": ids[1]}))
        assert compared["contrasts"][0]["conclusion"] == "not enough data"
        assert compared["next_step"]


async def test_answers_stay_within_two_thousand_tokens(clean_place: Path) -> None:
    async with client(clean_place) as connected:
        review = evaluation(await connected.call_tool("run_review", {"paper": "sparse-gates"}))
        other = evaluation(await connected.call_tool("run_review", {"paper": "sparse-gates", "composition": "manager"}))
        sides = {"baseline": review["run"]["id"], "candidate": other["run"]["id"]}
        compared = content(await connected.call_tool("compare_runs", sides))
    assert len(json.dumps(review)) / CHARACTERS_A_TOKEN <= TOKENS_BY_DEFAULT
    assert len(json.dumps(compared)) / CHARACTERS_A_TOKEN <= TOKENS_BY_DEFAULT


@pytest.mark.parametrize("path", ["../outside.jsonl", "/etc/passwd", "a/../../b", "link/secret", "bad\0name"])
async def test_no_path_leaves_the_root(clean_place: Path, path: str) -> None:
    root = clean_place / "root"
    root.mkdir()
    (clean_place / "secret").write_text("{}")
    (root / "link").symlink_to(clean_place)
    async with client(root) as connected:
        for tool, arguments in (
            ("evaluate_trace", {"source": path}),
            ("run_review", {"paper": "x", "dataset": "peerread", "data_dir": path}),
            ("compare_runs", {"baseline": path, "candidate": "composition=full"}),
        ):
            said = error(await connected.call_tool(tool, arguments))
            assert "root" in said or "NUL" in said
            assert str(clean_place) not in said


async def test_a_session_with_a_link_that_leads_out_of_the_root_is_not_read(clean_place: Path) -> None:
    root = clean_place / "root"
    (root / "s" / "subagents").mkdir(parents=True)
    line = {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {"content": "secret"}}
    for path in (root / "s.jsonl", clean_place / "agent-a.jsonl"):
        path.write_text(json.dumps(line | {"isSidechain": path.name.startswith("agent-")}) + "\n")
    (root / "s" / "subagents" / "agent-a.jsonl").symlink_to(clean_place / "agent-a.jsonl")
    async with client(root) as connected:
        for source in ("s.jsonl", "s"):
            said = error(await connected.call_tool("evaluate_trace", {"source": source}))
            assert "agent-a.jsonl, which leads out of the root" in said


async def test_a_paper_of_the_users_own_is_reviewed_from_its_file(clean_place: Path) -> None:
    root = clean_place / "root"
    root.mkdir()
    text = (
        "# Small gates\n\n## Abstract\n\nWe gate layers and measure 91.2 % accuracy on CIFAR-10.\n\n## Method\n\nGates."
    )
    (root / "gates.md").write_text(text)
    (clean_place / "outside.md").write_text(text)
    async with client(root) as connected:
        review = evaluation(await connected.call_tool("run_review", {"paper": "gates.md", "composition": "manager"}))
        assert review["run"]["case"].startswith("gates")
        for path in ("../outside.md", "missing.md"):
            assert "root" in error(await connected.call_tool("run_review", {"paper": path}))


async def test_a_mistake_is_answered_with_what_to_do(clean_place: Path) -> None:
    async with client(clean_place) as connected:
        misspelt = error(await connected.call_tool("run_review", {"paper": "sparse-gate"}))
        assert "did you mean 'sparse-gates'" in misspelt
        unknown = error(await connected.call_tool("run_review", {"paper": "sparse-gates", "composition": "manger"}))
        assert "did you mean 'manager'" in unknown


async def test_progress_says_which_agent_does_what(clean_place: Path) -> None:
    said: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        said.append(message or "")

    async with client(clean_place) as connected:
        await connected.call_tool("run_review", {"paper": "sparse-gates"}, progress_callback=note)
    assert any("researcher" in line for line in said)


async def test_progress_says_which_part_of_the_review_is_being_written(
    clean_place: Path, scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    said: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        said.append(message or "")

    asked = {"paper": "sparse-gates", "composition": "manager", "provider": reached("openai"), "model": "scripted-1"}
    async with client(clean_place) as connected:
        await connected.call_tool("run_review", asked, progress_callback=note)
    assert "manager writes the review: summary" in said
    assert any(line.startswith("manager writes the review: weaknesses (") for line in said)
    assert all(ask.is_streamed for ask in scripted_server.asked)


async def test_the_server_speaks_over_stdio(clean_place: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from agents_eval_mcp_server.command import main; main()", "--root", str(clean_place)],
    )
    async with Client(server) as connected:
        review = evaluation(
            await connected.call_tool("run_review", {"paper": "sparse-gates", "composition": "manager"})
        )
    assert (clean_place / review["run"]["directory"] / "scorecard.json").is_file()


async def test_the_root_does_not_configure_its_own_evaluation(
    clean_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (clean_place / "agents-eval.toml").write_text("[judge]\ntiers_enabled = [1]\n")
    (clean_place / ".env").write_text("JUDGE_TIERS_ENABLED=1\n")
    monkeypatch.setenv("HOME", str(clean_place / "nobody"))
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from agents_eval_mcp_server.command import main; main()", "--root", str(clean_place)],
    )
    async with Client(server) as connected:
        review = evaluation(
            await connected.call_tool("run_review", {"paper": "sparse-gates", "composition": "manager"})
        )
    scores = {score["name"]: score for score in review["scores"]}
    assert scores["tool_efficiency"]["value"] is not None
