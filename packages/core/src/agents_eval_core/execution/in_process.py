"""Work in this process: many units that wait for others, such as models, side by side in one event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from agents_eval_core.errors import UsageError

T = TypeVar("T")


class InProcess:
    """Does work in the event loop that it is handed over in."""

    def __init__(self, *, workers: int, address: str | None = None) -> None:
        """Count on so many units at once.

        Raises:
            UsageError: A scheduler's address was given.
        """
        if address is not None:
            raise UsageError(f"asyncio works in this process and has no scheduler at {address!r}; leave it out")
        self.slots = workers
        self._under_way: set[Future[Any]] = set()

    def submit(self, work: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> Future[T]:
        """Begin a piece of work; only within an event loop."""
        future = asyncio.run_coroutine_threadsafe(work(*arguments), asyncio.get_running_loop())
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def close(self) -> None:
        """Cancel what is under way; it ends when the event loop comes to it."""
        for future in tuple(self._under_way):
            future.cancel()
