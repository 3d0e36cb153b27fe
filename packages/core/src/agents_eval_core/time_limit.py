"""A time limit that even an endless computation in pure Python obeys."""

import asyncio
import ctypes
import inspect
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
POLL_SECONDS: Final = 0.02
GRACE_SECONDS: Final = 5.0
GENTLE_SECONDS: Final = 1.0
HANDED_OVER: Final = asyncio.Handle._run.__code__  # noqa: SLF001  the one place where a loop hands over


class _Stopped(BaseException):
    """Raised inside a thread that has used up its time; not an Exception, so that no plug-in swallows it by habit."""


class _Worker(threading.Thread, Generic[T]):
    """Runs a coroutine in an event loop of its own, and can be stopped from outside at any bytecode or await."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]], on_end: Callable[[], None], name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._work = work
        self._on_end = on_end
        self._lock = threading.Lock()
        self._is_over = False
        self._task: tuple[asyncio.AbstractEventLoop, asyncio.Task[T]] | None = None
        self.result: T | None = None
        self.problem: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = asyncio.run(self._supervised())
        except BaseException as problem:  # noqa: BLE001  whatever ended the work is handed to whoever waits
            self.problem = problem
        while not self._is_over:
            try:
                with self._lock:
                    self._is_over = True
            except _Stopped:
                continue
        self._on_end()

    async def _supervised(self) -> T:
        task = asyncio.ensure_future(self._work())
        self._task = (asyncio.get_running_loop(), task)
        try:
            return await task
        finally:
            with self._lock:  # from here on nothing of the work is left to interrupt
                self._task = None

    def interrupt(self, *, gently: bool) -> None:
        """Break into the work at its next bytecode or await; code that never returns to Python goes on.

        What is raised inside the event loop would leave it open, so there the work is cancelled, or the loop stopped.

        Args:
            gently: Leave destructors alone, which swallow what is raised in them, half done; and let tasks that are
                cancelled come to their end.
        """
        with self._lock:
            if self._is_over or self._task is None or self.ident is None:
                return
            loop, task = self._task
            with suppress(RuntimeError):  # it was closed meanwhile
                loop.call_soon_threadsafe(task.cancel if gently else loop.stop)
            time.sleep(0)  # a new turn of the interpreter: the thread stays where it is found until the turn is over
            place = tuple(_frames(sys._current_frames().get(self.ident)))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  there is no other way
            if _is_amid_work(place) and not (gently and _is_in_destructor(place)):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(_Stopped))


def _is_amid_work(place: Sequence[FrameType]) -> bool:
    """Whether a thread is in code that its event loop was given to run, and not in that loop's own.

    The loop's own code is also what it calls: while it waits or is closed, the thread is in `selectors` or `socket`,
    and what is raised there leaves its sockets open.
    """
    handed = next((at for at, frame in enumerate(place) if frame.f_code is HANDED_OVER), 0)
    if not handed or _is_loops(place[0]) or place[0].f_globals.get("__name__") == __name__:
        return False
    begun = place[handed - 1]
    return not _is_loops(begun) or bool(begun.f_code.co_flags & inspect.CO_COROUTINE)


def _is_loops(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("asyncio.")


def _is_in_destructor(place: Sequence[FrameType]) -> bool:
    return any(frame.f_code.co_name == "__del__" for frame in place)


def _frames(innermost: FrameType | None) -> Iterator[FrameType]:
    while innermost is not None:
        yield innermost
        innermost = innermost.f_back


async def within(seconds: float, work: Callable[[], Coroutine[Any, Any, T]], *, name: str) -> T:
    """Return what the work returns, if it does so in time.

    The work runs in a thread of its own, so that a computation that never awaits neither blocks the caller nor outlives
    its limit. Being cancelled stops the work too.

    Args:
        seconds: The limit.
        work: Makes the coroutine, in the thread.
        name: What the thread is called.

    Raises:
        TimeoutError: The time was used up; the thread has ended.

    >>> async def answer() -> int:
    ...     return 42
    >>> asyncio.run(within(1.0, answer, name="doctest"))
    42
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    worker = _Worker(work, lambda: _tell(loop, ended), name)
    worker.start()
    try:
        await asyncio.wait_for(ended.wait(), seconds)
    except (TimeoutError, asyncio.CancelledError):
        await asyncio.shield(asyncio.ensure_future(_stop(worker)))
        raise
    worker.join(GRACE_SECONDS)  # it has said that it is over: only its last line is left
    if worker.problem is not None:
        raise worker.problem
    return worker.result  # pyright: ignore[reportReturnType]  set whenever there is no problem


async def _stop(worker: _Worker[Any]) -> None:
    began = time.monotonic()
    while worker.is_alive() and (waited := time.monotonic() - began) < GRACE_SECONDS:
        worker.interrupt(gently=waited < GENTLE_SECONDS)
        await asyncio.sleep(POLL_SECONDS)


def _tell(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(ended.set)
