"""The embedded store: one SQLite file that many processes can write and read at once."""

import sqlite3
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final

from agents_eval_core.errors import StorageError
from agents_eval_core.ports.store import RunGroup
from agents_eval_core.run import RunRecord
from agents_eval_core.run_list import RunField, RunFilter, RunOrder, RunPage, ScoreAt
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.store.rows import (
    RECORD_FIELDS,
    Row,
    clean,
    measure_rows,
    record_of_row,
    record_row,
    score_rows,
    span_rows,
)
from agents_eval_core.store.run_query_sql import ordering, where
from agents_eval_core.store.schema_version import bring_up_to_date
from agents_eval_core.store.sqlite_file import BUSY_SECONDS, telling, transaction
from agents_eval_core.trace import Trace

COLUMNS: Final = ", ".join(RECORD_FIELDS)
SELECT: Final = f"select {COLUMNS} from runs"  # noqa: S608  the names of our own fields
PARTS: Final = {"spans": 20, "scores": 12, "measures": 5}
LAST: Final = "\U0010ffff"
SCORE_FIELDS: Final = "name, value, reason, error_type, label, explanation, evaluator, version, tier"
ANEW: Final = "move it away, 'agents-eval doctor' makes it anew from the run folders"


class SqliteStore:
    """Keeps runs, spans, scores and measures; a run is in it whole, or as unfinished.

    The long texts of a run (prompts, results, the review) are in its directory, not here.
    """

    def __init__(self, path: Path) -> None:
        """Open the store, which is made where there is none.

        Raises:
            StorageError: It is damaged, was written by a newer version, or cannot be written.
        """
        self.path = path
        self._lock = RLock()
        with self._telling():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=64
            )
            try:
                self._connection.execute("pragma synchronous = normal")
                self._connection.execute("pragma journal_mode = wal")
                bring_up_to_date(self._connection, path)
            except BaseException:
                self._connection.close()
                raise

    def begin(self, record: RunRecord) -> None:
        """Keep that a run was started; its status is `unfinished`.

        Raises:
            StorageError: A run of that id is finished already, or it could not be kept.
        """
        with self._transaction():
            kept = self._connection.execute("select status from runs where id = ?", (record.id,)).fetchone()
            if kept is not None and kept[0] != "unfinished":
                raise StorageError(
                    f"the run {record.id!r} is finished already and stays as it is; give a new run a new id"
                )
            self._keep_record(record.changed(status="unfinished"))

    def finish(self, record: RunRecord, trace: Trace | None, scorecard: Scorecard | None) -> None:
        """Keep a run, its spans and its scores in one transaction; what was kept of it before is replaced.

        Raises:
            StorageError: It could not be kept; what was kept before is unchanged.
        """
        spans = span_rows(record.id, trace) if trace else []
        self._keep(record, {"spans": spans, **_scored(record, scorecard)})

    def rescore(self, record: RunRecord, scorecard: Scorecard) -> None:
        """Keep new scores of a run in one transaction; its spans stay as they are.

        Raises:
            StorageError: They could not be kept; what was kept before is unchanged.
        """
        self._keep(record, _scored(record, scorecard))

    def record(self, run_id: str) -> RunRecord | None:
        """Return the run of exactly that id."""
        with self._telling():
            row = self._connection.execute(f"{SELECT} where id = ?", (run_id,)).fetchone()
        return None if row is None else record_of_row(row)

    def records(self) -> Iterator[RunRecord]:
        """Yield all runs, newest first."""
        with self._telling():
            rows = self._connection.execute(f"{SELECT} order by created_at desc, id desc").fetchall()
        return map(record_of_row, rows)

    def page(self, wanted: RunFilter, order: RunOrder) -> RunPage:
        """Return a part of the wanted runs in an order, and how many there are."""
        condition, values = where(wanted)
        asked = f"{SELECT} where {condition} order by {ordering(order)} limit ? offset ?"
        with self._telling():
            rows = self._connection.execute(asked, (*values, order.size, order.offset)).fetchall()
            total = self._connection.execute(f"select count(*) from runs where {condition}", values).fetchone()  # noqa: S608
        return RunPage(records=tuple(map(record_of_row, rows)), total=int(total[0]))

    def choices(self, field: RunField) -> tuple[str, ...]:
        """Return the values that runs have in a field, in order; none where all lack it."""
        if field not in RECORD_FIELDS:
            raise StorageError(f"runs are not listed by {field!r}; name one of {', '.join(RECORD_FIELDS)}")
        asked = f"select distinct {field} from runs where {field} is not null and {field} <> '' order by 1"  # noqa: S608
        with self._telling():
            return tuple(str(row[0]) for row in self._connection.execute(asked).fetchall())

    def scores_over_time(self, metric: str, wanted: RunFilter, newest: int) -> tuple[ScoreAt, ...]:
        """Return what the newest wanted runs scored in a metric, or their composites, the oldest first."""
        condition, values = where(wanted)
        chosen = f"select {COLUMNS} from runs where {condition} order by created_at desc, id desc limit ?"  # noqa: S608
        value, version, join = ("scores.value", "scores.version", "join scores on run_id = wanted.id and name = ?")
        if metric == "composite":
            value, version, join = ("composite", "''", "")
        asked = (
            f"with wanted as ({chosen}) select wanted.id, created_at, {value}, {version}, "  # noqa: S608
            f"wanted.composition, model, paper from wanted {join} where {value} is not null "
            "order by created_at, wanted.id"
        )
        with self._telling():
            rows = self._connection.execute(asked, (*values, newest, *([metric] if join else []))).fetchall()
        names = ("run", "created_at", "value", "version", "composition", "model", "paper")
        return tuple(ScoreAt.model_validate(dict(zip(names, row, strict=True))) for row in rows)

    def metric_names(self, wanted: RunFilter, newest: int) -> tuple[str, ...]:
        """Return the names of what the newest wanted runs scored, in order."""
        condition, values = where(wanted)
        chosen = f"select id from runs where {condition} order by created_at desc, id desc limit ?"  # noqa: S608
        asked = f"select distinct name from scores where run_id in ({chosen}) order by 1"  # noqa: S608
        with self._telling():
            return tuple(str(row[0]) for row in self._connection.execute(asked, (*values, newest)).fetchall())

    def of_sweep(self, sweep: str) -> Iterator[RunRecord]:
        """Yield the runs of a sweep or batch, by composition."""
        with self._telling():
            rows = self._connection.execute(
                f"{SELECT} where sweep = ? order by composition, paper, repetition, id", (sweep,)
            ).fetchall()
        return map(record_of_row, rows)

    def find(self, prefix: str) -> tuple[RunRecord, ...]:
        """Return the runs whose id begins so, newest first."""
        asked = f"{SELECT} where id >= ? and id < ? order by created_at desc, id desc"
        with self._telling():
            rows = self._connection.execute(asked, (prefix, prefix + LAST)).fetchall()
        return tuple(record_of_row(row) for row in rows)

    def groups(self) -> Iterator[RunGroup]:
        """Yield how many runs there are of each kind."""
        asked = (
            "select sweep, engine, composition, status, problem, count(*), count(composite), avg(composite) from runs "
            "group by sweep, engine, composition, status, problem order by sweep, engine, composition, status"
        )
        with self._telling():
            rows = self._connection.execute(asked).fetchall()
        names = ("sweep", "engine", "composition", "status", "problem", "runs", "scored", "mean")
        return (RunGroup(**dict(zip(names, row, strict=True))) for row in rows)

    def missing_scores(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield metric, reason, type of error and number of the scores without a value, the most frequent first."""
        asked = (
            "select name, reason, coalesce(error_type, ''), count(*) as number from scores where value is null "
            "group by name, reason, error_type order by number desc, name"
        )
        with self._telling():
            rows = self._connection.execute(asked).fetchall()
        return ((str(name), str(reason), str(kind), int(number)) for name, reason, kind, number in rows)

    def means(self) -> dict[str, float]:
        """Return the mean composite of each composition, over the runs that have one."""
        asked = "select composition, avg(composite) from runs where composite is not null group by composition"
        with self._telling():
            return {str(name): float(mean) for name, mean in self._connection.execute(asked).fetchall()}

    def scores_of_sweep(self, sweep: str) -> Iterator[tuple[str, Score]]:
        """Yield the scores of a sweep's runs with the runs' ids, without measures and evidence."""
        asked = (
            f"select run_id, {', '.join(f'scores.{name}' for name in SCORE_FIELDS.split(', '))} "  # noqa: S608
            "from runs join scores on scores.run_id = runs.id where sweep = ? order by run_id, position"
        )
        with self._telling():
            rows = self._connection.execute(asked, (sweep,)).fetchall()
        for run_id, *row in rows:
            yield run_id, Score.model_validate(dict(zip(SCORE_FIELDS.split(", "), row, strict=True)))

    def scores(self, run_id: str) -> tuple[Score, ...]:
        """Return the scores of a run as they were given, without the measures and evidence in its scorecard."""
        asked = f"select {SCORE_FIELDS} from scores where run_id = ? order by position"  # noqa: S608
        with self._telling():
            rows = self._connection.execute(asked, (run_id,)).fetchall()
        return tuple(Score.model_validate(dict(zip(SCORE_FIELDS.split(", "), row, strict=True))) for row in rows)

    def values(self, composition: str, metric: str) -> tuple[float, ...]:
        """Return what the runs of a composition scored in a metric, lowest first; runs without a value are left out."""
        asked = "select value from scores where composition = ? and name = ? and value is not null order by value"
        with self._telling():
            return tuple(float(row[0]) for row in self._connection.execute(asked, (composition, metric)).fetchall())

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def _keep(self, record: RunRecord, rows: Mapping[str, list[Row]]) -> None:
        with self._transaction():
            for table, kept in rows.items():
                self._replace(table, record.id, clean(kept))
            self._keep_record(record)

    def _keep_record(self, record: RunRecord) -> None:
        places = ", ".join("?" * len(RECORD_FIELDS))
        (row,) = clean([record_row(record)])
        self._connection.execute(f"insert or replace into runs ({COLUMNS}) values ({places})", row)  # noqa: S608

    def _replace(self, table: str, run_id: str, rows: list[Row]) -> None:
        self._connection.execute(f"delete from {table} where run_id = ?", (run_id,))  # noqa: S608  our own tables
        places = ", ".join("?" * PARTS[table])
        self._connection.executemany(f"insert into {table} values ({places})", rows)  # noqa: S608

    @contextmanager
    def _transaction(self) -> Generator[None]:
        with self._telling(), self._lock, transaction(self._connection):
            yield

    def _telling(self) -> AbstractContextManager[None]:
        return telling(f"the store {self.path}", anew=ANEW)


def _scored(record: RunRecord, scorecard: Scorecard | None) -> dict[str, list[Row]]:
    return {
        "scores": score_rows(record, scorecard.scores) if scorecard else [],
        "measures": measure_rows(record.id, scorecard.measures) if scorecard else [],
    }
