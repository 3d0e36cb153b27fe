"""What lies outside the root stays outside: traversal, links, pipes, devices, sockets, and files that are exchanged."""

import json
import os
import shutil
import socket
import sqlite3
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import Client, MCPError

from attacked_server import ERAS, a_chat, answer, refusal, served, written

WORD: Final = "kept-for-nobody-4711"
HOSTILE: Final = (
    "../secret.json",
    "../../../../../../etc/passwd",
    "/etc/passwd",
    "folder/../../secret.json",
    "link/secret.json",
    "linked.json",
    "linked.toml",
    "loop",
    "bad\0name.json",
    "x" * 400,
    "..",
    "~/secret.json",
    "file:///etc/passwd",
    "..\\secret.json",
    "%2e%2e/secret.json",
    " ",
)
PLACES: Final[tuple[tuple[str, Callable[[str], dict[str, Any]]], ...]] = (
    ("evaluate_trace", lambda path: {"source": path}),
    ("evaluate_trace", lambda path: {"source": path, "judge": "caller"}),
    ("evaluate_trace", lambda path: {"source": "chat.json", "case": path}),
    ("evaluate_trace", lambda path: {"source": "chat.json", "references": [path]}),
    ("evaluate_trace", lambda path: {"source": "chat.json", "rubric": f"{path}/r.toml"}),
    ("get_trace_steps", lambda path: {"source": path}),
    ("submit_judgement", lambda path: {"source": path, "verdict": {"a": {}}}),
    ("run_review", lambda path: {"paper": "x", "dataset": "peerread", "data_dir": path}),
    ("run_review", lambda path: {"paper": path}),
    ("run_review", lambda path: {"paper": "sparse-gates", "provider": "replay", "model": path}),
    ("compare_runs", lambda path: {"baseline": path, "candidate": "composition=full"}),
    ("compare_runs", lambda path: {"baseline": "composition=full", "candidate": path}),
)


@pytest.fixture
def root(clean_place: Path) -> Path:
    root = clean_place / "root"
    (root / "folder").mkdir(parents=True)
    (clean_place / "secret.json").write_text(json.dumps(a_chat(WORD)))
    (root / "chat.json").write_text(json.dumps(a_chat()))
    (root / "link").symlink_to(clean_place)
    (root / "linked.json").symlink_to(clean_place / "secret.json")
    (root / "linked.toml").symlink_to(clean_place / "secret.json")
    (root / "loop").symlink_to(root / "loop")
    return root


@pytest.fixture
def special(root: Path) -> Generator[tuple[str, ...]]:
    """Give names under the root that lead to what is no plain file."""
    os.mkfifo(root / "pipe.json")
    os.mkfifo(root / "pipe.toml")
    (root / "zero.json").symlink_to("/dev/zero")
    (root / "terminal.json").symlink_to("/dev/tty")
    here = os.getcwd()  # noqa: PTH109
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(root)  # the name of a socket may only be short
        listening.bind("socket.json")
        os.chdir(here)
        yield ("pipe.json", "pipe.toml", "zero.json", "terminal.json", "socket.json")


def refused(said: str, root: Path) -> None:
    assert WORD not in said
    assert "root:x:0" not in said
    assert str(root.parent) not in said


@pytest.mark.parametrize("mode", ERAS)
async def test_no_path_in_any_argument_leaves_the_root(root: Path, mode: str) -> None:
    async with served(root, mode) as client:
        for path in HOSTILE:
            for tool, arguments in PLACES:
                refused(refusal(await client.call_tool(tool, arguments(path))), root)


async def test_what_is_no_plain_file_is_refused_at_once_in_any_argument(root: Path, special: tuple[str, ...]) -> None:
    async with served(root) as client:
        for path in special:
            for tool, arguments in PLACES:
                refused(refusal(await client.call_tool(tool, arguments(path), read_timeout_seconds=20)), root)


async def a_run(client: Client, paper: str = "sparse-gates") -> dict[str, Any]:
    reply = answer(await client.call_tool("run_review", {"paper": paper, "composition": "manager"}))
    return reply["evaluation"]["run"]


async def test_the_replies_of_a_run_outside_the_root_are_not_played_back(root: Path) -> None:
    tape = '{"schema":"agents-eval/replies/1","model":"m","system":"s"}\n'
    for folder in (root.parent / "outside", root / "inside"):
        folder.mkdir()
        (folder / "replies.jsonl").write_text(tape)
    asked = {"paper": "sparse-gates", "composition": "manager", "provider": "replay"}
    async with served(root) as client:
        for outside in ("../outside", str(root.parent / "outside"), "link/outside"):
            refused(refusal(await client.call_tool("run_review", {**asked, "model": outside})), root)
        played = answer(await client.call_tool("run_review", {**asked, "model": "inside"}))
    assert "ReplayMismatchError" in played["summary"]


def uses(run: str, other: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    return (
        ("evaluate_trace", {"source": run}),
        ("get_trace_steps", {"source": run}),
        ("submit_judgement", {"source": run, "verdict": {"a": {}}}),
        ("compare_runs", {"baseline": run, "candidate": other}),
    )


@pytest.mark.parametrize("name", ["run.json", "scorecard.json", "trace.otlp.jsonl", "review.json", "report.md"])
async def test_a_run_with_a_link_out_of_the_root_is_not_read(root: Path, name: str) -> None:
    async with served(root) as client:
        run, other = await a_run(client), await a_run(client)
        outside = root.parent / "outside"
        (root / run["directory"] / name).rename(outside)
        outside.write_text(outside.read_text() + f"\n{WORD}")
        (root / run["directory"] / name).symlink_to(outside)
        for named in (run["id"], run["directory"]):
            for tool, arguments in uses(named, other["id"]):
                refused(refusal(await client.call_tool(tool, arguments)), root)
        for suffix in ("", "/report", "/trace"):
            with pytest.raises(MCPError) as problem:
                await client.read_resource(f"agents-eval://runs/{run['id']}{suffix}")
            refused(str(problem.value), root)


async def test_a_run_whose_trace_is_said_to_lie_elsewhere_does_not_lead_there(root: Path) -> None:
    async with served(root) as client:
        run = await a_run(client)
        file = root / run["directory"] / "run.json"
        place = {
            "path": str(root.parent / "secret.json"),
            "trace_format": "openai_messages",
            "trace_id": "t",
            "position": 0,
        }
        file.write_text(json.dumps(json.loads(file.read_text()) | {"trace_at": place | {"digest": "d"}}))
        for tool in ("evaluate_trace", "get_trace_steps"):
            said = refusal(await client.call_tool(tool, {"source": run["id"]}))
            assert "outside the root" in said
            refused(said, root)


async def test_a_store_that_says_a_run_lies_elsewhere_does_not_lead_there(root: Path) -> None:
    async with served(root) as client:
        run, other = await a_run(client), await a_run(client)
        shutil.move(root / run["directory"], root.parent / "stolen")
        with sqlite3.connect(root / "_Agents-eval" / "agents-eval.db") as store:
            store.execute("UPDATE runs SET directory = '../../stolen' WHERE id = ?", (run["id"],))
        store.close()
        for tool, arguments in uses(run["id"], other["id"]):
            said = refusal(await client.call_tool(tool, arguments))
            assert "root" in said
            refused(said, root)
        with pytest.raises(MCPError):
            await client.read_resource(f"agents-eval://runs/{run['id']}/report")


@pytest.mark.parametrize("link", ["_Agents-eval", "_Agents-eval/runs", "_Agents-eval/agents-eval.db"])
async def test_nothing_is_written_outside_the_root_through_a_link(root: Path, link: str) -> None:
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(elsewhere)
    async with served(root) as client:
        said = refusal(await client.call_tool("run_review", {"paper": "sparse-gates"}))
    assert "leads out of the root" in said
    assert not list(elsewhere.iterdir())


async def test_a_session_folder_with_a_pipe_or_a_device_in_it_is_refused(root: Path) -> None:
    line = {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {"content": "hello"}}
    (root / "s" / "subagents").mkdir(parents=True)
    (root / "s.jsonl").write_text(json.dumps(line | {"isSidechain": False}) + "\n")
    (root / "s" / "subagents" / "agent-a.jsonl").write_text(json.dumps(line | {"isSidechain": True}) + "\n")
    os.mkfifo(root / "s" / "subagents" / "agent-a.meta.json")
    os.mkfifo(root / "reward.txt")
    async with served(root) as client:
        for source in ("s.jsonl", "s"):
            said = refusal(await client.call_tool("evaluate_trace", {"source": source}, read_timeout_seconds=20))
            assert "no plain file" in said


async def test_a_dataset_with_a_link_out_of_the_root_is_refused(root: Path) -> None:
    reviews = root / "data" / "acl_2017" / "train" / "reviews"
    reviews.mkdir(parents=True)
    (reviews / "1.json").symlink_to(root.parent / "secret.json")
    async with served(root) as client:
        said = refusal(await client.call_tool("run_review", {"paper": "1", "data_dir": "data"}))
    assert "leads out of the root" in said


@pytest.mark.parametrize("is_folder", [False, True])
async def test_a_file_exchanged_between_the_check_and_the_reading_is_not_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, is_folder: bool
) -> None:
    from agents_eval_core import trace_source

    usual = trace_source.longest_text_of
    moved = root / "folder" if is_folder else root / "folder" / "chat.json"
    (root / "folder" / "chat.json").write_text(json.dumps(a_chat()))
    (root.parent / "chat.json").write_text(json.dumps(a_chat(WORD)))

    def exchanging(size: int) -> int | None:  # is called after the check, before the reading
        if not moved.is_symlink():
            moved.rename(root / "away")
            moved.symlink_to(root.parent if is_folder else root.parent / "secret.json")
        return usual(size)

    monkeypatch.setattr(trace_source, "longest_text_of", exchanging)
    async with served(root) as client:
        for tool in ("get_trace_steps", "evaluate_trace"):
            result = await client.call_tool(tool, {"source": "folder/chat.json"})
            assert WORD not in written(result)
            refused(refusal(result), root)
