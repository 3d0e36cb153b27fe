"""A run that is looked at: found by what the address names, read once as long as its files stay as they are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError, UnreadableError, UsageError
from agents_eval_core.report.run_report import RunReport, run_report
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.run_list import RunOrder
from agents_eval_core.score import Scorecard
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.run_list import list_runs
from agents_eval_core.use_cases.selection import select_runs
from agents_eval_core.use_cases.trace_of import trace_of
from agents_eval_dashboard.drawing import plain, refusal
from agents_eval_dashboard.links import label_of
from agents_eval_dashboard.session import data_root, settings

LARGEST_TRACE: Final = 128 * 2**20
OFFERED: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRun:
    """A run, its files, its scorecard and report where it has one, and why its trace cannot be shown."""

    record: RunRecord
    run: Run
    scorecard: Scorecard | None
    report: RunReport | None
    directory: Path
    files: tuple[Path, ...]
    trace_problem: str = ""


def chosen_run() -> RunRecord | None:
    """Return the run that the address names, offer the newest to choose from, and write the choice into the address.

    What is wrong with the address is said in place of the run; None then, and where there is no run yet.
    """
    root = data_root()
    named = st.query_params.get("id", "")
    newest = list_runs(root, order=RunOrder(size=OFFERED))
    if not newest.records and not named:
        st.info("There is no run yet. `agents-eval quickstart` makes some in a few seconds, offline and without a key.")
        return None
    try:
        record = _named(named, root) if named else None
    except AgentsEvalError as problem:
        refusal(problem)
        st.page_link("screens/runs.py", label="All runs there are", icon=":material/list:")
        return None
    offered = [each for each in newest.records if record is None or each.id != record.id]
    options = ([record] if record else []) + offered
    chosen = st.selectbox(
        f"Run (the newest {len(newest.records)} of {newest.total:,}; the page Runs finds any)",
        options,
        format_func=label_of,
        key=f"run {named}",
    )
    if chosen.id != named:
        st.query_params["id"] = chosen.id
    return chosen


def opened_run(record: RunRecord) -> OpenedRun:
    """Return a run with its trace.

    Raises:
        UsageError: Its directory is gone.
        UnreadableError: It is damaged.
    """
    directory = data_root().path / record.directory
    if not directory.is_dir():
        raise UsageError(
            f"the run {record.id} is in the store, but its directory {directory} is gone; bring it back from a "
            "copy, or let 'agents-eval doctor' say what else is missing"
        )
    return _opened(record, directory, _state(directory))


def opened_trace(source: str) -> Trace:
    """Return the trace of a run, a run directory or a trace file.

    Raises:
        AgentsEvalError: There is none, it cannot be read, or it is too large to be looked at.
    """
    path = Path(source)
    if path.exists():
        _refuse_huge(path)
        return _foreign_trace(source, _state(path))
    run = opened_run(_named(source, data_root()))
    if run.run.trace is None:
        why = run.trace_problem or f"run {run.record.id} left no trace: it is {run.record.status}"
        raise UnreadableError(why)
    return run.run.trace


def _named(selector: str, root: DataRoot) -> RunRecord:
    record, *others = select_runs(selector, root)
    if others:
        raise UsageError(f"{selector!r} names {len(others) + 1} runs; give the id of one")
    return record


@st.cache_resource(max_entries=8, show_spinner="Reading the run …")
def _opened(record: RunRecord, _directory: Path, state: tuple[tuple[str, int, int], ...]) -> OpenedRun:  # noqa: ARG001  part of the key
    directory = RunDirectory.open(_directory)
    problem = ""
    try:
        for file in directory.files():
            _refuse_huge(file)
        run = directory.read_run()
    except UnreadableError as failure:
        problem, run = str(failure), directory.read_run(with_trace=False)
    scorecard = directory.read_scorecard()
    return OpenedRun(
        record=record,
        run=run,
        scorecard=scorecard,
        report=None if scorecard is None else run_report(run, scorecard),
        directory=_directory,
        files=directory.files(),
        trace_problem=problem,
    )


@st.cache_resource(max_entries=4, show_spinner="Reading the trace …")
def _foreign_trace(source: str, state: tuple[tuple[str, int, int], ...]) -> Trace:  # noqa: ARG001  part of the key
    return trace_of(source, settings=settings())


def _state(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return what changes when a file, or one of a folder's, does."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    found = ((file, file.stat()) for file in files)
    return tuple((str(file), about.st_mtime_ns, about.st_size) for file, about in found)


def _refuse_huge(path: Path) -> None:
    size = path.stat().st_size
    if path.is_file() and size > LARGEST_TRACE:
        raise UnreadableError(
            f"{path.name} has {size / 2**20:,.0f} MB, and {LARGEST_TRACE / 2**20:,.0f} MB are the most that is drawn "
            f"here; 'agents-eval trace stats {path}' tells what is in it without a browser"
        )


def heading(run: Run) -> None:
    """Write which run this is."""
    st.header(plain(run.case.paper.title if run.case.paper else run.case.id))
