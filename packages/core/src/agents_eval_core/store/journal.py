"""The journal of a sweep or batch: what is to be done, what is under way and what became of it, written ahead."""

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self, get_args

from agents_eval_core.frozen import Frozen
from agents_eval_core.redaction import redact
from agents_eval_core.run import Problem
from agents_eval_core.store.sqlite_file import BUSY_SECONDS, telling, transaction
from agents_eval_core.work import Spent, State

STATES: Final[tuple[State, ...]] = get_args(State)
SHAPE: Final = """
create table if not exists cells (
    key text primary key not null,
    position integer not null,
    content text not null,
    state text not null check (state in ('reserved', 'running', 'done', 'failed')),
    attempts integer not null default 0,
    error_type text,
    message text,
    run_id text,
    seconds real,
    tokens integer,
    cost_usd real,
    judge_tokens integer default 0,
    judge_usd real default 0,
    changed_at text not null
) without rowid;
create index if not exists cells_in_order on cells (state, position);
create table if not exists sessions (begun_at text not null, seconds real not null);
"""
LATER: Final = ("judge_tokens integer default 0", "judge_usd real default 0")  # journals of 0.1.0 are without
COLUMNS: Final = (
    "key, content, state, attempts, error_type, message, run_id, seconds, tokens, cost_usd, judge_tokens, judge_usd"
)
ANEW: Final = "bring back a copy of it; the runs that it tells of are kept"


class Entry(Frozen):
    """A line of the journal.

    Attributes:
        key: Identifies the content: the same work has the same key.
        content: What is to be done, as text.
        attempts: How often it was begun.
        problem: Why it failed.
        run_id: The run it became, where it became one.
        spent: What the attempt took that ended.
    """

    key: str
    content: str
    state: State
    attempts: int = 0
    problem: Problem | None = None
    run_id: str | None = None
    spent: Spent | None = None


class Journal:
    """An SQLite file whose every commit is on the disk before it returns, so that it survives a loss of power.

    A cell is `reserved` when it is planned, `running` before any work on it begins, and `done` or `failed` after its
    result is kept. What is `running` when nobody works on it was lost, and is done again.
    """

    def __init__(self, path: Path) -> None:
        """Open a journal, which is made where there is none.

        Raises:
            StorageError: It is damaged or cannot be written.
        """
        self.path = path
        with self._telling():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = full")
            self._connection.executescript(SHAPE)
            there = {row[1] for row in self._connection.execute("pragma table_info(cells)")}
            for column in LATER:
                if column.split()[0] not in there:
                    self._connection.execute(f"alter table cells add column {column}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()

    def reserve(self, cells: Iterable[tuple[str, str]]) -> None:
        """Plan cells, given as key and content; those that are there already stay as they are."""
        with self._transaction():
            (planned,) = self._connection.execute("select count(*) from cells").fetchone()
            rows = ((key, planned + place, content, _now()) for place, (key, content) in enumerate(cells))
            self._connection.executemany(
                "insert or ignore into cells (key, position, content, state, changed_at) "
                "values (?, ?, ?, 'reserved', ?)",
                rows,
            )

    def begin(self, number: int) -> tuple[Entry, ...]:
        """Say that work on the next cells begins, at most so many, and return them."""
        asked = f"select {COLUMNS} from cells where state = 'reserved' order by position limit ?"  # noqa: S608
        with self._transaction():
            entries = [_entry(row) for row in self._connection.execute(asked, (number,)).fetchall()]
            self._connection.executemany(
                "update cells set state = 'running', attempts = attempts + 1, changed_at = ? where key = ?",
                [(_now(), entry.key) for entry in entries],
            )
        return tuple(entry.changed(state="running", attempts=entry.attempts + 1) for entry in entries)

    def begin_again(self, keys: Sequence[str]) -> None:
        """Say that work on cells is begun once more, since it was lost."""
        with self._transaction():
            self._connection.executemany(
                "update cells set attempts = attempts + 1, changed_at = ? where key = ?",
                [(_now(), key) for key in keys],
            )

    def end(self, entries: Iterable[Entry]) -> None:
        """Say what became of cells, `done` or `failed`; their results must be kept by now."""
        with self._transaction():
            self._connection.executemany(
                "update cells set state = ?, error_type = ?, message = ?, run_id = ?, seconds = ?, tokens = ?, "
                "cost_usd = ?, judge_tokens = ?, judge_usd = ?, changed_at = ? where key = ?",
                [_end_row(entry) for entry in entries],
            )

    def give_back(self, *, failed: bool = False) -> int:
        """Reserve anew what is `running`, or else what `failed`; return how many cells that were."""
        with self._transaction():
            return self._connection.execute(
                "update cells set state = 'reserved', error_type = null, message = null, changed_at = ? "
                "where state = ?",
                (_now(), "failed" if failed else "running"),
            ).rowcount

    def entries(self, *states: State) -> Iterator[Entry]:
        """Yield the cells in their order, those in the given states or all, a page at a time."""
        marks = ", ".join("?" * len(states or STATES))
        asked = f"select {COLUMNS}, position from cells where state in ({marks}) and position > ? "  # noqa: S608
        last = -1
        while True:
            with self._telling():
                rows = self._connection.execute(
                    f"{asked} order by position limit 1000", (*(states or STATES), last)
                ).fetchall()
            if not rows:
                return
            yield from map(_entry, rows)
            last = rows[-1][-1]

    def counts(self) -> dict[State, int]:
        """Return how many cells are in each state."""
        with self._telling():
            rows = self._connection.execute("select state, count(*) from cells group by state").fetchall()
        return dict.fromkeys(STATES, 0) | dict(rows)

    def lost(self) -> int:
        """Return the number of attempts that were lost, or whose outcome was given back."""
        with self._telling():
            (lost,) = self._connection.execute(
                "select coalesce(sum(attempts - (state != 'reserved')), 0) from cells"
            ).fetchone()
        return lost

    def worked(self, begun_at: datetime, seconds: float) -> None:
        """Keep how long a session of work has lasted so far."""
        with self._transaction():
            moment = begun_at.astimezone(UTC).isoformat()
            self._connection.execute("delete from sessions where begun_at = ?", (moment,))
            self._connection.execute("insert into sessions values (?, ?)", (moment, seconds))

    def seconds_worked(self) -> float:
        """Return how long all sessions lasted together, by the clock on the wall."""
        with self._telling():
            return float(self._connection.execute("select coalesce(sum(seconds), 0) from sessions").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Generator[None]:
        with self._telling(), transaction(self._connection):
            yield

    def _telling(self) -> AbstractContextManager[None]:
        return telling(f"the journal {self.path}", anew=ANEW)


def _entry(row: Sequence[str | int | float | None]) -> Entry:
    key, content, state, attempts, error_type, message, run_id, seconds = row[:8]
    names = ("tokens", "cost_usd", "judge_tokens", "judge_usd")
    spent = dict(zip(names, row[8:12], strict=True)) | {"seconds": seconds}
    return Entry.model_validate(
        {
            "key": key,
            "content": content,
            "state": state,
            "attempts": attempts,
            "problem": {"error_type": error_type, "message": message or ""} if error_type else None,
            "run_id": run_id,
            "spent": spent if seconds is not None else None,
        }
    )


def _end_row(entry: Entry) -> tuple[str | int | float | None, ...]:
    problem, spent = entry.problem, entry.spent or Spent()
    return (
        entry.state,
        problem.error_type if problem else None,
        redact(problem.message) if problem else None,
        entry.run_id,
        spent.seconds,
        spent.tokens,
        spent.cost_usd,
        spent.judge_tokens,
        spent.judge_usd,
        _now(),
        entry.key,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
