"""Evaluate several runs together: those of each task against one another."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import fsum
from pathlib import Path

from agents_eval_core.claude_code_sessions import is_pointer, session_transcript
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UndefinedMetricError, UnreadableError, UsageError
from agents_eval_core.frozen import Frozen
from agents_eval_core.group_evaluation import GroupScorecard, evaluate_group, evaluate_set, task_of
from agents_eval_core.run import Run
from agents_eval_core.score import Range
from agents_eval_core.settings import Settings
from agents_eval_core.statistics.clustered import clustered_mean
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.trace_source import read_traces
from agents_eval_core.use_cases.evaluate_trace import is_foreign, run_of
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.selection import select_runs
from agents_eval_core.use_cases.trace_files import readable_files


class TaskMean(Frozen):
    """A metric across runs, averaged over tasks: each task counts once, however many runs it has.

    Attributes:
        interval: The 95 % t interval over tasks; None with fewer than two.
        tasks: In how many tasks the metric has a value.
    """

    metric: str
    mean: float
    interval: Range | None
    tasks: int


class EvaluatedGroups(Frozen):
    """Several runs, by task.

    Attributes:
        groups: The tasks in the order in which they appeared; one of which there is a single run is among them.
        means: The scores averaged over tasks.
        together: What can be said of the runs of all tasks together; None where there is one task.
        unread: Files that no format recognises, or that could not be read, and why.
    """

    groups: tuple[GroupScorecard, ...]
    means: tuple[TaskMean, ...]
    together: GroupScorecard | None = None
    unread: tuple[str, ...] = ()


async def evaluate_groups(
    sources: Sequence[str | Path],
    *,
    settings: Settings,
    trace_format: str | None = None,
    same_task: bool = False,
    judge: str | None = None,
) -> EvaluatedGroups:
    """Return what can be said across the runs of each task.

    The runs are grouped by data set and case: the case's group, else the trace's task. A trace without a task id is a
    task of its own, unless `same_task` says otherwise. The same trace given twice counts once.

    Args:
        sources: Trace files, folders of them, run directories, selectors of kept runs, pointers to the user's sessions.
        settings: Data root and time limit.
        trace_format: The format of all trace files; by default each is recognised by its content.
        same_task: Whether all are runs of one task, whatever their task ids.
        judge: Who judges, as for `evaluate_trace`; default is the setting, else none.

    Raises:
        UsageError: A source is not there, or no run was found in them.
        UnreadableError: A file that was named, not found in a folder, cannot be understood.
    """
    context = resolve_judge(judge, settings)
    unread: list[str] = []
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in _distinct(chain.from_iterable(_runs(source, settings, trace_format, unread) for source in sources)):
        key = ("", "one task") if same_task else task_of(run)
        groups.setdefault(key, []).append(_of_task(run, *key) if same_task else run)
    if not groups:
        raise UsageError(
            f"no run was found in {', '.join(map(str, sources))}: a folder there has no run.json and its files are in "
            "no trace format that is known; give trace files, folders of them, or selectors of kept runs"
        )
    cards = [await evaluate_group(_told_apart(runs), settings=settings, context=context) for runs in groups.values()]
    every = _told_apart([run for runs in groups.values() for run in runs])
    together = await evaluate_set(every, settings=settings) if len(groups) > 1 else None
    return EvaluatedGroups(groups=tuple(cards), means=tuple(task_means(cards)), together=together, unread=tuple(unread))


def task_means(groups: Sequence[GroupScorecard]) -> Iterator[TaskMean]:
    """Yield each score's mean over the groups that have a value for it."""
    values: dict[str, list[float]] = {}
    for group in groups:
        for score in group.scores:
            if score.value is not None:
                values.setdefault(score.name, []).append(score.value)
    for metric, known in values.items():
        try:
            estimate = clustered_mean(known, range(len(known)))
            edges = Range(low=max(0.0, estimate.low), high=min(1.0, estimate.high))
            interval = None if estimate.is_constant else edges
        except UndefinedMetricError:
            interval = None
        yield TaskMean(metric=metric, mean=fsum(known) / len(known), interval=interval, tasks=len(known))


def _runs(source: str | Path, settings: Settings, trace_format: str | None, unread: list[str]) -> Iterator[Run]:
    path = session_transcript(str(source)) if is_pointer(str(source)) else Path(source)
    if not is_foreign(path):
        root = DataRoot(path=settings.home)
        for record in select_runs(str(source), root):
            yield RunDirectory.open(root.path / record.directory).read_run()
        return
    if path.is_file():
        yield from map(run_of, read_traces(path, trace_format))
        return
    for file, name in readable_files(path, trace_format, unread):
        try:
            yield from map(run_of, read_traces(file, name))
        except UnreadableError as problem:
            unread.append(str(problem))


def _distinct(runs: Iterable[Run]) -> Iterator[Run]:
    seen: set[tuple[str | None, str]] = set()
    for run in runs:
        same = (run.trace.source.digest if run.trace is not None else None, run.id)
        if same not in seen:
            seen.add(same)
            yield run


def _told_apart(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with ids that differ: what two traces share is numbered."""
    count: dict[str, int] = {}
    named: list[Run] = []
    for run in runs:
        count[run.id] = count.get(run.id, 0) + 1
        named.append(run if count[run.id] == 1 else run.changed(id=f"{run.id}#{count[run.id]}"))
    return named


def _of_task(run: Run, dataset: str, task: str) -> Run:
    return run.changed(case=run.case.changed(dataset=dataset, group_id=task))
