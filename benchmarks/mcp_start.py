"""What the MCP server costs until it answers `initialize`: CPU time beside a bare server of the SDK, in one run."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

ROUNDS: Final = 9
GOAL: Final = 1.5
BARE: Final = """
from mcp.server import MCPServer

server = MCPServer("bare", version="1")


@server.tool()
def echo(text: str) -> str:
    return text


server.run()
"""
INITIALIZE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}


def cpu_seconds(command: Sequence[str], folder: Path) -> float:
    """Return the CPU time of a server from its start to its answer, and its end when its input closes.

    The plug-in of logfire for pydantic, which ours switches off by itself, is off for both.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603  our own programs
        command,
        cwd=folder,
        input=json.dumps(INITIALIZE) + "\n",
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"PYDANTIC_DISABLE_PLUGINS": "logfire-plugin"},
    )
    if "serverInfo" not in done.stdout:
        raise RuntimeError(f"no answer to initialize: {done.stdout!r}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_times(rounds: int = ROUNDS) -> tuple[float, float]:
    """Return the median of a bare server and of ours, taken in turns, so that a busy machine slows both."""
    ours = [str(Path(sys.executable).with_name("agents-eval-mcp-server")), "--root", "."]
    bare: list[float] = []
    own: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bare.py").write_text(BARE)
        for command, times in (([sys.executable, "bare.py"], bare), (ours, own)) * (rounds + 1):
            times.append(cpu_seconds(command, folder))
    return median(bare[1:]), median(own[1:])  # the first of each fills the caches


def main() -> None:
    """Print the figures."""
    bare, own = start_times()
    print(f"bare server of the SDK     {1000 * bare:7.0f} ms CPU")
    print(f"agents-eval-mcp-server     {1000 * own:7.0f} ms CPU  {own / bare:5.2f} x bare  (goal {GOAL} x)")


if __name__ == "__main__":
    main()
