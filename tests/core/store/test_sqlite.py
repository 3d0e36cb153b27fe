import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import structs

from agents_eval_core.errors import StorageError
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.store import schema_version
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.trace import Span, Trace

KEY = "ghp_" + "a1B2c3D4" * 5
RUNS_EACH = 40
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Measure, Score, Composite, Scorecard
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.trace import Source, Span, Trace

path, writer, runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
score = Score(name="task_success", value=0.5, evaluator="e", version="1", tier=1)
spans = tuple(Span(id=str(n), seq=n, operation="chat", name="chat") for n in range(40))
store = SqliteStore(path)
for number in range(runs):
    record = RunRecord(id=f"{writer}-{number}", directory="d", status="complete", engine="mas", composition=writer,
                       created_at=datetime.now(UTC))
    card = Scorecard(run_id=record.id, scores=(score,), composite=0.5, coverage=1, bounds=None, verdict=None,
                     verdict_range=None)
    store.begin(record)
    store.finish(record, Trace(id="t", source=Source(format="otlp"), spans=spans), card)
store.close()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an empty store in a folder that is not there yet."""
    made = SqliteStore(tmp_path / "root" / "agents-eval.db")
    yield made
    made.close()


def _rows(store: SqliteStore, asked: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(store.path)
    try:
        return connection.execute(asked).fetchall()
    finally:
        connection.close()


def test_a_run_that_begins_is_unfinished_whatever_it_says(
    store: SqliteStore, a_record: Callable[..., RunRecord]
) -> None:
    store.begin(a_record())
    assert store.record("r1") == a_record(status="unfinished")
    assert store.record("r") is None


def test_a_finished_run_is_there_with_its_spans_scores_and_measures(
    store: SqliteStore,
    a_record: Callable[..., RunRecord],
    a_trace: Callable[..., Trace],
    a_scorecard: Callable[..., Scorecard],
) -> None:
    record = a_record(composite=0.1 + 0.2, coverage=0.8, verdict="weak_reject", sweep="s", repetition=3, model="m")
    store.begin(record)
    store.finish(record, a_trace(), a_scorecard())
    assert store.record("r1") == record
    first, second = store.scores("r1")
    assert (first.name, first.value, first.tier, first.evaluator, first.version) == (
        "task_success",
        0.3,
        1,
        "task_success",
        "1",
    )
    assert (second.value, second.reason, second.explanation) == (None, "not_measured", "no judge configured")
    assert _rows(store, "select position, parent_id, agent, tool, status, input_tokens, cost_usd from spans") == [
        (0, None, "manager", "search", "ok", 10, None),
        (1, "s0", "manager", "search", "ok", 10, None),
        (2, "s1", "manager", "search", "ok", 10, None),
    ]
    assert _rows(store, "select name, value, unit from measures") == [
        ("tokens", 12, "tokens"),
        ("topology", "star", ""),
    ]


def test_finishing_again_replaces_what_was_kept(
    store: SqliteStore,
    a_record: Callable[..., RunRecord],
    a_trace: Callable[..., Trace],
    a_scorecard: Callable[..., Scorecard],
) -> None:
    store.finish(a_record(), a_trace(9), a_scorecard())
    store.finish(a_record("r2"), a_trace(2), a_scorecard("r2"))
    store.finish(a_record(coverage=0.5), a_trace(1), None)
    assert store.record("r1") == a_record(coverage=0.5)
    assert store.scores("r1") == ()
    assert _rows(store, "select run_id, count(*) from spans group by run_id") == [("r1", 1), ("r2", 2)]
    assert _rows(store, "select distinct run_id from measures") == [("r2",)]


def test_a_run_can_begin_anew_until_it_is_finished(store: SqliteStore, a_record: Callable[..., RunRecord]) -> None:
    store.begin(a_record(directory="runs/first"))
    store.begin(a_record(directory="runs/second"))
    store.finish(a_record(directory="runs/second"), None, None)
    with pytest.raises(StorageError, match="'r1' is finished already"):
        store.begin(a_record(directory="runs/third"))
    assert [record.directory for record in store.records()] == ["runs/second"]


def test_records_come_newest_first(store: SqliteStore, a_record: Callable[..., RunRecord]) -> None:
    begun = a_record().created_at
    for run_id, days in (("b", 0), ("a", 2), ("c", -1)):
        store.begin(a_record(run_id, created_at=begun + timedelta(days=days)))
    assert [record.id for record in store.records()] == ["a", "b", "c"]


def test_runs_are_found_by_the_beginning_of_their_id(store: SqliteStore, a_record: Callable[..., RunRecord]) -> None:
    for run_id in ("2026-a1", "2026-a2", "2026-b", "2026_a", "é1"):
        store.begin(a_record(run_id))
    assert [record.id for record in store.find("2026-a")] == ["2026-a2", "2026-a1"]
    assert [record.id for record in store.find("é")] == ["é1"]
    assert store.find("2026-a%") == ()
    assert len(store.find("")) == 5


def test_the_values_of_a_composition_come_from_an_index_alone(
    store: SqliteStore, a_record: Callable[..., RunRecord], a_scorecard: Callable[..., Scorecard]
) -> None:
    store.finish(a_record("r1"), None, a_scorecard("r1"))
    store.finish(a_record("r2", composition="manager+analyst"), None, a_scorecard("r2"))
    assert store.values("manager", "task_success") == (0.3,)
    assert store.values("manager", "planning_rationality") == ()
    plan = _rows(
        store, "explain query plan select value from scores where composition = 'm' and name = 't' order by value"
    )
    assert "COVERING INDEX scores_by_composition" in str(plan)


def test_no_secret_reaches_the_database(
    store: SqliteStore, a_record: Callable[..., RunRecord], a_trace: Callable[..., Trace], tmp_path: Path
) -> None:
    trace = a_trace(2)
    told = Trace(id="t", source=trace.source, spans=(trace.spans[0], _with_error(trace, f"401 for {KEY}")))
    store.finish(a_record(model=KEY), told, None)
    store.close()
    assert all(KEY.encode() not in path.read_bytes() for path in (tmp_path / "root").iterdir())


def _with_error(trace: Trace, text: str) -> Span:
    return structs.replace(trace.spans[1], error_text=text)


def test_others_read_while_a_run_is_being_written(
    store: SqliteStore, a_record: Callable[..., RunRecord], a_trace: Callable[..., Trace]
) -> None:
    store.begin(a_record())
    writer = sqlite3.connect(store.path, isolation_level=None)
    writer.execute("begin immediate")
    writer.execute("delete from runs")
    reader = SqliteStore(store.path)
    assert [record.id for record in reader.records()] == ["r1"]
    reader.close()
    writer.execute("rollback")
    writer.close()


def test_four_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), f"w{number}", str(RUNS_EACH)], stderr=subprocess.PIPE
        )
        for number in range(4)
    ]
    problems = [writer.communicate(timeout=120)[1].decode() for writer in writers]
    assert problems == [""] * 4
    store = SqliteStore(path)
    assert [record.status for record in store.records()] == ["complete"] * (4 * RUNS_EACH)
    assert _rows(store, "select count(*) from spans") == [(4 * RUNS_EACH * 40,)]
    assert all(len(store.values(f"w{number}", "task_success")) == RUNS_EACH for number in range(4))
    store.close()


def test_a_run_that_cannot_be_kept_whole_is_not_kept_at_all(
    store: SqliteStore, a_record: Callable[..., RunRecord], a_trace: Callable[..., Trace]
) -> None:
    store.begin(a_record())
    trace = a_trace(3)
    wrong = Trace(id="t", source=trace.source, spans=(*trace.spans[:2], structs.replace(trace.spans[2], name=None)))
    with pytest.raises(StorageError, match="cannot be used"):
        store.finish(a_record(), wrong, None)
    assert store.record("r1") == a_record(status="unfinished")
    assert _rows(store, "select count(*) from spans") == [(0,)]


@pytest.mark.parametrize("content", [b"not a database, but a text that is longer than a header " * 40, b"\x00" * 4096])
def test_a_file_that_is_no_database_is_told_with_what_to_do(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "agents-eval.db"
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"agents-eval\.db cannot be used: it is no SQLite file; move it away"):
        SqliteStore(path)
    assert path.read_bytes() == content


def test_a_damaged_database_is_told_with_what_to_do(
    store: SqliteStore, a_record: Callable[..., RunRecord], a_trace: Callable[..., Trace]
) -> None:
    for number in range(50):
        store.finish(a_record(f"r{number}"), a_trace(20), None)
    store.close()
    data = bytearray(store.path.read_bytes())
    data[4096:-4096] = b"\xa5" * (len(data) - 8192)
    store.path.write_bytes(data)
    with pytest.raises(StorageError, match="it is damaged; move it away"):
        SqliteStore(store.path)


def test_a_database_of_a_newer_version_is_left_alone(store: SqliteStore) -> None:
    connection = sqlite3.connect(store.path)
    connection.execute("insert into migrations values ('0099_from_the_future', 'later')")
    connection.commit()
    connection.close()
    with pytest.raises(StorageError, match=r"newer version of Agents-eval.*'0099_from_the_future'.*upgrade"):
        SqliteStore(store.path)


def test_an_older_database_is_brought_up_to_date_and_keeps_its_runs(
    store: SqliteStore, a_record: Callable[..., RunRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.begin(a_record())
    folder = tmp_path / "migrations"
    folder.mkdir()
    for file in schema_version.FOLDER.glob("*.sql"):
        (folder / file.name).write_text(file.read_text())
    (folder / "9999_notes.sql").write_text("create table notes (run_id text);\ncreate index n on notes (run_id);\n")
    monkeypatch.setattr(schema_version, "FOLDER", folder)
    newer = SqliteStore(store.path)
    assert newer.record("r1") == a_record(status="unfinished")
    assert _rows(newer, "select name from migrations")[-1] == ("9999_notes",)
    assert _rows(newer, "select count(*) from notes") == [(0,)]
    newer.close()


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _rows(store, "select name from sqlite_master order by name")
    folder = tmp_path / "migrations"
    folder.mkdir()
    for file in schema_version.FOLDER.glob("*.sql"):
        (folder / file.name).write_text(file.read_text())
    (folder / "0002_broken.sql").write_text("create table notes (run_id text);\ncreate nonsense;\n")
    monkeypatch.setattr(schema_version, "FOLDER", folder)
    with pytest.raises(StorageError):
        SqliteStore(store.path)
    assert _rows(store, "select name from sqlite_master order by name") == before


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"the store .* cannot be made"):
        SqliteStore(tmp_path / "file" / "agents-eval.db")
