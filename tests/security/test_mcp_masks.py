"""What a client learns of this machine: no path of it, no accident's text; whoever runs the server has the log."""

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent

from attacked_server import ERAS, PROGRAM, a_chat, answer, served, written

MISTAKES: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("evaluate_trace", {"source": "nothing.json"}),
    ("evaluate_trace", {"source": "nothing"}),
    ("evaluate_trace", {"source": "empty.json"}),
    ("evaluate_trace", {"source": "binary.json"}),
    ("evaluate_trace", {"source": "packed.json"}),
    ("evaluate_trace", {"source": "folder"}),
    ("evaluate_trace", {"source": "broken/run.json"}),
    ("evaluate_trace", {"source": "broken"}),
    ("evaluate_trace", {"source": "several.json", "trace_id": "none"}),
    ("evaluate_trace", {"source": "chat.json", "case": "empty.json"}),
    ("evaluate_trace", {"source": "chat.json", "case": "chat.json"}),
    ("evaluate_trace", {"source": "chat.json", "references": ["binary.json"]}),
    ("evaluate_trace", {"source": "chat.json", "references": ["empty.json"]}),
    ("evaluate_trace", {"source": "chat.json", "rubric": "bad.toml"}),
    ("evaluate_trace", {"source": "chat.json", "rubric": "none"}),
    ("evaluate_trace", {"source": "chat.json", "judge": "nobody"}),
    ("evaluate_trace", {"trace_json": "{"}),
    ("evaluate_trace", {"source": "claude-code:latest"}),
    ("get_trace_steps", {"source": "binary.json"}),
    ("get_trace_steps", {"source": "chat.json", "span_id": "none"}),
    ("get_trace_steps", {"source": "chat.json", "trace_id": "none"}),
    ("submit_judgement", {"source": "chat.json", "verdict": {"none": {}}}),
    ("compare_runs", {"baseline": "folder/", "candidate": "broken/"}),
    ("compare_runs", {"baseline": "nothing", "candidate": "folder"}),
    ("run_review", {"paper": "empty.md"}),
    ("run_review", {"paper": "binary.pdf"}),
    ("run_review", {"paper": "1", "data_dir": "folder"}),
    ("run_review", {"paper": "1", "dataset": "peerread"}),
    ("run_review", {"paper": "sparse-gates", "engine": "none"}),
    ("run_review", {"paper": "sparse-gates", "engine": "cc-solo"}),
    ("run_review", {"paper": "sparse-gates", "provider": "openai"}),
    ("list_runs", {"query": "none=1"}),
)


@pytest.fixture
def root(clean_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(clean_place))
    root = clean_place / "the-root"
    (root / "folder").mkdir(parents=True)
    (root / "broken").mkdir()
    (root / "broken" / "run.json").write_text('{"schema": "agents-eval/run/1", "id": 7}')
    for name in ("empty.json", "empty.md", "bad.toml"):
        (root / name).write_text("")
    for name in ("binary.json", "binary.pdf"):
        (root / name).write_bytes(bytes(range(256)) * 9)
    (root / "packed.json").write_bytes(b"\x1f\x8b\x08\x00" + bytes(90))
    (root / "chat.json").write_text(json.dumps(a_chat()))
    (root / "several.json").write_text(json.dumps([{"messages": a_chat()}, {"messages": a_chat()}]))
    (root / "folder" / "a.txt").write_text("nothing")
    return root


def refuse_places(said: str, root: Path) -> None:
    for place in (str(root), str(root.parent), str(Path.home()), sys.prefix, str(Path(__file__).parents[2])):
        assert place not in said, said


@pytest.mark.parametrize("mode", ERAS)
async def test_no_reply_and_no_error_names_a_place_of_this_machine(root: Path, mode: str) -> None:
    async with served(root, mode) as client:
        run = answer(await client.call_tool("run_review", {"paper": "sparse-gates"}))
        run_id = run["evaluation"]["run"]["id"]
        for tool, arguments in MISTAKES:
            refuse_places(written(await client.call_tool(tool, arguments)), root)
        for tool, arguments in (("evaluate_trace", {"source": run_id}), ("get_trace_steps", {"source": run_id})):
            refuse_places(written(await client.call_tool(tool, arguments)), root)
        refuse_places(json.dumps(run), root)
        for uri in (f"runs/{run_id}", f"runs/{run_id}/report", f"runs/{run_id}/trace", "metrics"):
            refuse_places(str(await client.read_resource(f"agents-eval://{uri}")), root)
        with pytest.raises(MCPError) as problem:
            await client.read_resource("agents-eval://runs/none/report")
        refuse_places(str(problem.value), root)


async def test_every_mistake_of_a_caller_is_answered_with_words_and_not_with_a_mask(root: Path) -> None:
    async with served(root) as client:
        for tool, arguments in MISTAKES:
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                assert _text(result).strip() != f"Error executing tool {tool}", arguments


async def test_an_accident_is_masked_for_the_client(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agents_eval_core import trace_source

    def accident(size: int) -> int | None:
        raise RuntimeError(f"key sk-verysecret in {root}")

    monkeypatch.setattr(trace_source, "longest_text_of", accident)
    async with served(root) as client:
        for tool in ("evaluate_trace", "get_trace_steps"):
            assert _text(await client.call_tool(tool, {"source": "chat.json"})) == f"Error executing tool {tool}"


async def test_an_accident_is_logged_on_standard_error_and_nothing_else_is_on_the_wire(root: Path) -> None:
    """The program is started through a file that breaks one function in it: no client can."""
    breaking = root.parent / "breaking.py"
    breaking.write_text(
        "from agents_eval_core import trace_source\n"
        "def accident(size):\n    print('a stray print')\n    raise RuntimeError('sk-verysecret')\n"
        "trace_source.longest_text_of = accident\n"
        "from agents_eval_mcp_server.command import main\nmain()\n"
    )
    log = root.parent / "stderr"
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    program = StdioServerParameters(
        command=sys.executable, args=[str(breaking), "--root", str(root)], env={"HOME": os.environ["HOME"]}
    )
    with log.open("w") as file:
        async with Client(stdio_client(program, errlog=file)) as client:
            said = _text(await client.call_tool("evaluate_trace", {"source": "chat.json"}))
    assert said == "Error executing tool evaluate_trace"
    assert "RuntimeError" in log.read_text()
    assert "accident" in log.read_text()


def test_the_program_is_installed_under_its_name() -> None:
    assert PROGRAM.is_file()


def _text(result: CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text
