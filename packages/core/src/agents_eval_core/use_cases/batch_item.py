"""One item of a batch, evaluated wherever there is a worker."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.batch import BatchItem, BatchOrder
from agents_eval_core.errors import UnreadableError
from agents_eval_core.evaluation import evaluate
from agents_eval_core.run import TraceReference
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_traces
from agents_eval_core.use_cases.batch_folder import BatchFolder
from agents_eval_core.use_cases.evaluate_trace import run_of
from agents_eval_core.use_cases.judge_choice import resolve_judge


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemTask:
    """An item to be evaluated: where its batch lies, what it is, and which run a trace becomes."""

    folder: Path
    key: str
    content: str
    run_id: str


async def work_item(task: ItemTask) -> Path:
    """Evaluate an item, and return the run directory that has its scorecard.

    A run of ours is scored in its own directory, with the reports it has. A trace becomes a run whose trace stays where
    it is.

    Raises:
        AgentsEvalError: It cannot be read.
    """
    order, settings = _order(task.folder)
    item = BatchItem.model_validate_json(task.content)
    context = resolve_judge(item.judge, settings)
    if item.directory is not None:
        directory = RunDirectory.open(Path(item.directory))
    else:
        directory = BatchFolder(task.folder).made(task.run_id) or _made(task, item.trace, order)
        if directory.read_scorecard() is not None:
            return directory.path
    run = directory.read_run(with_trace=item.trace is None)
    if item.trace is not None:
        run = run.changed(trace=_trace(item.trace))
    scorecard = await evaluate(run, settings=settings, context=context, tiers=item.tiers)
    views = (registry.view(name) for name in registry.names("views"))
    old = [view for view in views if (directory.path / view.file_name).is_file()]
    directory.write_scorecard(scorecard, {view.file_name: view.render(run, scorecard) for view in old})
    return directory.path


def _made(task: ItemTask, place: TraceReference | None, order: BatchOrder) -> RunDirectory:
    if place is None:
        raise UnreadableError(f"the item {task.key} of the batch {order.name} names neither a run nor a trace")
    run = run_of(_trace(place)).changed(id=task.run_id, sweep=order.name, trace_at=place)
    directory = RunDirectory.create(BatchFolder(task.folder).attempt(task.run_id), run)
    directory.finish(run, {})
    return directory


def _trace(place: TraceReference) -> Trace:
    """Return a trace; of a file with many, in the order in which they come, each is read once."""
    return _cursor(place.path, place.trace_format).at(place)


class _Cursor:
    """The place in a file of traces up to which it was read."""

    def __init__(self, path: str, trace_format: str) -> None:
        self._path, self._format = Path(path), trace_format
        self._traces: Iterator[Trace] = iter(())
        self._next = 0
        self._last: Trace | None = None

    def at(self, place: TraceReference) -> Trace:
        if self._last is None or place.position != self._next - 1:
            if self._last is None or place.position < self._next:
                self._traces, self._next = read_traces(self._path, self._format), 0
            self._last = next(islice(self._traces, place.position - self._next, None), None)
            self._next = place.position + 1
        if self._last is None or self._last.id != place.trace_id:
            self._next, self._last = 0, None
            raise UnreadableError(f"{self._path} is not what it was when the batch was begun; evaluate it anew")
        return self._last


@lru_cache(maxsize=4)
def _cursor(path: str, trace_format: str) -> _Cursor:
    return _Cursor(path, trace_format)


@lru_cache(maxsize=4)
def _order(folder: Path) -> tuple[BatchOrder, Settings]:
    order = BatchFolder(folder).order()
    return order, BatchFolder(folder).settings(order)
