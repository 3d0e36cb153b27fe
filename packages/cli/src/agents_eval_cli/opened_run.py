"""A run that is kept under the data root, opened with its scorecard."""

from agents_eval_core.data_root import DataRoot
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.selection import select_run


def open_run(name: str, root: DataRoot) -> EvaluatedRun:
    """Return one kept run with its scorecard, as they lie in its directory.

    Args:
        name: A run's id or its beginning, another selector of one run, or a run directory.
        root: Where runs are kept.

    Raises:
        UsageError: It names no run, or several.
        UnreadableError: The directory is there but cannot be understood.
    """
    directory = RunDirectory.open(root.path / select_run(name, root).directory)
    return EvaluatedRun(
        run=directory.read_run(),
        scorecard=directory.read_scorecard(),
        directory=directory.path,
        files=directory.files(),
    )
