"""A run that is looked at: read and, if it is a trace of others, evaluated, once as long as its files stay."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st

from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.report.run_report import RunReport, run_report
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.score import Scorecard, Tier
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_trace
from agents_eval_core.use_cases.evaluate_trace import evaluate_trace, is_foreign
from agents_eval_dashboard.awaited import awaited
from agents_eval_dashboard.session import data_root, settings
from agents_eval_dashboard.subject import Subject

LARGEST_TRACE: Final = 128 * 2**20
UNASKED: Final[tuple[Tier, ...]] = (1, 3)  # a judge costs money, and a page is opened and reloaded freely

State = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRun:
    """A run, its files, its scorecard and report where it has one, and why its trace cannot be shown.

    Of others is what was evaluated for the page only.
    """

    run: Run
    scorecard: Scorecard | None
    report: RunReport | None
    files: tuple[Path, ...] = ()
    trace_problem: str = ""
    is_of_others: bool = False


def opened_run(subject: Subject) -> OpenedRun:
    """Return a run with its trace; a trace of others is evaluated without asking a judge, and nothing is kept of it.

    Raises:
        UsageError: There is no such file, or the run's directory is gone.
        UnreadableError: It is damaged.
    """
    if subject.record is not None:
        return _kept(subject.record)
    path = _existing(subject.file)
    if is_foreign(path):
        return _evaluated(path, _state(path), settings().model_dump_json(), settings())
    directory = path if path.is_dir() else path.parent
    return _opened(directory, _state(directory))


def opened_trace(subject: Subject) -> Trace:
    """Return the trace of a run that is kept, or of a file.

    Raises:
        AgentsEvalError: There is none, it cannot be read, or it is too large to be looked at.
    """
    path = None if subject.record else _existing(subject.file)
    if path is not None and is_foreign(path):
        return _read(path, _state(path))
    opened = opened_run(subject)
    if opened.run.trace is None:
        raise UnreadableError(opened.trace_problem or f"run {opened.run.id} left no trace: it is {opened.run.status}")
    return opened.run.trace


def _kept(record: RunRecord) -> OpenedRun:
    directory = data_root().path / record.directory
    if not directory.is_dir():
        raise UsageError(
            f"the run {record.id} is in the store, but its directory {directory} is gone; bring it back from a "
            "copy, or let 'agents-eval doctor' say what else is missing"
        )
    return _opened(directory, _state(directory))


def _existing(file: str) -> Path:
    path = Path(file).expanduser()
    if not path.exists():
        raise UsageError(f"there is no trace at {file!r} on the machine that serves this page; give the path of a file")
    _refuse_huge(path)
    return path


@st.cache_resource(max_entries=8, show_spinner="Reading the run …")
def _opened(_directory: Path, state: State) -> OpenedRun:  # noqa: ARG001  the state, with all paths, is the key
    directory = RunDirectory.open(_directory)
    problem = ""
    try:
        for file in directory.files():
            _refuse_huge(file)
        run = directory.read_run()
    except UnreadableError as failure:
        problem, run = str(failure), directory.read_run(with_trace=False)
    scorecard = directory.read_scorecard()
    report = None if scorecard is None else run_report(run, scorecard)
    return OpenedRun(run=run, scorecard=scorecard, report=report, files=directory.files(), trace_problem=problem)


@st.cache_resource(max_entries=4, show_spinner="Evaluating the trace …")
def _evaluated(path: Path, state: State, key: str, _settings: Settings) -> OpenedRun:  # noqa: ARG001  parts of the key
    done = awaited(evaluate_trace(path, settings=_settings, tiers=UNASKED))
    report = None if done.scorecard is None else run_report(done.run, done.scorecard)
    return OpenedRun(run=done.run, scorecard=done.scorecard, report=report, is_of_others=True)


@st.cache_resource(max_entries=4, show_spinner="Reading the trace …")
def _read(path: Path, state: State) -> Trace:  # noqa: ARG001  part of the key
    return read_trace(path)


def _state(path: Path) -> State:
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
