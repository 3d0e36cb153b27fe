"""What every SQLite file of ours needs: transactions, and sentences for what SQLite reports."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Final

from agents_eval_core.errors import StorageError

BUSY_SECONDS: Final = 30.0
PROBLEMS: Final = {
    sqlite3.SQLITE_BUSY: f"another process has been writing to it for {BUSY_SECONDS:g} s; try again when it is done",
    sqlite3.SQLITE_FULL: "the disk is full; free some space and try again, what was kept before is unchanged",
    sqlite3.SQLITE_NOTADB: "it is no SQLite file; {anew}",
    sqlite3.SQLITE_CORRUPT: "it is damaged; {anew}",
    sqlite3.SQLITE_READONLY: "it may not be written; see to its permissions and those of its folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; see to its permissions and those of its folder",
}


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Keep all that is done within, or nothing of it."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("rollback")
        raise


@contextmanager
def telling(what: str, *, anew: str) -> Generator[None]:
    """Turn what SQLite reports into a sentence with what to do.

    Args:
        what: The file, as it is called in the sentence.
        anew: What to do where the file is damaged.

    Raises:
        StorageError: The file cannot be made or used.
    """
    try:
        yield
    except OSError as problem:
        raise StorageError(f"{what} cannot be made: {problem.strerror or problem}") from problem
    except sqlite3.Error as problem:
        code = getattr(problem, "sqlite_errorcode", 0) & 0xFF  # extended codes carry the plain one in their low byte
        said = PROBLEMS.get(code, f"{problem}; 'agents-eval doctor' says more").replace("{anew}", anew)
        raise StorageError(f"{what} cannot be used: {said}") from problem
