"""What the dashboard reads: the runs in the store, and the scorecard of one."""

from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.settings import load_settings
from agents_eval_core.store.run_directory import RunDirectory


def data_root() -> DataRoot:
    """Return the data root of the user's settings."""
    return DataRoot(path=load_settings(Path.cwd()).home)


def records(root: DataRoot) -> tuple[RunRecord, ...]:
    """Return the runs, newest first; none where nothing was ever kept."""
    if not root.database.is_file():
        return ()
    store = registry.store("sqlite", root.database)
    try:
        return tuple(store.records())
    finally:
        store.close()


def opened(root: DataRoot, record: RunRecord) -> tuple[Run, Scorecard | None]:
    """Return a run and its scorecard, which is None where the run was not evaluated."""
    directory = RunDirectory.open(root.path / record.directory)
    return directory.read_run(), directory.read_scorecard()
