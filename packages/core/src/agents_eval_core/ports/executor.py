"""Where units of work are done."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Executor(Protocol):
    """Where units of work are done: in this process, in processes of this machine, on a cluster.

    Work is a coroutine function of a module, so that it can be named to another process; what it takes and gives is
    small, for large things go by reference.
    """

    @property
    def slots(self) -> int:
        """How much work it takes at once."""
        ...

    def submit(self, work: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> Future[T]:
        """Have work done.

        The future raises `WorkerLostError` where the worker died of it or with it; nothing is done again on its own.
        """
        ...

    def close(self) -> None:
        """Let go of the workers; what they have under way is given up."""
        ...
