"""Sweeps: many systems on many papers, which can be broken off anywhere and resumed to the same end."""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from shutil import rmtree
from typing import Final

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.ports import Executor, Store
from agents_eval_core.run import Problem
from agents_eval_core.settings import Settings
from agents_eval_core.store.folder_lock import folder_lock
from agents_eval_core.store.journal import Entry, Journal, Spent, State
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import SweepOrder, SweepPlan
from agents_eval_core.use_cases.dispatch import Done, dispatched
from agents_eval_core.use_cases.reconciliation import reconcile
from agents_eval_core.use_cases.selection import record_of
from agents_eval_core.use_cases.spending import Budget
from agents_eval_core.use_cases.sweep_cell import CellRun, CellTask, work_cell
from agents_eval_core.use_cases.sweep_folder import SweepFolder
from agents_eval_core.use_cases.sweep_order import cells, sweep_order, systems

WAITING_FOR_MODELS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepProgress:
    """How far a sweep is.

    Attributes:
        counts: Cells by state.
        spent: What the cells that ended took together.
        elapsed_seconds: By the clock on the wall, over all sessions.
        remaining_seconds: What is left at the pace of this session; None until a second one has ended.
        expected_usd: What the whole sweep comes to at the mean so far; None where that is not known.
        waits_for: Why no further cell begins, where the budget leaves no room.
    """

    name: str
    counts: dict[State, int]
    spent: Spent
    elapsed_seconds: float
    remaining_seconds: float | None
    expected_usd: float | None
    waits_for: str = ""

    @property
    def total(self) -> int:
        """All cells."""
        return sum(self.counts.values())

    @property
    def ended(self) -> int:
        """The cells that are done or failed."""
        return self.counts["done"] + self.counts["failed"]

    @property
    def left(self) -> int:
        """The cells that are still to be done."""
        return self.total - self.ended


OnProgress = Callable[[SweepProgress], None]


async def begin_sweep(
    plan: SweepPlan, *, settings: Settings, command: str = "", on_progress: OnProgress = lambda _: None
) -> SweepProgress:
    """Begin a sweep and work on it until nothing is left that its budget allows.

    Raises:
        UsageError: Something asked for does not exist or does not fit, or the name is taken; nothing was started.
        StorageError: What was done could not be kept.
        asyncio.CancelledError: It was broken off; `resume_sweep` goes on.
    """
    order = await asyncio.to_thread(sweep_order, plan, settings, command=command)
    await asyncio.to_thread(lambda: next(cells(order)))  # what is wrong with runs made earlier is said here
    folder = SweepFolder.begin(order, DataRoot(path=settings.home.resolve()))
    return await _work(folder, order, on_progress)


async def resume_sweep(
    name: str, *, settings: Settings, retry_failed: bool = False, on_progress: OnProgress = lambda _: None
) -> SweepProgress:
    """Go on with a sweep; what is done stays as it is.

    Args:
        name: Of the sweep.
        settings: The data root.
        retry_failed: Whether the cells that failed are done again.
        on_progress: Is told how far it is.

    Raises:
        UsageError: There is no such sweep, or what would do the work now is not what it was begun with.
    """
    folder = SweepFolder.named(name, DataRoot(path=settings.home.resolve()))
    order = folder.order()
    _refuse_other_systems(order, folder.settings(order))
    return await _work(folder, order, on_progress, retry_failed=retry_failed)


def sweep_progress(name: str, root: DataRoot) -> SweepProgress:
    """Return how far a sweep is.

    Raises:
        UsageError: There is no such sweep.
    """
    folder = SweepFolder.named(name, root)
    with folder.journal() as journal:
        order = folder.order()
        return _Session(folder, order, journal, _budget(order, journal)).progress()


async def _work(
    folder: SweepFolder, order: SweepOrder, on_progress: OnProgress, *, retry_failed: bool = False
) -> SweepProgress:
    with folder_lock(folder.path), folder.journal() as journal:
        if not any(journal.counts().values()):
            journal.reserve((cell.key, cell.model_dump_json()) for cell in cells(order))
        journal.give_back()
        if retry_failed:
            for entry in journal.entries("failed"):
                folder.clear(order.run_id(entry.key))
            journal.give_back(failed=True)
        session = _Session(folder, order, journal, _budget(order, journal))
        store = registry.store("sqlite", folder.root.database)
        try:
            session.restore(store)
            await session.work(store, on_progress)
        finally:
            store.close()
        if not session.progress().left:
            folder.clear()
        return session.progress()


class _Session:
    """One sitting of work on a sweep."""

    def __init__(self, folder: SweepFolder, order: SweepOrder, journal: Journal, budget: Budget) -> None:
        self._folder, self._order, self._journal, self._budget = folder, order, journal, budget
        self._begun_at, self._begun = datetime.now(UTC), time.monotonic()
        self._earlier_seconds = journal.seconds_worked()
        self._counts = journal.counts()
        self._first_chunk: tuple[float, int] | None = None
        self._ended_here = 0

    @property
    def elapsed(self) -> float:
        """All sessions together."""
        return self._earlier_seconds + time.monotonic() - self._begun

    def restore(self, store: Store) -> None:
        """Bring back to the store what a loss of power took from it though the journal has it."""
        kept = {record.id for record in store.of_sweep(self._order.plan.name)}
        if any(entry.run_id and entry.run_id not in kept for entry in self._journal.entries("done", "failed")):
            reconcile(self._folder.root)

    async def work(self, store: Store, on_progress: OnProgress) -> None:
        """Do the cells that are reserved, as far as the budget allows."""
        limit = self._order.plan.budget_seconds
        if not self._counts["reserved"] or (limit is not None and self.elapsed >= limit):
            return
        executor = await asyncio.to_thread(self._executor)
        try:
            async with asyncio.timeout(limit - self.elapsed if limit is not None else None):
                chunks = dispatched(self._take, work_cell, executor, on_lost=self._lost)
                async with aclosing(chunks):
                    async for chunk in chunks:
                        self._end([self._kept(done, store) for done in chunk])
                        on_progress(self.progress())
        except TimeoutError:
            pass  # the time of the budget is over; what was under way is given back
        finally:
            with suppress(Exception):
                executor.close()
            self._journal.give_back()
            self._counts = self._journal.counts()

    def progress(self) -> SweepProgress:
        """Return how far the sweep is."""
        spent, counts = self._budget.spent, self._counts
        total, ended = sum(counts.values()), counts["done"] + counts["failed"]
        pace = self._pace()
        usd = spent.cost_usd * total / ended if spent.cost_usd is not None and ended else None
        return SweepProgress(
            name=self._order.plan.name,
            counts=dict(counts),
            spent=spent,
            elapsed_seconds=self.elapsed if self._ended_here else self._earlier_seconds,
            remaining_seconds=pace * (total - ended) if pace is not None else None,
            expected_usd=usd,
            waits_for=self._budget.reached(counts["running"], self.elapsed) if total > ended else "",
        )

    def _pace(self) -> float | None:
        """Return the seconds a cell takes since the first ended: the start of workers is over by then."""
        if self._first_chunk is None or self._ended_here == self._first_chunk[1]:
            return None
        return (time.monotonic() - self._first_chunk[0]) / (self._ended_here - self._first_chunk[1])

    def _executor(self) -> Executor:
        plan = self._order.plan
        has_model = any(system.has_language_model for system in self._order.systems)
        workers = plan.concurrency or (WAITING_FOR_MODELS if has_model else os.cpu_count() or 1)
        if "://" in plan.scheduler:
            return registry.executor("dask", workers=workers, address=plan.scheduler)
        name = plan.scheduler if plan.scheduler != "auto" else "asyncio" if has_model else "processes"
        return registry.executor(name, workers=workers)

    def _take(self, number: int) -> Sequence[CellTask]:
        room = self._budget.room(self._counts["running"], self.elapsed)
        entries = self._journal.begin(number if room is None else min(number, room))
        self._counts["running"] += len(entries)
        self._counts["reserved"] -= len(entries)
        folder, name = self._folder.path.resolve(), self._order.run_id
        return [CellTask(folder=folder, key=each.key, content=each.content, run_id=name(each.key)) for each in entries]

    def _lost(self, tasks: Sequence[CellTask]) -> None:
        self._journal.begin_again([task.key for task in tasks])
        self._budget.lost += len(tasks)

    def _kept(self, done: Done[CellTask, CellRun], store: Store) -> Entry:
        """Keep the run of a cell, and return its line of the journal."""
        task, result = done.unit, done.result
        if result is None:
            self._budget.add(Spent(tokens=0, cost_usd=0.0), done.seconds)
            return _entry(task, None, Spent(seconds=done.seconds, tokens=0, cost_usd=0.0), done.problem)
        directory = self._folder.take_over(RunDirectory(result.directory), task.run_id)
        run, scorecard = directory.read_run(), directory.read_scorecard()
        record, before = record_of(run, directory.path, self._folder.root, scorecard), store.record(run.id)
        store.finish(record, run.trace, scorecard)
        if before is not None and before.directory != record.directory:
            rmtree(self._folder.root.path / before.directory, ignore_errors=True)  # a failed one that was done again
        self._budget.add(result.spent, done.seconds)
        return _entry(task, run.id, result.spent, result.problem)

    def _end(self, entries: Sequence[Entry]) -> None:
        self._journal.end(entries)
        for entry in entries:
            self._counts["running"] -= 1
            self._counts[entry.state] += 1
            if entry.run_id:
                self._folder.clear(entry.run_id)
        self._ended_here += len(entries)
        self._first_chunk = self._first_chunk or (time.monotonic(), self._ended_here)
        self._journal.worked(self._begun_at, time.monotonic() - self._begun)


def _entry(task: CellTask, run_id: str | None, spent: Spent, problem: Problem | None) -> Entry:
    state: State = "done" if problem is None else "failed"
    return Entry(key=task.key, content=task.content, state=state, run_id=run_id, spent=spent, problem=problem)


def _budget(order: SweepOrder, journal: Journal) -> Budget:
    plan = order.plan
    budget = Budget(usd=plan.budget_usd, tokens=plan.budget_tokens, seconds=plan.budget_seconds)
    for entry in journal.entries("done", "failed"):
        if entry.spent is not None:
            budget.add(entry.spent, entry.spent.seconds)
    budget.lost = journal.totals()[0]
    return budget


def _refuse_other_systems(order: SweepOrder, settings: Settings) -> None:
    now = tuple(systems(order.plan, settings))
    if now == order.systems:
        return
    changed = sorted(
        f"{name} {before} became {system.versions.get(name)}"
        for old, system in zip(order.systems, now, strict=False)
        for name, before in old.versions.items()
        if system.versions.get(name) != before
    )
    what = ", ".join(dict.fromkeys(changed)) or "the prompts, the model or the compositions are not the same"
    raise UsageError(
        f"the sweep {order.plan.name!r} was begun with other systems than there are now ({what}); results would be "
        "mixed. Bring back what it was begun with, or begin a new sweep"
    )
