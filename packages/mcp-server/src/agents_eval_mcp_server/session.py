"""What the tools share while the server runs: the root, the limit on concurrent work, and how errors reach a client."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from agents_eval_core.errors import AgentsEvalError
from agents_eval_mcp_server.reviews import Reviews
from agents_eval_mcp_server.root import Root


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What whoever started the server allows.

    Attributes:
        claude_code_sessions: Whether the sessions of the root's own project may be read from the user's home.
        self_judgement: Whether an agent may judge its own session.
    """

    claude_code_sessions: bool = False
    self_judgement: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The state of a server process, shared by all its clients; handles belong to whoever was given them."""

    root: Root
    limit: anyio.CapacityLimiter
    reviews: Reviews
    options: Options = Options()


@contextmanager
def correctable() -> Generator[None]:
    """Hand our own errors to the client as text that it can act on; others stay masked by the SDK."""
    try:
        yield
    except AgentsEvalError as problem:
        raise ToolError(str(problem)) from problem


@asynccontextmanager
async def relayed(ctx: Context[Any]) -> AsyncGenerator[Callable[[str], None]]:
    """Give a plain function whose texts reach the client as progress, in order and without making the caller wait."""
    texts: asyncio.Queue[str | None] = asyncio.Queue()

    async def pump() -> None:
        step = 0
        while (text := await texts.get()) is not None:
            step += 1
            await ctx.report_progress(step, None, text)

    pumping = asyncio.ensure_future(pump())
    try:
        yield texts.put_nowait
    finally:
        texts.put_nowait(None)
        await pumping


def confined_selector(selector: str, root: Root) -> str:
    """Return a selector whose path, if it is one, lies inside the root."""
    if "=" not in selector and ("/" in selector or "\\" in selector or (root.path / selector).exists()):
        return str(root.inside(selector))
    return selector
