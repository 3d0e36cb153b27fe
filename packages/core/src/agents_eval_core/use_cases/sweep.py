"""Sweeps: many systems on many papers, which can be broken off anywhere and resumed to the same end."""

import asyncio
from shutil import rmtree

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.ports.store import Store
from agents_eval_core.run import Problem
from agents_eval_core.score import Scorecard
from agents_eval_core.settings import Settings
from agents_eval_core.store.folder_lock import folder_lock
from agents_eval_core.store.journal import Entry, Journal
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import Cell, SweepOrder, SweepPlan
from agents_eval_core.use_cases.dispatch import Done
from agents_eval_core.use_cases.early_stop import EarlyStop
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.reconciliation import reconcile
from agents_eval_core.use_cases.selection import record_of
from agents_eval_core.use_cases.sitting import OnProgress, Sitting, Trade, chosen_executor, refuse_in_starting_worker
from agents_eval_core.use_cases.spending import Budget
from agents_eval_core.use_cases.sweep_cell import CellRun, CellTask, work_cell
from agents_eval_core.use_cases.sweep_cells import sweep_cells
from agents_eval_core.use_cases.sweep_folder import SweepFolder
from agents_eval_core.use_cases.sweep_order import cells, sweep_order, systems
from agents_eval_core.work import Spent, State, WorkProgress


async def begin_sweep(
    plan: SweepPlan, *, settings: Settings, command: str = "", on_progress: OnProgress = lambda _: None
) -> WorkProgress:
    """Begin a sweep and work on it until nothing is left that its budget allows.

    Raises:
        UsageError: Something asked for does not exist or does not fit, or the name is taken; nothing was started.
        StorageError: What was done could not be kept.
        asyncio.CancelledError: It was broken off; `resume_sweep` goes on.
    """
    refuse_in_starting_worker()
    order = await asyncio.to_thread(sweep_order, plan, settings, command=command)
    await asyncio.to_thread(lambda: next(cells(order)))  # what is wrong with runs made earlier is said here
    folder = SweepFolder.begin(order, DataRoot(path=settings.home.resolve()))
    return await _work(folder, order, on_progress)


async def resume_sweep(
    name: str, *, settings: Settings, retry_failed: bool = False, on_progress: OnProgress = lambda _: None
) -> WorkProgress:
    """Go on with a sweep; what is done stays as it is.

    Args:
        name: Of the sweep.
        settings: The data root.
        retry_failed: Whether the cells that failed are done again.
        on_progress: Is told how far it is.

    Raises:
        UsageError: There is no such sweep, or what would do the work now is not what it was begun with.
    """
    refuse_in_starting_worker()
    folder = SweepFolder.named(name, DataRoot(path=settings.home.resolve()))
    order = folder.order()
    _refuse_other_systems(order, folder.settings(order))
    return await _work(folder, order, on_progress, retry_failed=retry_failed)


def sweep_progress(name: str, root: DataRoot) -> WorkProgress:
    """Return how far a sweep is.

    Raises:
        UsageError: There is no such sweep.
    """
    folder = SweepFolder.named(name, root)
    with folder.journal() as journal:
        order = folder.order()
        stop = _early_stop(folder, order)
        return _sitting(order, journal, stop).progress()


async def _work(
    folder: SweepFolder, order: SweepOrder, on_progress: OnProgress, *, retry_failed: bool = False
) -> WorkProgress:
    with folder_lock(folder.path), folder.journal() as journal:
        if not any(journal.counts().values()):
            journal.reserve((cell.key, cell.model_dump_json()) for cell in cells(order))
        journal.give_back()
        if retry_failed:
            for entry in journal.entries("failed"):
                folder.clear(order.run_id(entry.key))
            journal.give_back(failed=True)
        store = registry.store("sqlite", folder.root.database)
        try:
            _restore(folder, order, journal, store)
            stop = _early_stop(folder, order)
            sitting = _sitting(order, journal, stop)
            await sitting.work(_trade(folder, order, store, stop), on_progress)
        finally:
            store.close()
        if not sitting.progress().left:
            folder.clear()
        return sitting.progress()


def _sitting(order: SweepOrder, journal: Journal, stop: EarlyStop | None) -> Sitting[CellTask, CellRun]:
    return Sitting(order.plan.name, journal, _budget(order, journal), stop.answer if stop else lambda: "")


def _early_stop(folder: SweepFolder, order: SweepOrder) -> EarlyStop | None:
    metric = order.plan.stop_when_decided
    return EarlyStop(order, metric, sweep_cells(folder)) if metric else None


def _restore(folder: SweepFolder, order: SweepOrder, journal: Journal, store: Store) -> None:
    """Bring back to the store what a loss of power took from it though the journal has it."""
    kept = {record.id for record in store.of_sweep(order.plan.name)}
    if any(entry.run_id and entry.run_id not in kept for entry in journal.entries("done", "failed")):
        reconcile(folder.root)


def _trade(folder: SweepFolder, order: SweepOrder, store: Store, stop: EarlyStop | None) -> Trade[CellTask, CellRun]:
    place, plan = folder.path.resolve(), order.plan

    def asks_models() -> bool:
        has_model = any(system.has_language_model for system in order.systems)
        return has_model or bool(resolve_judge(plan.judge, folder.settings(order)).judges)

    def task(entry: Entry) -> CellTask:
        return CellTask(folder=place, key=entry.key, content=entry.content, run_id=order.run_id(entry.key))

    def tidy(entry: Entry) -> None:
        if entry.run_id:
            folder.clear(entry.run_id)

    return Trade(
        task=task,
        key=lambda task: task.key,
        work=work_cell,
        keep=lambda done: _kept(done, folder, store, stop),
        tidy=tidy,
        executor=lambda: chosen_executor(plan.scheduler, plan.concurrency, waits=asks_models()),
    )


def _kept(done: Done[CellTask, CellRun], folder: SweepFolder, store: Store, stop: EarlyStop | None) -> Entry:
    """Keep the run of a cell, and return its line of the journal."""
    task, result = done.unit, done.result
    if result is None:
        _look_at(task, None, stop)
        return _entry(task, None, Spent(seconds=done.seconds, tokens=0, cost_usd=0.0), done.problem)
    directory = folder.take_over(RunDirectory(result.directory), task.run_id)
    run, scorecard = directory.read_run(), directory.read_scorecard()
    record, before = record_of(run, directory.path, folder.root, scorecard), store.record(run.id)
    store.finish(record, run.trace, scorecard)
    if before is not None and before.directory != record.directory:
        rmtree(folder.root.path / before.directory, ignore_errors=True)  # a failed one that was done again
    _look_at(task, scorecard, stop)
    return _entry(task, run.id, result.spent, result.problem)


def _look_at(task: CellTask, scorecard: Scorecard | None, stop: EarlyStop | None) -> None:
    if stop is not None:
        cell = Cell.model_validate_json(task.content)
        scores = {score.name: score.value for score in scorecard.scores if score.value is not None} if scorecard else {}
        stop.add(cell.paper, (cell.system.engine, cell.system.composition), scores)


def _entry(task: CellTask, run_id: str | None, spent: Spent, problem: Problem | None) -> Entry:
    state: State = "done" if problem is None else "failed"
    return Entry(key=task.key, content=task.content, state=state, run_id=run_id, spent=spent, problem=problem)


def _budget(order: SweepOrder, journal: Journal) -> Budget:
    plan = order.plan
    budget = Budget(usd=plan.budget_usd, tokens=plan.budget_tokens, seconds=plan.budget_seconds)
    for entry in journal.entries("done", "failed"):
        if entry.spent is not None:
            budget.add(entry.spent, entry.spent.seconds)
    budget.lost = journal.lost()
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
