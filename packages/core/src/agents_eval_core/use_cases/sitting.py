"""One sitting of work on the cells of a journal: what is taken, under way, kept and counted."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import current_process
from typing import Any, Final, Generic, TypeVar

from agents_eval_core import registry
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.executor import Executor
from agents_eval_core.store.journal import Entry, Journal
from agents_eval_core.use_cases.dispatch import Done, dispatched
from agents_eval_core.use_cases.spending import Budget
from agents_eval_core.work import Spent, WorkProgress

U = TypeVar("U")
T = TypeVar("T")
WAITING_FOR_MODELS: Final = 4
FAILED_IN_A_ROW: Final = 12


OnProgress = Callable[[WorkProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade(Generic[U, T]):
    """What is done with a cell: how it becomes a task, who does it, and what is kept of it.

    Attributes:
        task: Of an entry.
        key: Of a task.
        work: A coroutine function of a module.
        keep: Keeps the result, and returns what the journal says of it.
        tidy: Is told of each entry when the journal has it.
        executor: Makes that by which it is done.
    """

    task: Callable[[Entry], U]
    key: Callable[[U], str]
    work: Callable[[U], Coroutine[Any, Any, T]]
    keep: Callable[[Done[U, T]], Entry]
    tidy: Callable[[Entry], None]
    executor: Callable[[], Executor]


class Sitting(Generic[U, T]):
    """Work on what is reserved in a journal, as far as a budget allows and until the answer is in, if one is sought."""

    def __init__(self, name: str, journal: Journal, budget: Budget, answer: Callable[[], str] = lambda: "") -> None:
        self._name, self._journal, self._budget, self._answer = name, journal, budget, answer
        self._begun_at, self._begun = datetime.now(UTC), time.monotonic()
        self._earlier_seconds = journal.seconds_worked()
        self._counts = journal.counts()
        self._first_chunk: tuple[float, int] | None = None
        self._ended_here = 0
        self._failed_in_a_row: deque[str] = deque(maxlen=FAILED_IN_A_ROW)

    @property
    def elapsed(self) -> float:
        """All sittings together."""
        return self._earlier_seconds + time.monotonic() - self._begun

    async def work(self, trade: Trade[U, T], on_progress: OnProgress) -> None:
        """Do the cells that are reserved, as far as the budget allows."""
        limit = self._budget.seconds
        if not self._counts["reserved"] or (limit is not None and self.elapsed >= limit):
            return
        executor = await asyncio.to_thread(trade.executor)
        try:
            async with asyncio.timeout(limit - self.elapsed if limit is not None else None):
                chunks = dispatched(
                    lambda number: [trade.task(entry) for entry in self._take(number)],
                    trade.work,
                    executor,
                    on_lost=lambda tasks: self._lost([trade.key(task) for task in tasks]),
                )
                async with aclosing(chunks):
                    async for chunk in chunks:
                        self._end(trade, chunk)
                        on_progress(self.progress())
        except TimeoutError:
            pass  # the time of the budget is over; what was under way is given back
        finally:
            with suppress(Exception):
                executor.close()
            self._journal.give_back()
            self._counts = self._journal.counts()

    def progress(self) -> WorkProgress:
        """Return how far it is."""
        spent, counts = self._budget.spent, self._counts
        total, ended = sum(counts.values()), counts["done"] + counts["failed"]
        pace, decided = self._pace(), self._answer()
        usd = spent.cost_usd * total / ended if spent.cost_usd is not None and ended else None
        return WorkProgress(
            name=self._name,
            counts=dict(counts),
            spent=spent,
            elapsed_seconds=self.elapsed if self._ended_here else self._earlier_seconds,
            remaining_seconds=pace * (total - ended) if pace is not None else None,
            expected_usd=usd,
            exceeded=self._budget.exceeded,
            waits_for="" if decided or total == ended else self._waits_for,
            decided=decided,
        )

    def _pace(self) -> float | None:
        """Return the seconds a cell takes since the first ended: the start of workers is over by then."""
        if self._first_chunk is None or self._ended_here == self._first_chunk[1]:
            return None
        return (time.monotonic() - self._first_chunk[0]) / (self._ended_here - self._first_chunk[1])

    @property
    def _stopped(self) -> str:
        """Why nothing more is begun though there is money and time: whatever is begun fails in the same way."""
        kinds = set(self._failed_in_a_row)
        if len(self._failed_in_a_row) < FAILED_IN_A_ROW or len(kinds) > 1 or "" in kinds:
            return ""
        (kind,) = kinds
        return f"{FAILED_IN_A_ROW} cells in a row failed with {kind}; see to that, then resume with --retry-failed"

    @property
    def _waits_for(self) -> str:
        return self._stopped or self._budget.reached(self._counts["running"], self.elapsed)

    def _take(self, number: int) -> Sequence[Entry]:
        if self._stopped or self._answer():
            return ()
        room = self._budget.room(self._counts["running"], self.elapsed)
        entries = self._journal.begin(number if room is None else min(number, room))
        self._counts["running"] += len(entries)
        self._counts["reserved"] -= len(entries)
        return entries

    def _lost(self, keys: Sequence[str]) -> None:
        self._journal.begin_again(keys)
        self._budget.lost += len(keys)

    def _end(self, trade: Trade[U, T], chunk: Sequence[Done[U, T]]) -> None:
        entries = [trade.keep(done) for done in chunk]
        for done, entry in zip(chunk, entries, strict=True):
            self._budget.add(entry.spent or Spent(), done.seconds)
        self._journal.end(entries)
        for entry in entries:
            self._counts["running"] -= 1
            self._counts[entry.state] += 1
            self._failed_in_a_row.append(entry.problem.error_type if entry.problem else "")
            trade.tidy(entry)
        self._ended_here += len(entries)
        self._first_chunk = self._first_chunk or (time.monotonic(), self._ended_here)
        self._journal.worked(self._begun_at, time.monotonic() - self._begun)


def refuse_in_starting_worker() -> None:
    """Refuse to begin work where a worker that starts imports the script that asked for workers.

    Raises:
        UsageError: It does; without this each worker would begin what it was started for.
    """
    if getattr(current_process(), "_inheriting", False):  # as multiprocessing itself looks whether it is importing
        raise UsageError(
            "this worker imports a script that begins a sweep or batch when it is imported; let the script do so "
            "under 'if __name__ == \"__main__\":'"
        )


def chosen_executor(scheduler: str, concurrency: int | None, *, waits: bool) -> Executor:
    """Return what does the work.

    Args:
        scheduler: `auto`, the name of an executor, or the address of a Dask scheduler.
        concurrency: How much at once; default is the number of cores, or 4 where work waits for models.
        waits: Whether the work waits for models: then it is done in this process, else in several.

    Raises:
        UsageError: There is no such executor, or it cannot be used here.
    """
    workers = concurrency or (WAITING_FOR_MODELS if waits else os.cpu_count() or 1)
    if "://" in scheduler:
        return registry.executor("dask", workers=workers, address=scheduler)
    name = scheduler if scheduler != "auto" else "asyncio" if waits else "processes"
    return registry.executor(name, workers=workers)
