"""The store and the run directories brought back together after a process was killed between them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Final

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError
from agents_eval_core.ports.store import Store
from agents_eval_core.run import RunRecord
from agents_eval_core.store.atomic_file import is_draft
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.selection import record_of

LEFT_BEHIND_SECONDS: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """What was found and done.

    Attributes:
        finished: Ids of runs whose directory was whole, and which the store now has whole too.
        added: Ids of runs that only their directory knew.
        unfinished: Ids of runs that were begun and not finished: interrupted by force, or still running.
        missing: Ids of finished runs whose directory is gone.
        problems: What could not be read, one sentence each.
        removed: How many drafts of dead processes were removed.
    """

    finished: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    removed: int = 0


def reconcile(root: DataRoot, *, thorough: bool = False) -> Reconciliation:
    """Bring the store up to what the run directories say, and say what is left.

    A directory is believed: it is written first. A second call finds nothing more to do.

    Args:
        root: Where runs are kept; nothing is made where there is nothing.
        thorough: Also hold the scorecard of each finished run against the store, and tidy up drafts older than an hour.

    Raises:
        StorageError: The store cannot be read or written.
    """
    if not root.runs.is_dir() and not root.database.is_file():
        return Reconciliation()
    store = registry.store("sqlite", root.database)
    try:
        return _reconciled(root, store, thorough=thorough)
    finally:
        store.close()


def _reconciled(root: DataRoot, store: Store, *, thorough: bool) -> Reconciliation:
    home = root.path.resolve()
    known = {home / record.directory: record for record in store.records()}
    paths = dict.fromkeys([*known, *_run_directories(home / root.runs.name)])
    said: dict[str, list[str]] = {"finished": [], "added": [], "unfinished": [], "missing": [], "problems": []}
    for path in paths:
        record = known.get(path)
        if record is not None and record.status != "unfinished" and not thorough:
            if not path.is_dir():
                said["missing"].append(record.id)
            continue
        try:
            what, name = _settled(path, record, root, store)
        except AgentsEvalError as problem:
            what, name = "problems", str(problem)
        if what:
            said[what].append(name)
    return Reconciliation(
        **{what: tuple(names) for what, names in said.items()}, removed=_tidied(root) if thorough else 0
    )


def _settled(path: Path, record: RunRecord | None, root: DataRoot, store: Store) -> tuple[str, str]:
    """Return what became of one run, and its id; nothing where both sides agree."""
    if record is not None and not path.is_dir():
        return "unfinished" if record.status == "unfinished" else "missing", record.id
    directory = RunDirectory.open(path)
    run, scorecard = directory.read_run(with_trace=False), directory.read_scorecard()
    current = record_of(run, path, root, scorecard)
    if run.status == "unfinished":
        if record is None:
            store.begin(current)
        return "unfinished", run.id
    if current == record:
        return "", run.id
    store.finish(current, directory.read_run().trace, scorecard)
    return "added" if record is None else "finished", run.id


def _run_directories(runs: Path) -> Iterator[Path]:
    if runs.is_dir():
        yield from sorted(path for path in runs.iterdir() if path.is_dir() and not is_draft(path))


def _tidied(root: DataRoot) -> int:
    if not root.runs.is_dir():
        return 0
    before = time.time() - LEFT_BEHIND_SECONDS
    drafts = [path for pattern in ("*", "*/*") for path in root.runs.glob(pattern) if is_draft(path)]
    left = [path for path in drafts if path.lstat().st_mtime < before]
    for path in left:
        rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    return len(left)
