"""The shape of the database: brought up to date by migrations, which are known by their names."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agents_eval_core.errors import StorageError

FOLDER: Final = Path(__file__).parent / "migrations"


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the migrations that a database has not seen; those of one call are applied all or not at all.

    Raises:
        StorageError: It has seen one that is not known here: a newer version wrote it.
        sqlite3.Error: It is damaged, full, or cannot be written.
    """
    files = {file.stem: file for file in sorted(FOLDER.glob("*.sql"))}
    if not _missing(connection, files, path):
        return
    connection.execute("begin immediate")
    try:
        for name in _missing(connection, files, path):  # asked again: another process may have been here first
            _apply(connection, name, files[name].read_text(encoding="utf-8"))
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def _missing(connection: sqlite3.Connection, files: dict[str, Path], path: Path) -> list[str]:
    is_new = connection.execute("select 1 from sqlite_master where name = 'migrations'").fetchone() is None
    applied = [] if is_new else [str(row[0]) for row in connection.execute("select name from migrations")]
    unknown = sorted(set(applied) - set(files))
    if unknown:
        raise StorageError(
            f"the store {path} was written by a newer version of Agents-eval (it has the migration {unknown[0]!r}); "
            "upgrade with 'pip install --upgrade agents-eval', or name another data root with AGENTS_EVAL_HOME"
        )
    return [name for name in files if name not in applied]


def _apply(connection: sqlite3.Connection, name: str, script: str) -> None:
    connection.execute(
        "create table if not exists migrations (name text primary key not null, applied_at text not null)"
    )
    for statement in script.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute("insert into migrations values (?, ?)", (name, datetime.now(UTC).isoformat()))
