"""The server answers before it loads what evaluating takes."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, sys
from pathlib import Path
from mcp import Client
from agents_eval_core.settings import Settings
from agents_eval_mcp_server.command import main
from agents_eval_mcp_server.root import open_root
from agents_eval_mcp_server import transport
from agents_eval_mcp_server.server import build_server

async def answered():
    async with Client(build_server(open_root(Path(), Settings())), mode="legacy") as client:
        tools = await client.list_tools()
        assert len(tools.tools) == 9
        await client.list_prompts()
        await client.list_resource_templates()

asyncio.run(answered())
heavy = {"scipy", "numpy", "networkx", "sklearn", "pydantic_ai", "streamlit", "dask", "pandas", "logfire"}
ours = {"agents_eval_agents", "agents_eval_evaluators", "agents_eval_cli", "agents_eval_dashboard"}
print(*sorted((heavy | ours) & sys.modules.keys()))
"""


def test_before_the_first_call_nothing_heavy_is_loaded(clean_place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        capture_output=True,
        text=True,
        env={"PYDANTIC_DISABLE_PLUGINS": "logfire-plugin", "HOME": str(clean_place)},
    )
    assert done.stdout.strip() == ""


def test_started_wrongly_it_says_why_and_ends_with_two(clean_place: Path) -> None:
    program = Path(sys.executable).with_name("agents-eval-mcp-server")
    for wrong, why in (("--root=nowhere", "--root"), ("--http=nobody", "HOST:PORT"), ("--rot=.", "--rot")):
        done = subprocess.run([program, wrong], check=False, capture_output=True, text=True, cwd=clean_place)
        assert (done.returncode, done.stdout) == (2, "")
        assert why in done.stderr
        assert "Traceback" not in done.stderr
