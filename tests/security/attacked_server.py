"""The real MCP server, as those who attack it meet it: in memory in either era, or as a process over stdio."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

from agents_eval_core.settings import Settings
from agents_eval_mcp_server.root import open_root
from agents_eval_mcp_server.server import build_server
from agents_eval_mcp_server.session import Options

ERAS: Final = ("auto", "legacy")
PROGRAM: Final = Path(sys.executable).with_name("agents-eval-mcp-server")


@asynccontextmanager
async def served(
    root: Path, mode: str = "auto", options: Options | None = None, settings: Settings | None = None
) -> AsyncGenerator[Client]:
    server = build_server(open_root(root, settings or Settings()), options or Options())
    async with Client(server, mode=mode) as client:
        yield client


@asynccontextmanager
async def started(root: Path, environment: dict[str, str]) -> AsyncGenerator[Client]:
    """Give a client of the installed program, started in the root as a coding agent starts it."""
    program = StdioServerParameters(command=str(PROGRAM), args=["--root", "."], cwd=root, env=environment)
    async with Client(program) as client:
        yield client


def refusal(result: CallToolResult) -> str:
    """Return what was said to a call that may not succeed, and has no business in being an accident of ours."""
    assert result.is_error, result.structured_content
    first = result.content[0]
    assert isinstance(first, TextContent)
    _, _, said = first.text.partition(": ")
    assert said, f"masked: {first.text}"
    return said


def answer(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


def written(result: CallToolResult) -> str:
    """Return everything that a reply or an error says, as text."""
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    return "\n".join([*texts, json.dumps(result.structured_content, ensure_ascii=False)])


def a_chat(text: str = "fine", *, calls: int = 1, name: str = "look", call_id: str = "c") -> list[dict[str, Any]]:
    """Return a chat in which an agent calls a tool so often and says something in the end."""
    said: list[dict[str, Any]] = [{"role": "user", "content": "do it"}]
    for place in range(calls):
        function = {"name": name, "arguments": json.dumps({"n": place})}
        call = {"id": f"{call_id}{place}", "type": "function", "function": function}
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append({"role": "tool", "tool_call_id": f"{call_id}{place}", "content": text})
    return [*said, {"role": "assistant", "content": text}]
