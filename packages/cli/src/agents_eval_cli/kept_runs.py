"""The runs that are kept under the data root."""

from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.run import RunRecord
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.selection import select_runs


def kept_runs(root: DataRoot) -> tuple[RunRecord, ...]:
    """Return all kept runs, newest first; where nothing was kept yet, nothing is made."""
    if not root.database.is_file():
        return ()
    store = registry.store("sqlite", root.database)
    try:
        return tuple(store.records())
    finally:
        store.close()


def open_run(name: str, root: DataRoot) -> EvaluatedRun:
    """Return one kept run with its scorecard, as they lie in its directory.

    Args:
        name: A run's id or its beginning, another selector of one run, or a run directory.
        root: Where runs are kept.

    Raises:
        UsageError: It names no run, or several.
        UnreadableError: The directory is there but cannot be understood.
    """
    directory = RunDirectory.open(_place(name, root))
    return EvaluatedRun(
        run=directory.read_run(),
        scorecard=directory.read_scorecard(),
        directory=directory.path,
        files=directory.files(),
    )


def _place(name: str, root: DataRoot) -> Path:
    record, *others = select_runs(name, root)
    if others:
        listed = ", ".join(each.id for each in (record, *others)[:3])
        raise UsageError(f"{name!r} names {len(others) + 1} runs ({listed}, …); give the id of one")
    return root.path / record.directory
