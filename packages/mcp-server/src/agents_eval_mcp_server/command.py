"""How the server is started: as `agents-eval mcp`, or alone as `agents-eval-mcp-server`."""

import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

PROGRAM: Final = "agents-eval-mcp-server"
USED_WRONGLY: Final = 2


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
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "logfire-plugin")  # 0.3 s in every process that makes a model
    from agents_eval_mcp_server import transport  # noqa: PLC0415  mcp takes most of a second to load
    from agents_eval_mcp_server.session import Options  # noqa: PLC0415  as above

    options = Options(claude_code_sessions=claude_code_sessions, self_judgement=self_judgement)
    if http is None:
        transport.serve_stdio(root, options)
        return
    token = os.environ.get(transport.TOKEN_VARIABLE) or None
    transport.serve_http(root, options, transport.Address.read(http), token, tuple(allowed_host or ()))


def main() -> None:
    """Run the server from the command line; where it is used wrongly, one sentence says so and the exit code is 2."""
    program = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    program.command()(command)
    from agents_eval_core.errors import AgentsEvalError  # noqa: PLC0415  --help loads nothing

    try:
        program(prog_name=PROGRAM)
    except AgentsEvalError as problem:
        sys.stderr.write(f"{PROGRAM}: {problem}\n")
        sys.exit(USED_WRONGLY)
