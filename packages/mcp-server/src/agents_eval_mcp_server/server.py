"""The MCP server: the three verbs as tools, confined to a root, over stdio."""

import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import anyio
from mcp.server import MCPServer

from agents_eval_core.settings import load_settings
from agents_eval_mcp_server.root import Root, open_root
from agents_eval_mcp_server.session import Session
from agents_eval_mcp_server.tools import compare_runs, evaluate_trace, run_review

CONCURRENT_RUNS: Final = 2
INSTRUCTIONS: Final = (
    "Evaluate agent runs with evidence. run_review lets a team of agents review a paper and scores it; evaluate_trace "
    "scores a run that exists; compare_runs says whether one set of runs is better than another. A null score is not "
    "zero: its reason says why it is missing. The verdict holds at the lower end of what missing evidence could change."
)


def build_server(root: Root) -> MCPServer[Session]:
    """Return the server for a root, with all tools; it serves both protocol eras."""

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncGenerator[Session]:
        yield Session(root=root, limit=anyio.CapacityLimiter(CONCURRENT_RUNS))

    server = MCPServer(
        "agents-eval", title="Agents-eval", version="0.1.0", instructions=INSTRUCTIONS, lifespan=lifespan
    )
    meta = {"anthropic/alwaysLoad": True}
    for title, module, tool in (
        ("Review a paper", run_review, run_review.run_review),
        ("Evaluate a trace", evaluate_trace, evaluate_trace.evaluate_trace),
        ("Compare runs", compare_runs, compare_runs.compare_runs),
    ):
        server.tool(title=title, annotations=module.ANNOTATIONS, meta=meta, structured_output=True)(tool)
    return server


def serve(root: Path) -> None:
    """Serve a root over stdio until the client goes away.

    Settings come from the environment and the user's own configuration, never from the root: what is evaluated may not
    configure its evaluation.
    """
    server = build_server(open_root(root, load_settings(Path.home() / ".config" / "agents-eval")))
    reconfigure: Callable[..., None] | None = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(line_buffering=True)  # a stray print then lands on stderr, never on the wire
    server.run()
