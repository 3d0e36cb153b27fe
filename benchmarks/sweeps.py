"""What sweeps and batches cost: cells a second on one core and on two, bulk evaluation with its memory, the store.

Run it with `python benchmarks/sweeps.py [all] [FOLDER]`: FOLDER holds venues of PeerRead, without it the sample papers
are used. The default sizes take two minutes of CPU; `all` takes the full ones (8 x 50 x 3 cells, 100,000 runs, 10^6
rows of the store) and most of an hour.
"""

import asyncio
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from agents_eval_core.run import RunRecord
from agents_eval_core.settings import load_settings
from agents_eval_core.store.rows import RECORD_FIELDS, record_row
from agents_eval_core.store.sqlite import SqliteStore
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.batch import begin_batch
from agents_eval_core.use_cases.sweep import begin_sweep
from agents_eval_core.work import WorkProgress

BEGUN = datetime(2026, 1, 2, tzinfo=UTC)
COMPOSITIONS = 8
T = TypeVar("T")


def settings_in(place: Path) -> Any:
    return load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": place})


class Moments:
    """When how much had ended, on the clock and in the driver's own CPU."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float, int]] = []

    def see(self, progress: WorkProgress) -> None:
        self._seen.append((time.perf_counter(), time.process_time(), progress.ended))

    def pace(self, warm: int) -> tuple[float, float]:
        """Return what ended in a second and what the driver took for each in ms, once so much had ended."""
        clock, own, first = next(moment for moment in self._seen if moment[2] >= warm)
        end, own_end, last = self._seen[-1]
        return (last - first) / (end - clock), (own_end - own) / (last - first) * 1e3


def cells_a_second(
    place: Path, data: Path | None, papers: int, workers: int, *, scheduler: str, cores: set[int]
) -> tuple[float, float]:
    """Return the pace after the first papers, when the workers have started, and the driver's ms of CPU a run."""
    os.sched_setaffinity(0, cores)
    moments = Moments()
    plan = SweepPlan(
        name=f"{scheduler}-{workers}-{len(cores)}",
        dataset="peerread" if data else "sample",
        data_dir=data,
        papers=papers,
        repetitions=3,
        concurrency=workers,
        scheduler=scheduler,
    )
    asyncio.run(begin_sweep(plan, settings=settings_in(place), on_progress=moments.see))
    return moments.pace(2 * COMPOSITIONS)


def apart(work: Callable[..., T], *arguments: object, **options: object) -> T:
    """Do work in a process of its own: what workers are forked from keeps the cores that it was begun with."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *arguments, **options).result()


def resident_megabytes(pid: int | str = "self") -> float:
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
    return 0.0


def bulk(place: Path, number: int) -> tuple[float, float, list[float]]:
    """Return items a second of tiers 1 and 3 over traces of 12 messages, the driver's ms for each, and its memory."""
    file = place / "traces.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for item in range(number):
            steps = ",".join(
                f'{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{step}","type":"function",'
                f'"function":{{"name":"tool_{step % 3}","arguments":"{{\\"n\\":{item + step}}}"}}}}]}},'
                f'{{"role":"tool","tool_call_id":"c{step}","content":"found {item * step}"}}'
                for step in range(5)
            )
            lines.write(
                f'{{"messages":[{{"role":"user","content":"Question {item}"}},{steps},'
                f'{{"role":"assistant","content":"The answer is {item}."}}]}}\n'
            )
    memory: list[float] = []
    moments = Moments()

    def watch(progress: WorkProgress) -> None:
        moments.see(progress)
        if progress.ended * 10 // number > len(memory):
            memory.append(resident_megabytes())

    asyncio.run(
        begin_batch(
            [str(file)],
            settings=settings_in(place / "home"),
            name="bulk",
            tiers=(1, 3),
            concurrency=2,
            scheduler="processes",
            on_progress=watch,
        )
    )
    return *moments.pace(number // 10), memory


def mean_per_composition(place: Path, number: int) -> tuple[float, int]:
    """Return the milliseconds that the mean composite of each composition takes over so many stored runs."""
    store = SqliteStore(place / "agents-eval.db")
    store.close()
    marks = ", ".join("?" * len(RECORD_FIELDS))
    with sqlite3.connect(place / "agents-eval.db") as connection:
        connection.executemany(
            f"insert into runs ({', '.join(RECORD_FIELDS)}) values ({marks})",  # noqa: S608  our own fields
            (record_row(_a_record(position)) for position in range(number)),
        )
    connection.close()
    store = SqliteStore(place / "agents-eval.db")
    took = [_milliseconds(store.means) for _ in range(5)]
    found = len(store.means())
    store.close()
    return statistics.median(took), found


def _a_record(position: int) -> RunRecord:
    return RunRecord(
        id=f"{position:08}",
        directory=f"runs/{position:08}",
        status="complete",
        engine="mas",
        composition=f"composition-{position % COMPOSITIONS}",
        dataset="peerread",
        paper=f"{position // COMPOSITIONS % 1000}",
        sweep="night",
        repetition=position // COMPOSITIONS // 1000,
        created_at=BEGUN,
        composite=(position * 7919 % 1000) / 1000,
        coverage=0.8,
        verdict="weak_accept",
    )


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1e3


def main(arguments: list[str]) -> None:
    is_full = "all" in arguments
    folders = [Path(each) for each in arguments if each != "all"]
    data = folders[0] if folders else None
    papers = 50 if is_full else 6
    every = sorted(os.sched_getaffinity(0))
    one, two = set(every[:1]), set(every[:2])
    with tempfile.TemporaryDirectory(prefix="agents-eval-") as folder:
        place = Path(folder)
        alone, own = apart(cells_a_second, place / "one", data, papers, 1, scheduler="processes", cores=one)
        both, _ = apart(cells_a_second, place / "two", data, papers, 2, scheduler="processes", cores=two)
        cells = COMPOSITIONS * papers * 3
        print(
            f"sweep of {cells:,} cells, one core: {alone:.1f} runs/s, {own:.1f} ms of CPU a run of it the driver's; "
            f"two: {both:.1f} ({both / 2 / alone:.0%} of 2 x)"
        )
        single, _ = apart(cells_a_second, place / "dask", data, papers, 1, scheduler="dask", cores=two)
        double, _ = apart(cells_a_second, place / "dasks", data, papers, 2, scheduler="dask", cores=two)
        print(f"Dask, one worker: {single:.1f} runs/s; two: {double:.1f} ({double / single:.2f} x)")
        number = 100_000 if is_full else 2_000
        pace, own, memory = bulk(place, number)
        shown = ", ".join(f"{each:.0f}" for each in memory)
        print(f"tiers 1 and 3 of {number:,} stored traces: {pace:.0f}/s on two cores")
        print(f"the driver takes {own:.2f} ms of CPU for each of them; its memory in MB: {shown}")
        rows = 1_000_000 if is_full else 100_000
        took, groups = mean_per_composition(place, rows)
        print(f"mean of {groups} compositions over {rows:,} stored runs: {took:.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
