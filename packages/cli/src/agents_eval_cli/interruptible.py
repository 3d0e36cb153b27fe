"""Coroutines run to their end, without losing a Ctrl-C on the way."""

import asyncio
import signal
import threading
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def finished(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine.

    The first Ctrl-C cancels it, wherever it finds the event loop; a second one does not wait for what it still does.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed, even where the coroutine saw to its end in spite of it.

    >>> finished(asyncio.sleep(0, "done"))
    'done'
    """
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(work)
    interrupt = Interrupt()
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        result = asyncio.run(interrupt.watched(work))
    except asyncio.CancelledError as problem:
        raise KeyboardInterrupt from problem
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupt.was_asked:
        raise KeyboardInterrupt
    return result


class Interrupt:
    """What Ctrl-C does to a coroutine that is watched."""

    def __init__(self) -> None:
        self.was_asked = False
        self._task: asyncio.Task[Any] | None = None

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """Cancel the coroutine if it runs, or see that it is not begun."""
        if self.was_asked:
            raise KeyboardInterrupt
        self.was_asked = True
        if self._task is not None and not self._task.done():
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    async def watched(self, work: Coroutine[Any, Any, T]) -> T:
        """Await the coroutine as the one that Ctrl-C cancels."""
        self._task = asyncio.current_task()
        if self.was_asked:
            work.close()
            raise asyncio.CancelledError
        return await work
