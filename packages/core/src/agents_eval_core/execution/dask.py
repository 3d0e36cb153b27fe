"""Work on Dask: a cluster of one's own machine, or any that has a scheduler."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, TypeVar
from uuid import uuid4

from agents_eval_core.errors import UsageError, WorkerLostError
from agents_eval_core.execution.processes import NOT_STARTED

T = TypeVar("T")
EXTRA: Final = "Dask is not installed; 'pip install agents-eval[dask]' brings it"
CONNECT_SECONDS: Final = 10.0


class DaskExecutor:
    """Does work on the workers of a Dask scheduler; without an address, on a cluster that it makes on this machine.

    Workers read and write the files that the work names: they share the data root with the driver.
    """

    def __init__(self, *, workers: int, address: str | None = None) -> None:
        """Connect to the scheduler, or make a cluster of so many single-threaded processes.

        Raises:
            UsageError: Dask is not installed, nothing answers at the address, or no worker can be started here.
        """
        try:
            from distributed import Client, LocalCluster  # noqa: PLC0415  an extra
        except ImportError as problem:
            raise UsageError(EXTRA) from problem
        self._cluster: Any = None
        if address is None:
            try:
                self._cluster = LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="", silence_logs=50
                )
            except RuntimeError as problem:  # a worker that dies of starting
                raise UsageError(NOT_STARTED) from problem
        try:
            self._client: Any = Client(self._cluster or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as problem:
            raise UsageError(
                f"no Dask scheduler answers at {address!r} within {CONNECT_SECONDS:g} s; start one with "
                "'dask scheduler', or name 'dask' to have a cluster made on this machine"
            ) from problem
        threads = sum(self._client.nthreads().values())
        self.slots = max(workers, threads) if address is not None else workers

    def submit(self, work: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> Future[T]:
        """Have work done by some worker.

        A worker that dies costs a retry elsewhere, as the cluster's `allowed-failures` says.
        """
        given: Any = self._client.submit(_awaited, work, arguments, key=f"agents-eval-{uuid4().hex}", pure=False)
        future: Future[T] = Future()
        given.add_done_callback(partial(_hand_over, future))
        return future

    def close(self) -> None:
        """Leave the scheduler, and end the cluster that was made for this."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _hand_over(future: "Future[Any]", done: Any) -> None:
    """Give the outcome of a Dask future to a plain one."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(done.result())
    except asyncio.CancelledError:
        future.set_exception(WorkerLostError("the scheduler dropped the work; it may have been restarted"))
    except Exception as problem:  # noqa: BLE001  whatever ended the work is handed to whoever waits
        lost = type(problem).__name__ in {"KilledWorker", "FutureCancelledError", "CommClosedError"}
        future.set_exception(WorkerLostError(f"the workers died of it: {problem}") if lost else problem)


def _awaited(work: Callable[..., Coroutine[Any, Any, T]], arguments: tuple[Any, ...]) -> T:
    return asyncio.run(work(*arguments))
