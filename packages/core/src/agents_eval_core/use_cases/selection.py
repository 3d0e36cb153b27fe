"""Selectors: how runs are named everywhere, on the command line, by MCP clients and in Python."""

from datetime import datetime
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.composition import is_composition
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import SeveralRunsError, UsageError
from agents_eval_core.ports.store import Store
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.store.run_directory import RUN, RunDirectory
from agents_eval_core.use_cases.run_query import run_query

SHOWN: Final = 5


def select_runs(selector: str, root: DataRoot, *, relative_to: Path | None = None) -> tuple[RunRecord, ...]:
    """Return the runs that a selector names, newest first; at least one.

    Args:
        selector: A run's id or a beginning of it that no other has, a run directory, a folder of run directories, a
            sweep's name, `sweep:composition`, or a query such as `engine=mas,composition=full,paper=…`.
        root: Where runs are kept.
        relative_to: Where a run directory's path starts; by default the working directory.

    Raises:
        UsageError: Nothing answers to it, it names several runs by the beginning of their ids, or it is no selector.
        UnreadableError: The run directory is there but damaged.
        StorageError: The store cannot be read.
    """
    if not selector.strip():
        raise UsageError("an empty selector names no run; give a run's id, a run directory, or engine=… composition=…")
    directory = _directory(selector, relative_to)
    if directory is not None:
        return _records_in(directory, root)
    if not root.database.is_file():
        raise UsageError(
            f"no run answers to {selector!r}: nothing is kept under {root.path} yet; 'agents-eval quickstart' makes "
            "the first runs, and AGENTS_EVAL_HOME names another place"
        )
    store = registry.store("sqlite", root.database)
    try:
        return _stored(selector, store)
    finally:
        store.close()


def select_run(selector: str, root: DataRoot) -> RunRecord:
    """Return the one run that a selector names.

    Raises:
        SeveralRunsError: It names several.
        UsageError: It names none.
    """
    record, *others = select_runs(selector, root)
    if others:
        listed = ", ".join(each.id for each in (record, *others)[:SHOWN])
        raise SeveralRunsError(f"{selector!r} names {len(others) + 1} runs ({listed}, …); give the id of one")
    return record


def compositions_of(selector: str, root: DataRoot) -> tuple[str, ...]:
    """Return the selectors that `SWEEP:*` stands for, one a composition, the smaller teams first; any other as it is.

    Raises:
        UsageError: No run is of that sweep.
        StorageError: The store cannot be read.
    """
    sweep, colon, every = selector.rpartition(":")
    if not colon or every != "*":
        return (selector,)
    found = {record.composition for record in select_runs(sweep, root)}
    return tuple(f"{sweep}:{each}" for each in sorted(found, key=lambda each: (each.count("+"), each)))


def record_of(run: Run, directory: Path, root: DataRoot, scorecard: Scorecard | None) -> RunRecord:
    """Return what the store keeps about a run: its directory is given from the data root, where it lies within it."""
    place = directory.resolve()
    home = root.path.resolve()
    system, paper = run.system, run.case.paper
    return RunRecord(
        id=run.id,
        directory=place.relative_to(home).as_posix() if place.is_relative_to(home) else str(place),
        status=run.status,
        engine=system.engine,
        composition=system.composition,
        provider=system.provider,
        model=system.model,
        dataset=run.case.dataset or (paper.dataset if paper else ""),
        venue=paper.venue if paper else "",
        paper=paper.id if paper else run.case.id,
        sweep=run.sweep,
        repetition=run.repetition,
        created_at=run.created_at,
        composite=scorecard.composite if scorecard else None,
        coverage=scorecard.coverage if scorecard else None,
        verdict=scorecard.verdict if scorecard else None,
        problem=run.problem.error_type if run.problem else None,
    )


def _directory(selector: str, relative_to: Path | None) -> Path | None:
    if "\x00" in selector:
        raise UsageError(f"{selector!r} is no selector: it holds a NUL character")
    path = (relative_to or Path()) / (Path.home() / selector[2:] if selector.startswith("~/") else selector)
    is_path = "/" in selector or "\\" in selector  # a folder that only happens to be called so hides no run
    try:
        if path.name == RUN and path.is_file():
            return path.parent
        return path if path.is_dir() and (is_path or (path / RUN).is_file()) else None
    except OSError:  # longer than a path can be
        return None


def _records_in(path: Path, root: DataRoot) -> tuple[RunRecord, ...]:
    if (path / RUN).is_file():
        return (_record_in(path, root),)
    folders = (path, path / root.runs.name)  # a data root may be named as well
    found = [each.parent for folder in folders for each in folder.glob(f"*/{RUN}")]
    if not found:
        return (_record_in(path, root),)
    records = [_record_in(each, root) for each in found]
    return tuple(sorted(records, key=_age, reverse=True))


def _age(record: RunRecord) -> tuple[datetime, str]:
    return record.created_at, record.id


def _record_in(path: Path, root: DataRoot) -> RunRecord:
    directory = RunDirectory.open(path)
    return record_of(directory.read_run(with_trace=False), directory.path, root, directory.read_scorecard())


def _stored(selector: str, store: Store) -> tuple[RunRecord, ...]:
    found = _matching(selector, store) if "=" in selector else _named(selector, store)
    if found:
        return found
    sort = "matches" if "=" in selector or ":" in selector else "answers to"
    raise UsageError(f"no run {sort} {selector!r}; 'agents-eval runs' lists all")


def _matching(selector: str, store: Store) -> tuple[RunRecord, ...]:
    return tuple(filter(run_query(selector), store.records()))


def _named(selector: str, store: Store) -> tuple[RunRecord, ...]:
    exact = store.record(selector)
    if exact is not None:
        return (exact,)
    found = store.find(selector)
    if len(found) > 1:
        listed = ", ".join(record.id for record in found[:SHOWN]) + (", …" if len(found) > SHOWN else "")
        raise UsageError(
            f"{selector!r} is the beginning of {len(found)} run ids ({listed}); give more of the one meant"
        )
    return found or _of_sweep(selector, store)


def _of_sweep(selector: str, store: Store) -> tuple[RunRecord, ...]:
    sweep, colon, composition = selector.rpartition(":")
    found = [*store.of_sweep(selector)]
    if colon:
        found += [record for record in store.of_sweep(sweep) if is_composition(composition, record.composition)]
    return tuple(sorted(found, key=_age, reverse=True))
