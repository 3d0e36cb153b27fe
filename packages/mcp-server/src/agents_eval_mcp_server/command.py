"""How the server is started: as `agents-eval mcp`, or alone as `agents-eval-mcp-server`."""

import argparse
import os
import sys
from pathlib import Path
from typing import Annotated

import typer


def command(
    root: Annotated[Path, typer.Option(help="The folder to work in; nothing outside it is read.")] = Path(),
    http: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve over HTTP there; default is stdio.")
    ] = None,
    allowed_host: Annotated[
        list[str] | None, typer.Option(metavar="HOST:PORT", help="Another name under which clients reach it.")
    ] = None,
    *,
    claude_code_sessions: Annotated[
        bool, typer.Option("--claude-code-sessions", help="Let clients evaluate sessions of this folder's project.")
    ] = False,
    self_judgement: Annotated[
        bool, typer.Option("--self-judgement", help="Let an agent judge its own session.")
    ] = False,
) -> None:
    """Serve the MCP tools, confined to a folder, over stdio or HTTP.

    Over HTTP clients send the token in AGENTS_EVAL_MCP_TOKEN; without one only this machine is served.
    """
    serve(
        root,
        http=http,
        allowed_hosts=tuple(allowed_host or ()),
        claude_code_sessions=claude_code_sessions,
        self_judgement=self_judgement,
    )


def serve(
    root: Path, *, http: str | None, allowed_hosts: tuple[str, ...], claude_code_sessions: bool, self_judgement: bool
) -> None:
    """Serve until the client goes away or the process is ended.

    Raises:
        UsageError: The root, address or token cannot be used.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "logfire-plugin")  # 0.3 s in every process that makes a model
    from agents_eval_mcp_server import transport  # noqa: PLC0415  mcp takes most of a second to load
    from agents_eval_mcp_server.session import Options  # noqa: PLC0415  as above

    options = Options(claude_code_sessions=claude_code_sessions, self_judgement=self_judgement)
    if http is None:
        transport.serve_stdio(root, options)
        return
    token = os.environ.get(transport.TOKEN_VARIABLE) or None
    transport.serve_http(root, options, transport.Address.read(http), token, allowed_hosts)


def main() -> None:
    """Run the server from the command line."""
    parser = argparse.ArgumentParser(
        prog="agents-eval-mcp-server", description="The MCP server of Agents-eval, over stdio or HTTP."
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the folder to work in (default: the current one)")
    parser.add_argument("--http", metavar="HOST:PORT", help="serve over HTTP there; clients send AGENTS_EVAL_MCP_TOKEN")
    parser.add_argument("--allowed-host", action="append", default=[], metavar="HOST:PORT", help="another name of it")
    parser.add_argument(
        "--claude-code-sessions", action="store_true", help="let clients evaluate sessions of this folder's project"
    )
    parser.add_argument("--self-judgement", action="store_true", help="let an agent judge its own session")
    given = parser.parse_args()
    from agents_eval_core.errors import AgentsEvalError  # noqa: PLC0415  --help loads nothing

    try:
        serve(
            given.root,
            http=given.http,
            allowed_hosts=tuple(given.allowed_host),
            claude_code_sessions=given.claude_code_sessions,
            self_judgement=given.self_judgement,
        )
    except AgentsEvalError as problem:
        sys.exit(f"agents-eval-mcp-server: {problem}")
