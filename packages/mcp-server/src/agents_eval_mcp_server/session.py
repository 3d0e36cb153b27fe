"""What the tools share while the server runs: the root, the limits on work, and how progress reaches a client."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
from mcp.server.mcpserver import Context

from agents_eval_core.errors import UsageError
from agents_eval_core.time_limit import within
from agents_eval_mcp_server.clean_text import one_line
from agents_eval_mcp_server.reviews import Reviews
from agents_eval_mcp_server.root import Root

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What whoever started the server allows.

    Attributes:
        claude_code_sessions: Whether the sessions of the root's own project may be read from the user's home.
        self_judgement: Whether an agent may judge its own session.
        longest_call_seconds: How long a call may read and evaluate; a review has its own limits and a handle instead.
    """

    claude_code_sessions: bool = False
    self_judgement: bool = False
    longest_call_seconds: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The state of a server process, shared by all its clients; handles belong to whoever was given them.

    Attributes:
        limit: How many reviews run at a time.
        readers: How many calls read and evaluate at a time; they do not wait for reviews.
    """

    root: Root
    limit: anyio.CapacityLimiter
    readers: anyio.CapacityLimiter
    reviews: Reviews
    options: Options = Options()

    @asynccontextmanager
    async def work(self) -> AsyncGenerator[None]:
        """Give a place among those who read and evaluate, for so long.

        Raises:
            UsageError: The time was used up.
        """
        seconds = self.options.longest_call_seconds
        try:
            with anyio.fail_after(seconds):
                async with self.readers:
                    yield
        except TimeoutError:
            raise UsageError(
                f"it took longer than {seconds:g} s and was ended; give a smaller trace, or evaluate it on the command "
                "line"
            ) from None

    async def read(self, work: Callable[[], T]) -> T:
        """Return what the work returns; it reads files in a thread, so that others are answered meanwhile.

        Being cancelled ends the work.
        """

        async def reading() -> T:
            return work()

        return await within(self.options.longest_call_seconds, reading, name="agents-eval mcp read")


@asynccontextmanager
async def relayed(ctx: Context[Any]) -> AsyncGenerator[Callable[[str], None]]:
    """Give a plain function whose texts reach the client as progress, in order and without making the caller wait."""
    texts: asyncio.Queue[str | None] = asyncio.Queue()
    root: Root = ctx.request_context.lifespan_context.root

    async def pump() -> None:
        step = 0
        while (text := await texts.get()) is not None:
            step += 1
            await ctx.report_progress(step, None, root.without_places(one_line(text)))

    pumping = asyncio.ensure_future(pump())
    try:
        yield texts.put_nowait
    finally:
        texts.put_nowait(None)
        await pumping
