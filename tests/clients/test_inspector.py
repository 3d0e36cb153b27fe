"""The MCP Inspector's command line in both protocol eras."""

import json
import subprocess
from collections.abc import Callable, Sequence

import pytest

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_it_lists_strictly_and_calls(program: Program, stdio_server: Sequence[str], era: str) -> None:
    asked = ("--cli", *stdio_server, "--protocol-era", era, "--format", "json", "-q")
    listed = program("mcp-inspector", *asked, "--method", "tools/list", "--strict")
    assert listed.returncode == 0, listed.stderr + listed.stdout
    called = program(
        "mcp-inspector",
        *asked,
        "--method",
        "tools/call",
        "--tool-name",
        "run_review",
        "--tool-arg",
        "paper=sparse-gates",
    )
    assert called.returncode == 0, called.stderr + called.stdout
    assert json.loads(called.stdout)
    wrong = program(
        "mcp-inspector", *asked, "--method", "tools/call", "--tool-name", "get_review", "--tool-arg", "review_id=none"
    )
    assert wrong.returncode == 5, wrong.stdout
