"""The trace of whatever a user names: a stored run, a run directory, or a trace file."""

from pathlib import Path

from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UsageError
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_trace
from agents_eval_core.use_cases.evaluate_trace import is_foreign
from agents_eval_core.use_cases.selection import select_run


def trace_of(
    source: str,
    *,
    settings: Settings,
    trace_format: str | None = None,
    trace_id: str | None = None,
    root: Path | None = None,
) -> Trace:
    """Return the trace of a run.

    Args:
        source: A run's id or its beginning, a run directory, a trace file or a session's folder.
        settings: Where runs are kept.
        trace_format: Of a trace file; by default it is recognised by its content.
        trace_id: Which trace of a file that holds several.
        root: Nothing outside this folder is read; by default there is no such limit.

    Raises:
        UsageError: There is no such run, it names several, or it left no trace.
        UnreadableError: It cannot be understood.
    """
    path = Path(source)
    if is_foreign(path):
        return read_trace(path, trace_format, trace_id=trace_id, root=root)
    data = DataRoot(path=settings.home)
    record = select_run(source, data)
    trace = RunDirectory.open(data.path / record.directory, root).read_run().trace
    if trace is None:
        raise UsageError(f"run {record.id} left no trace: it is {record.status}")
    return trace
