"""How the server is started: as `agents-eval mcp`, or alone as `agents-eval-mcp-server`."""

import argparse
import os
import sys
from pathlib import Path


def command(root: Path = Path()) -> None:
    """Serve the MCP tools over stdio, confined to a folder."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "logfire-plugin")  # 0.3 s in every process that makes a model
    from agents_eval_mcp_server.server import serve  # noqa: PLC0415  mcp takes most of a second to load

    serve(root)


def main() -> None:
    """Run the server from the command line."""
    parser = argparse.ArgumentParser(
        prog="agents-eval-mcp-server", description="The MCP server of Agents-eval, over stdio."
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the folder to work in (default: the current one)")
    given = parser.parse_args()
    from agents_eval_core.errors import AgentsEvalError  # noqa: PLC0415  --help loads nothing

    try:
        command(given.root)
    except AgentsEvalError as problem:
        sys.exit(f"agents-eval-mcp-server: {problem}")
