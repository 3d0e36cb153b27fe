"""Work in processes of this machine, of which each may die without harm to the others."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.context import BaseContext
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from agents_eval_core.errors import UsageError, WorkerLostError

T = TypeVar("T")
LOST: Final = "the worker process died: killed, out of memory, or crashed by what it ran"
LET_GO: Final = "the workers were let go"
STARTS: Final = 2  # a process may be killed while it starts; one that dies of starting does so each time
NOT_STARTED: Final = (
    "no worker process can be started: each dies before it is given work; what it said stands above. A script that "
    "begins a sweep or batch must do so under 'if __name__ == \"__main__\":', since a worker imports it when it starts"
)


class ProcessPool:
    """Does work in so many processes; one that dies is replaced.

    Each process is a pool of its own, so a death takes nothing with it but the work that was in that process.
    """

    def __init__(self, *, workers: int, address: str | None = None) -> None:
        """Count on so many processes; each is begun when it is first needed.

        Raises:
            UsageError: A scheduler's address was given.
        """
        if address is not None:
            raise UsageError(f"processes of this machine have no scheduler at {address!r}; name 'dask' for that")
        self.slots = workers + 1  # one waits, so that no process does
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None] = SimpleQueue()
        self._processes = [_Process(_context()) for _ in range(workers)]
        for process in self._processes:
            threading.Thread(target=self._dispatch, args=(process,), daemon=True).start()

    def submit(self, work: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> Future[T]:
        """Have work done by the process that is free next."""
        future: Future[T] = Future()
        self._tasks.put((future, work, arguments))
        return future

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for process in self._processes:
            process.end()
            self._tasks.put(None)

    def _dispatch(self, process: "_Process") -> None:
        while (task := self._tasks.get()) is not None:
            future, work, arguments = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(process.do(work, arguments))
            except BaseException as problem:  # noqa: BLE001  whatever ended the work is handed to whoever waits
                future.set_exception(problem)


class _Process:
    """One worker process, which is begun anew after it died."""

    def __init__(self, context: BaseContext) -> None:
        self._context = context
        self._pool: ProcessPoolExecutor | None = None
        self._is_over = False

    def do(self, work: Callable[..., Coroutine[Any, Any, T]], arguments: tuple[Any, ...]) -> T:
        pool = self._pool or self._started()
        try:
            return pool.submit(_awaited, work, arguments).result()
        except BrokenProcessPool as problem:
            self._pool = None
            raise WorkerLostError(LOST) from problem

    def _started(self) -> ProcessPoolExecutor:
        for _ in range(STARTS):
            if self._is_over:
                break
            self._pool = ProcessPoolExecutor(
                1, mp_context=self._context, initializer=_begin_worker, initargs=(dict(os.environ),)
            )
            with suppress(BrokenProcessPool):
                self._pool.submit(os.getpid).result()
                return self._pool
        self._pool = None
        raise WorkerLostError(LET_GO) if self._is_over else UsageError(NOT_STARTED)

    def end(self) -> None:
        self._is_over = True
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in tuple((pool._processes or {}).values()):  # noqa: SLF001  public from Python 3.14 on
                process.kill()
            with suppress(BrokenProcessPool):
                pool.shutdown(wait=True, cancel_futures=True)


def _context() -> BaseContext:
    """Return how processes are begun: clean of this process's threads, and fast where that is possible."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "agents_eval_core.execution.loaded"])
    return context


def _begin_worker(environment: dict[str, str]) -> None:
    """Let a worker end when the process that began it is gone, leave Ctrl-C to that one, and see the same environment.

    The server that workers are forked from keeps the environment of its own beginning.
    """
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def _awaited(work: Callable[..., Coroutine[Any, Any, T]], arguments: tuple[Any, ...]) -> T:
    return asyncio.run(work(*arguments))
