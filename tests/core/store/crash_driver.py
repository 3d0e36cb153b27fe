"""Keeps one run again and again, each time in a child that is killed one write later.

Called with a folder that holds the run (`run.json`, `review.json`, `scorecard.json`, `trace.otlp.jsonl`) and the order
of the first two steps. Prints, for each child, the write it died at; the last one lives. Every child has its own data
root, named by its number.
"""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.review import Review
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard
from agents_eval_core.store.directory_name import directory_name
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.selection import record_of


class Boundaries:
    """Counts what is about to be written, and kills the process at one of them."""

    def __init__(self, fatal: int, log: Path) -> None:
        self.fatal, self.reached, self.log = fatal, 0, log

    def pass_by(self, name: str, *, before_dying: Callable[[], object] = lambda: None) -> None:
        if self.reached == self.fatal:
            before_dying()
            self.log.write_text(name)
            os.kill(os.getpid(), signal.SIGKILL)
        self.reached += 1


def watch(boundaries: Boundaries) -> None:
    """Let every write of this process pass by the boundaries; a write that is fatal is done by half."""
    write = os.write

    def watched_write(descriptor: int, data: Any) -> int:
        half = bytes(data)[: len(data) // 2]
        boundaries.pass_by("write", before_dying=lambda: write(descriptor, half))
        return write(descriptor, data)

    def watched(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **options: Any) -> Any:
            boundaries.pass_by(name)
            return real(*arguments, **options)

        return call

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            boundaries.pass_by(f"sqlite {sql.split(maxsplit=1)[0]}")
            return super().execute(sql, *rest)

        def executemany(self, sql: str, rows: Any) -> sqlite3.Cursor:
            entries = list(rows)
            half = entries[: len(entries) // 2]
            boundaries.pass_by("sqlite rows", before_dying=lambda: super(Watched, self).executemany(sql, half))
            return super().executemany(sql, entries)

    os.write = watched_write
    os.fsync = lambda _: boundaries.pass_by("fsync")  # a killed process loses nothing that was written; it saves time
    for name in ("replace", "rename", "mkdir", "open"):
        setattr(os, name, watched(name))
    sqlite3.connect = partial(sqlite3.connect, factory=Watched)


def keep(given: Path, root: DataRoot, order: str) -> None:
    """Keep the run as the use cases do."""
    run = read(given / "run.json", Run)
    run = run.changed(output=read(given / "review.json", Review))
    started = run.changed(status="unfinished", output=None, finished_at=None)
    begun = record_of(started, root.runs / directory_name(started), root, None)
    store = registry.store("sqlite", root.database)
    if order == "store first":
        store.begin(begun)
        directory = RunDirectory.create(root.runs, started)
    else:
        directory = RunDirectory.create(root.runs, started)
        store.begin(begun)
    directory.finish(run, {"trace.otlp.jsonl": (given / "trace.otlp.jsonl").read_bytes()})
    kept, scorecard = directory.read_run(), read(given / "scorecard.json", Scorecard)
    directory.write_scorecard(scorecard, {"report.md": "# Report"})
    store.finish(record_of(kept, directory.path, root, scorecard), kept.trace, scorecard)
    store.close()


def read(path: Path, shape: Any) -> Any:
    return shape.model_validate_json(path.read_bytes())


def main(given: Path, order: str) -> None:
    registry.trace_format("otlp")  # loaded once, in the parent
    place = 0
    while True:
        root = given / str(place)
        child = os.fork()
        if child == 0:
            try:
                watch(Boundaries(place, given / f"{place}.log"))
                keep(given, DataRoot(path=root), order)
            finally:
                os._exit(0 if sys.exc_info()[0] is None else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != -signal.SIGKILL:
            print(place, "end" if status == 0 else "failed")  # noqa: T201  the parent reads it
            return
        print(place, (given / f"{place}.log").read_text())  # noqa: T201
        place += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
