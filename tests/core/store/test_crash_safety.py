import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agents_eval_core.data_root import DataRoot
from agents_eval_core.run import Run, RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.trace import Trace
from agents_eval_core.use_cases.reconciliation import Reconciliation, reconcile

DRIVER = Path(__file__).with_name("crash_driver.py")


class Kept:
    """Both sides of one data root, as they are found after a crash."""

    def __init__(self, root: DataRoot, run: Run, scorecard: Scorecard) -> None:
        self.root, self.expected, self.scorecard = root, run, scorecard

    def directory(self) -> str:
        """Return the status of the run on disk, held against what it should be; `none` where nothing is to be seen."""
        shown = (
            [path for path in self.root.runs.glob("*") if not path.name.startswith(".")]
            if self.root.path.is_dir()
            else []
        )
        if not shown:
            return "none"
        assert len(shown) == 1
        directory = RunDirectory.open(shown[0])
        run = directory.read_run()
        assert run.case == self.expected.case
        if run.status == "complete":
            assert run.changed(trace=None) == self.expected
            assert run.trace is not None
            assert len(run.trace.spans) == 3
            assert directory.read_scorecard() in (None, self.scorecard)
        return run.status if directory.read_scorecard() is None else "scored"

    def database(self) -> str:
        """Return the status of the run in the store, held against what it should be."""
        if not self.root.database.is_file():
            return "none"
        store = SqliteStore(self.root.database)
        try:
            record = store.record(self.expected.id)
            assert len(list(store.records())) == (record is not None)
            if record is None or record.status == "unfinished":
                assert store.scores(self.expected.id) == ()
                return "none" if record is None else "unfinished"
            scores = store.scores(self.expected.id)
            if not scores:
                assert record.composite is None
                return "complete"
            assert [score.value for score in scores] == [score.value for score in self.scorecard.scores]
            assert record.composite == self.scorecard.composite
            return "scored"
        finally:
            store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")
@pytest.mark.parametrize("order", ["store first", "directory first"])
def test_a_run_killed_at_any_write_is_whole_or_unfinished_on_both_sides(
    order: str,
    a_run: Callable[..., Run],
    a_scorecard: Callable[..., Scorecard],
    otlp_lines: bytes,
    tmp_path: Path,
) -> None:
    run, scorecard = a_run(), a_scorecard("20260102T030405-0a1b2c3d")
    assert run.output is not None
    (tmp_path / "run.json").write_text(run.model_dump_json())
    (tmp_path / "review.json").write_text(run.output.model_dump_json())
    (tmp_path / "scorecard.json").write_text(scorecard.model_dump_json())
    (tmp_path / "trace.otlp.jsonl").write_bytes(otlp_lines)
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(tmp_path), order], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    ends = [line.split(" ", 1)[1] for line in done.stdout.splitlines()]
    assert ends[-1] == "end"
    assert {"write", "fsync", "replace", "rename", "mkdir", "sqlite commit", "sqlite rows"} <= set(ends)

    seen: list[tuple[str, str]] = []
    for place in range(len(ends)):
        kept = Kept(DataRoot(path=tmp_path / str(place)), run, scorecard)
        seen.append((kept.directory(), kept.database()))
        if kept.database() == "scored":
            assert kept.directory() == "scored", ends[place]  # the store never claims more than there is on disk
        reconciled = reconcile(kept.root)
        _check_after(kept, seen[-1], reconciled, ends[place])
        again = reconcile(kept.root)
        assert (again.finished, again.added, again.problems) == ((), (), ())

    assert seen[0] == ("none", "none")
    assert seen[-1] == ("scored", "scored")
    assert ("complete", "unfinished") in seen
    assert ("scored", "unfinished") in seen


def test_a_transaction_cut_off_at_any_place_of_its_log_is_there_whole_or_not_at_all(
    a_record: Callable[..., RunRecord],
    a_trace: Callable[..., Trace],
    a_scorecard: Callable[..., Scorecard],
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path / "a.db")
    log = tmp_path / "a.db-wal"
    store.begin(a_record())
    begun = log.stat().st_size
    store.finish(a_record(), a_trace(400), a_scorecard())
    whole = log.read_bytes()
    assert len(whole) > begun + 10 * 4096
    seen: list[tuple[str, int, int]] = []
    for place, end in enumerate([*range(begun, len(whole), 2_000), len(whole)]):
        cut = tmp_path / f"{place}.db"
        cut.write_bytes(store.path.read_bytes())
        cut.with_name(f"{place}.db-wal").write_bytes(whole[:end])
        found = SqliteStore(cut)
        record = found.record("r1")
        assert record is not None
        seen.append((record.status, len(found.scores("r1")), _spans(cut)))
        found.close()
    store.close()
    assert set(seen) == {("unfinished", 0, 0), ("complete", 2, 400)}
    assert seen[0] == ("unfinished", 0, 0)
    assert seen[-1] == ("complete", 2, 400)


def _spans(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return connection.execute("select count(*) from spans").fetchone()[0]
    finally:
        connection.close()


def _check_after(kept: Kept, before: tuple[str, str], reconciled: Reconciliation, end: str) -> None:
    directory, database = before
    assert kept.directory() == directory
    if directory in ("complete", "scored"):
        assert kept.database() == directory, end
        assert (kept.expected.id in reconciled.finished) == (database == "unfinished")
    elif "unfinished" in before:
        assert kept.database() == "unfinished"
        assert reconciled.unfinished == (kept.expected.id,)
    else:
        assert kept.database() == "none"
