"""One cell of a sweep, done wherever there is a worker: the run, and its evaluation, in the workshop of the sweep."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.run import Problem, Run
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import Cell, SweepOrder
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.earlier_runs import earlier_result, is_run_directory, stream_in
from agents_eval_core.use_cases.evaluate_trace import read_asked, write_evaluated
from agents_eval_core.use_cases.judge_choice import resolve_judge
from agents_eval_core.use_cases.run_review import run_to_its_end
from agents_eval_core.use_cases.spending import spent_judging, spent_on
from agents_eval_core.use_cases.sweep_folder import SweepFolder
from agents_eval_core.use_cases.sweep_order import engine_options
from agents_eval_core.work import Spent

PAPERS_KEPT = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTask:
    """A cell to be done: where its sweep lies, what it is, and which run it becomes."""

    folder: Path
    key: str
    content: str
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRun:
    """A cell that was done: the run's directory, why it failed if it did, and what it took."""

    directory: Path
    problem: Problem | None
    spent: Spent


async def work_cell(task: CellTask) -> CellRun:
    """Make the run of a cell and evaluate it.

    What an earlier attempt has finished is not done again: a run that is whole is only evaluated, one that is evaluated
    is only handed over.

    Raises:
        AgentsEvalError: The cell cannot be done; no run was made.
        asyncio.CancelledError: It was given up; what was made is not handed over.
    """
    order, settings = _order(task.folder)
    folder = SweepFolder(task.folder)
    cell = Cell.model_validate_json(task.content)
    directory = folder.made(task.run_id) or await _made(task, cell, order, settings, folder)
    run, scorecard = directory.read_run(), directory.read_scorecard()
    if run.status == "complete" and scorecard is None:
        context = resolve_judge(cell.judge, settings, run.system)
        run, scorecard = await write_evaluated(directory, settings=settings, context=context)
    spent = spent_judging(spent_on(run, scorecard), read_asked(directory))
    return CellRun(directory=directory.path, problem=run.problem, spent=spent)


async def _made(task: CellTask, cell: Cell, order: SweepOrder, settings: Settings, folder: SweepFolder) -> RunDirectory:
    plan = order.plan
    case = _case(cell.dataset, cell.paper, data_folder(cell.dataset, plan.data_dir, settings))
    started = Run(
        id=task.run_id,
        status="unfinished",
        case=case,
        system=cell.system,
        created_at=datetime.now(UTC),
        sweep=plan.name,
        repetition=cell.repetition,
    )
    directory = RunDirectory.create(folder.attempt(task.run_id), started)
    if cell.made_earlier is not None and is_run_directory(cell.made_earlier):
        result = earlier_result(cell.made_earlier, case)
    else:
        engine, earlier = registry.engine(cell.system.engine), cell.made_earlier
        options = engine_options(plan, settings, engine, cell.system.composition, task.run_id)
        if earlier is not None:
            options = replace(options, made_earlier=stream_in(earlier))
        result = await run_to_its_end(engine, started, options)
    run, files = result.run, dict(result.files) if settings.trace_collection else {}
    if run.status == "interrupted":
        raise asyncio.CancelledError
    own = {"id": started.id, "case": case, "sweep": started.sweep, "repetition": started.repetition}
    directory.finish(run.changed(**own, created_at=started.created_at), files)
    return directory


@lru_cache(maxsize=4)
def _order(folder: Path) -> tuple[SweepOrder, Settings]:
    order = SweepFolder(folder).order()
    return order, SweepFolder(folder).settings(order)


@lru_cache(maxsize=PAPERS_KEPT)
def _case(dataset: str, paper: str, folder: Path | None) -> Case:
    return registry.dataset(dataset).case(paper, folder)
