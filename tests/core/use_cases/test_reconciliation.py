import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.ports.store import Store
from agents_eval_core.review import Review
from agents_eval_core.run import Run, RunRecord, System
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.reconciliation import Reconciliation, reconcile
from agents_eval_core.use_cases.selection import record_of


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    """Return a data root that is not there yet."""
    return DataRoot(path=tmp_path / "kept")


def _a_run(run_id: str = "20260102-0a1b2c3d", **changes: Any) -> Run:
    given: dict[str, Any] = {
        "status": "complete",
        "case": Case(id="c1"),
        "system": System(engine="mas", composition="manager"),
        "output": Review(summary="Fine."),
        "created_at": datetime(2026, 1, 2, tzinfo=UTC),
    }
    return Run(id=run_id, **(given | changes))


def _a_scorecard(run: Run, value: float = 0.5) -> Scorecard:
    score = Score(name="task_success", value=value, evaluator="e", version="1", tier=1)
    return Scorecard(
        run_id=run.id, scores=(score,), composite=value, coverage=1, bounds=None, verdict=None, verdict_range=None
    )


def _open(root: DataRoot) -> Store:
    return registry.store("sqlite", root.database)


def _records(root: DataRoot) -> list[RunRecord]:
    store = _open(root)
    try:
        return list(store.records())
    finally:
        store.close()


def _begin(root: DataRoot, run: Run) -> RunDirectory:
    directory = RunDirectory.create(root.runs, run)
    store = _open(root)
    store.begin(record_of(run, directory.path, root, None))
    store.close()
    return directory


def test_where_nothing_is_kept_nothing_is_made(root: DataRoot) -> None:
    assert reconcile(root) == Reconciliation()
    assert not root.path.exists()


def test_a_run_whose_directory_is_whole_is_finished_in_the_store_and_keeps_its_sweep(root: DataRoot) -> None:
    run = _a_run().changed(sweep="night", repetition=2)
    directory = _begin(root, run)
    assert reconcile(root) == Reconciliation(unfinished=(run.id,))
    directory.finish(run, {})
    directory.write_scorecard(_a_scorecard(run), {})
    assert reconcile(root) == Reconciliation(finished=(run.id,))
    assert _records(root) == [record_of(run, directory.path, root, _a_scorecard(run))]
    assert [(record.sweep, record.repetition) for record in _records(root)] == [("night", 2)]
    assert reconcile(root) == Reconciliation()


def test_a_lost_store_is_made_anew_from_the_run_directories(root: DataRoot) -> None:
    whole, begun = _a_run("20260102-00000001"), _a_run("20260102-00000002")
    directory = _begin(root, whole)
    directory.finish(whole, {})
    _begin(root, begun)
    for path in root.path.glob("agents-eval.db*"):
        path.unlink()
    assert reconcile(root) == Reconciliation(added=(whole.id,), unfinished=(begun.id,))
    assert {record.id: record.status for record in _records(root)} == {whole.id: "complete", begun.id: "unfinished"}


def test_a_scorecard_that_the_store_missed_is_taken_over_when_asked_thoroughly(root: DataRoot) -> None:
    run = _a_run()
    directory = _begin(root, run)
    directory.finish(run, {})
    directory.write_scorecard(_a_scorecard(run), {})
    reconcile(root)
    directory.write_scorecard(_a_scorecard(run, 0.75), {})
    assert reconcile(root).finished == ()
    assert reconcile(root, thorough=True).finished == (run.id,)
    assert [record.composite for record in _records(root)] == [0.75]


def test_a_directory_that_is_gone_or_damaged_is_told_and_nothing_is_lost(root: DataRoot) -> None:
    gone, damaged = _a_run("20260102-00000001"), _a_run("20260102-00000002")
    first, second = _begin(root, gone), _begin(root, damaged)
    first.finish(gone, {})
    reconcile(root)
    shutil.rmtree(first.path)
    (second.path / "run.json").write_text("{")
    (root.runs / "not a run").mkdir()
    found = reconcile(root)
    assert found.missing == (gone.id,)
    assert len(found.problems) == 2
    assert "run.json is not valid JSON" in found.problems[0]
    assert "not a run is not a run directory" in found.problems[1]
    assert len(_records(root)) == 2


def test_only_old_drafts_are_removed_and_only_when_asked_thoroughly(root: DataRoot) -> None:
    directory = _begin(root, _a_run())
    old, young, inside = root.runs / ".~old", root.runs / ".~young", directory.path / ".~inside"
    old.mkdir()
    young.mkdir()
    for path in (old / "run.json", inside):
        path.touch()
    for path in (old, inside):
        os.utime(path, (0, 0))
    assert reconcile(root).removed == 0
    assert reconcile(root, thorough=True).removed == 2
    assert [path.exists() for path in (old, young, inside, directory.path / "run.json")] == [False, True, False, True]
