"""Runs one sweep again and again in children that are killed one write later, and resumes each to its end.

Called with a folder, the first write to die at, and by how many to go on. Prints a line of JSON for each child: the
write it died at (null where it lived), and what the data root of that child holds after it was resumed. A child's data
root is named by its number. Every run that an engine begins is a line in the file `begun` of that data root.
"""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.data_root import DataRoot
from agents_eval_core.ports.engine import EngineOptions
from agents_eval_core.settings import Settings, load_settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.sweep import begin_sweep, resume_sweep
from agents_eval_core.use_cases.sweep_folder import SweepFolder

PLAN = SweepPlan(
    name="night",
    dataset="sample",
    papers=1,
    compositions=("manager", "manager+analyst"),
    repetitions=2,
    scheduler="asyncio",
    concurrency=2,
)
WRITES = ("replace", "rename", "mkdir", "fsync")


def watch(fatal: int, log: Path) -> None:
    """Kill this process at one of its writes."""
    reached = 0

    def pass_by(name: str) -> None:
        nonlocal reached
        if reached == fatal:
            log.write_text(name)
            os.kill(os.getpid(), signal.SIGKILL)
        reached += 1

    def watched(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **options: Any) -> Any:
            pass_by(name)
            return None if name == "fsync" else real(*arguments, **options)  # a killed process loses nothing written

        return call

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            if not sql.startswith(("select", "pragma")):
                pass_by(f"sqlite {' '.join(sql.split()[:3])}")
            return super().execute(sql, *rest)

    for name in WRITES:
        setattr(os, name, watched(name))
    sqlite3.connect = partial(sqlite3.connect, factory=Watched)


def count_begun_runs(log: Path) -> None:
    """Write down each run that the engine begins."""
    engine = type(registry.engine("mas"))
    run = engine.run

    async def counted(self: Any, case: Case, options: EngineOptions) -> Any:
        with log.open("a") as lines:
            lines.write(f"{options.run_id}\n")
        return await run(self, case, options)

    setattr(engine, "run", counted)  # noqa: B010  the type is a plug-in's


def kept(root: DataRoot) -> dict[str, Any]:
    """Return all that is kept and does not depend on the time."""
    store = registry.store("sqlite", root.database)
    records = list(store.records())
    store.close()
    folder = SweepFolder.named(PLAN.name, root)
    with folder.journal() as journal:
        cells = sorted((entry.key, entry.state, str(entry.problem)) for entry in journal.entries())
    runs = sorted(
        [
            record.composition,
            record.repetition,
            record.status,
            record.composite,
            record.verdict,
            (root.path / record.directory / "review.json").read_text(),
            [[score.name, score.value, score.reason] for score in scores(root.path / record.directory)],
        ]
        for record in records
    )
    return {
        "cells": cells,
        "runs": runs,
        "directories": len(list(root.runs.iterdir())),
        "left": sorted(path.name for path in folder.path.iterdir() if path.name == "workshop"),
    }


def scores(path: Path) -> Any:
    card = RunDirectory.open(path).read_scorecard()
    assert card is not None
    return card.scores


def whole_runs(root: DataRoot) -> set[str]:
    """Return the ids of the runs that were finished, wherever they lie."""
    found = (RunDirectory.open(file.parent) for file in root.path.rglob("run.json") if ".~" not in str(file))
    runs = [directory.read_run(with_trace=False) for directory in found]
    return {run.id for run in runs if run.status == "complete"}


def child(settings: Settings, fatal: int) -> None:
    home = settings.home
    home.mkdir(parents=True)
    count_begun_runs(home / "begun")
    watch(fatal, home / "died_at")
    asyncio.run(begin_sweep(PLAN, settings=settings))


def resumed(settings: Settings) -> None:
    count_begun_runs(settings.home / "begun")
    if (settings.home / "sweeps" / PLAN.name / "sweep.json").is_file():
        asyncio.run(resume_sweep(PLAN.name, settings=settings))
    else:
        asyncio.run(begin_sweep(PLAN, settings=settings))


def in_a_child(work: Callable[..., object], *arguments: Any) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            work(*arguments)
        except BaseException as problem:  # noqa: BLE001  a child never returns
            sys.stderr.write(f"{type(problem).__name__}: {problem}\n")
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def settings_in(home: Path) -> Settings:
    return load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": home})


def main(place: Path, first: int, step: int) -> None:
    asyncio.run(begin_sweep(PLAN, settings=settings_in(place / "before")))  # what is loaded now, no child has to load
    fatal, lived = first, False
    while not lived:
        root = DataRoot(path=place / str(fatal))
        settings = settings_in(root.path)
        lived = in_a_child(child, settings, fatal) == 0
        died_at = None if lived else (root.path / "died_at").read_text()
        whole = whole_runs(root)
        if in_a_child(resumed, settings):
            raise SystemExit(f"killed at {died_at} ({fatal}), it could not be resumed")
        begun = (root.path / "begun").read_text().split()
        again = [run for run in whole if begun.count(run) > 1]
        sys.stdout.write(f"{json.dumps({'died_at': died_at, 'made_again': again, **kept(root)})}\n")
        fatal += step


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
