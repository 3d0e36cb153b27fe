"""Batches: stored traces and runs evaluated in bulk, which can be broken off anywhere and resumed to the same end."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

from agents_eval_core import registry
from agents_eval_core.batch import BatchItem, BatchOrder
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.evaluation import installed
from agents_eval_core.ports.store import Store
from agents_eval_core.run import TraceReference
from agents_eval_core.score import Tier
from agents_eval_core.settings import Settings, by_setting_names
from agents_eval_core.store.atomic_file import is_draft
from agents_eval_core.store.folder_lock import folder_lock
from agents_eval_core.store.journal import Entry
from agents_eval_core.store.run_directory import RUN, RunDirectory
from agents_eval_core.trace_source import read_traces, recognised
from agents_eval_core.use_cases.batch_folder import BatchFolder
from agents_eval_core.use_cases.batch_item import ItemTask, work_item
from agents_eval_core.use_cases.dispatch import Done
from agents_eval_core.use_cases.evaluate_trace import read_asked
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.selection import record_of, select_runs
from agents_eval_core.use_cases.sitting import OnProgress, Sitting, Trade, chosen_executor, refuse_in_starting_worker
from agents_eval_core.use_cases.spending import Budget, spent_judging
from agents_eval_core.use_cases.trace_files import readable_files
from agents_eval_core.use_cases.versions_in_use import versions_in_use
from agents_eval_core.work import Spent, WorkProgress


async def begin_batch(
    sources: Sequence[str],
    *,
    settings: Settings,
    name: str | None = None,
    tiers: Sequence[Tier] | None = None,
    judge: str | None = None,
    trace_format: str | None = None,
    concurrency: int | None = None,
    scheduler: str = "auto",
    on_progress: OnProgress = lambda _: None,
) -> WorkProgress:
    """Evaluate everything that some sources hold.

    Runs of ours get new scorecards in their directories; each foreign trace becomes a run of its own in the store,
    whose trace stays where it is.

    Args:
        sources: Run directories, trace files, folders of either (of one with run directories, these alone are taken),
            and selectors of stored runs.
        settings: Data root, limits and weights.
        name: What the batch is called; default is the time.
        tiers: Only these tiers.
        judge: `provider` or `provider:model`; default is the setting, else none.
        trace_format: The format of the trace files; by default it is recognised by content.
        concurrency: How much at once; default is the number of cores, or 4 with a judge.
        scheduler: As for a sweep.
        on_progress: Is told how far it is.

    Raises:
        UsageError: A source is nothing of the kind, or the name is taken; nothing was started.
    """
    refuse_in_starting_worker()
    resolve_judge(judge, settings)
    now = datetime.now(UTC)
    unread: list[str] = []
    order = BatchOrder(
        name=name or usual_name(now),
        sources=tuple(sources),
        tiers=tuple(tiers) if tiers else None,
        judge=judge,
        trace_format=trace_format,
        concurrency=concurrency,
        scheduler=scheduler,
        settings=by_setting_names(settings),
        versions=versions_in_use(),
        begun_at=now,
    )
    root = DataRoot(path=settings.home.resolve())
    _refuse_unknown(sources, root)
    folder = BatchFolder.begin(order, root)
    planned = await asyncio.to_thread(_plan, folder, order, unread)
    if not planned:
        rmtree(folder.path)
        raise UsageError(f"nothing in {', '.join(sources)} is a run or a trace: {'; '.join(unread[:3]) or 'empty'}")
    folder.keep_order(order.changed(unread=tuple(unread)))
    return await _work(folder, on_progress)


async def resume_batch(
    name: str, *, settings: Settings, retry_failed: bool = False, on_progress: OnProgress = lambda _: None
) -> WorkProgress:
    """Go on with a batch; what is done stays as it is.

    Raises:
        UsageError: There is no such batch.
    """
    refuse_in_starting_worker()
    folder = BatchFolder.named(name, DataRoot(path=settings.home.resolve()))
    return await _work(folder, on_progress, retry_failed=retry_failed)


def usual_name(moment: datetime) -> str:
    """Return what a batch is called that begins at a moment and was given no name."""
    return f"{moment:batch-%Y%m%dT%H%M%SZ}"


def batch_progress(name: str, root: DataRoot) -> WorkProgress:
    """Return how far a batch is.

    Raises:
        UsageError: There is no such batch.
    """
    with BatchFolder.named(name, root).journal() as journal:
        return Sitting[ItemTask, Path](name, journal, Budget()).progress()


async def _work(folder: BatchFolder, on_progress: OnProgress, *, retry_failed: bool = False) -> WorkProgress:
    order = folder.order()
    with folder_lock(folder.path), folder.journal() as journal:
        if not any(journal.counts().values()):
            journal.reserve(_cells(order, folder.root, []))
        journal.give_back()
        if retry_failed:
            journal.give_back(failed=True)
        sitting = Sitting[ItemTask, Path](order.name, journal, Budget())
        store = registry.store("sqlite", folder.root.database)
        try:
            await sitting.work(_trade(folder, order, store), on_progress)
        finally:
            store.close()
        if not sitting.progress().left:
            folder.clear()
        return sitting.progress()


def _refuse_unknown(sources: Sequence[str], root: DataRoot) -> None:
    for source in sources:
        if not Path(source).exists():
            select_runs(source, root)


def _plan(folder: BatchFolder, order: BatchOrder, unread: list[str]) -> int:
    with folder.journal() as journal:
        journal.reserve(_cells(order, folder.root, unread))
        return sum(journal.counts().values())


def _trade(folder: BatchFolder, order: BatchOrder, store: Store) -> Trade[ItemTask, Path]:
    place = folder.path.resolve()

    def has_judge() -> bool:
        return bool(resolve_judge(order.judge, folder.settings(order)).judges)

    def task(entry: Entry) -> ItemTask:
        return ItemTask(folder=place, key=entry.key, content=entry.content, run_id=order.run_id(entry.key))

    def tidy(entry: Entry) -> None:
        if entry.run_id and folder.bench(entry.run_id).exists():
            folder.clear(entry.run_id)

    return Trade(
        task=task,
        key=lambda task: task.key,
        work=work_item,
        keep=lambda done: _kept(done, folder, store),
        tidy=tidy,
        executor=lambda: chosen_executor(order.scheduler, order.concurrency, waits=has_judge()),
    )


def _kept(done: Done[ItemTask, Path], folder: BatchFolder, store: Store) -> Entry:
    """Keep the scores of an item in the store, and return its line of the journal."""
    task = done.unit
    spent = Spent(seconds=done.seconds, tokens=0, cost_usd=0.0)  # the run itself was paid for before
    if done.result is None:
        return Entry(key=task.key, content=task.content, state="failed", problem=done.problem, spent=spent)
    directory = RunDirectory(done.result)
    if directory.path.is_relative_to(folder.bench(task.run_id)):
        directory = folder.take_over(directory, task.run_id)
    run, scorecard = directory.read_run(with_trace=False), directory.read_scorecard()
    record = record_of(run, directory.path, folder.root, scorecard)
    spent = spent_judging(spent, read_asked(directory))
    if scorecard is not None and (run.trace_at is not None or store.record(run.id) is not None):
        store.rescore(record, scorecard)
    else:
        store.finish(record, directory.read_run().trace, scorecard)
    return Entry(key=task.key, content=task.content, state="done", run_id=run.id, spent=spent)


def _cells(order: BatchOrder, root: DataRoot, unread: list[str]) -> Iterator[tuple[str, str]]:
    evaluators = sorted(f"{plugin.name} {plugin.version}" for plugin in installed().evaluators)
    digest = sha256("\n".join(evaluators).encode()).hexdigest()[:16]
    for source in order.sources:
        for found in _of_source(source, order.trace_format, root, unread):
            item = found.changed(tiers=order.tiers, judge=order.judge, evaluators=digest)
            yield item.key, item.model_dump_json(exclude_defaults=True)


def _of_source(source: str, trace_format: str | None, root: DataRoot, unread: list[str]) -> Iterator[BatchItem]:
    path = Path(source)
    if path.is_dir() and not (path / RUN).is_file():
        runs = sorted(str(file.parent.resolve()) for file in path.rglob(RUN) if not is_draft(file.parent))
        yield from (BatchItem(directory=run) for run in runs)
        for file, name in readable_files(path, trace_format, unread) if not runs else ():
            yield from _traces(file, name, unread)
    elif path.is_file() and path.name != RUN:
        yield from _traces(path, trace_format or recognised(path).name, unread)
    else:
        for record in select_runs(source, root):
            yield BatchItem(directory=str((root.path / record.directory).resolve()))


def _traces(file: Path, trace_format: str, unread: list[str]) -> Iterator[BatchItem]:
    try:
        for position, trace in enumerate(read_traces(file, trace_format)):
            place = TraceReference(
                path=str(file.resolve()),
                trace_format=trace_format,
                trace_id=trace.id,
                position=position,
                digest=trace.source.digest,
            )
            yield BatchItem(trace=place)
    except Exception as problem:  # noqa: BLE001  one damaged file does not keep the others from being evaluated
        unread.append(f"{file}: {problem}")
