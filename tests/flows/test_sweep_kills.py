"""Sweeps killed at random moments, driver and workers, on processes and on Dask: all end as the undisturbed one."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from agents_eval_core.data_root import DataRoot
from agents_eval_core.use_cases.sweep_cells import sweep_cells
from agents_eval_core.use_cases.sweep_folder import SweepFolder

PROGRAM: Final = (sys.executable, "-m", "agents_eval_cli")
PLAN: Final = (
    *("--name", "night", "--dataset", "sample", "--papers", "2", "--repetitions", "3"),
    *("--compositions", "manager,manager+analyst,manager+researcher,full", "--concurrency", "2", "--quiet"),
)
CELLS: Final = 24
AT_ONCE: Final = 3
PATIENT: Final = {f"JUDGE_TIER{tier}_MAX_SECONDS": "300" for tier in (1, 3)}  # else a slow machine loses scores
OF_TIME: Final = {"run", "directory", "created_at", "spent", "attempts"}
RESULT: Final = Path(__file__).parents[2] / "docs" / "proof" / "sweeps.md"

Kept = list[tuple[dict[str, Any], str]]

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers are found in Linux's /proc")


@dataclass(frozen=True, kw_only=True)
class Kill:
    """Who is killed: once so many runs are kept, and a share of a run's time later."""

    scheduler: str
    victim: str
    after: int
    pause: float


@dataclass(frozen=True, kw_only=True)
class Ended:
    """What a kill came to: how many runs were kept when it fell, and how long it all took."""

    kill: Kill
    kept: int
    seconds: float


def call(*arguments: str | Path) -> None:
    line = [*PROGRAM, *map(str, arguments)]
    done = subprocess.run(
        line, capture_output=True, encoding="utf-8", check=False, timeout=600, env=os.environ | PATIENT
    )
    assert done.returncode == 0, done.stderr


def kept(home: Path) -> Kept:
    """Return each cell, without what tells of time, and its review byte for byte."""
    cells = sweep_cells(SweepFolder.named("night", DataRoot(path=home)))
    assert len(list((home / "runs").iterdir())) == len(cells) == CELLS
    assert len({cell.run for cell in cells}) == CELLS
    assert not (home / "sweeps" / "night" / "workshop").exists()
    return [
        (cell.model_dump(exclude=OF_TIME), (home / str(cell.directory) / "review.json").read_text()) for cell in cells
    ]


def whole_runs(home: Path) -> dict[str, tuple[bytes, int]]:
    """Return what was moved to the runs so far, and when it was written: nothing of it may be made again."""
    found = sorted((home / "runs").glob("*/run.json"))
    return {file.parent.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in found}


def workers_of(pid: int) -> list[int]:
    """Return the processes that descend from one and have no children, the janitor of shared memory left out."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    family = {pid}
    for _ in range(4):
        family |= {child for child, parent in parents.items() if parent in family}
    leaves = family - {parents.get(each) for each in family} - {pid}
    return sorted(each for each in leaves if is_alive(each) and "resource_tracker" not in _line(each))


def is_alive(pid: int) -> bool:
    return "python" in _line(pid)


def _line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def disturbed(home: Path, kill: Kill) -> Ended:
    """Run a sweep, kill somebody in it, and see it to its end."""
    begun = time.monotonic()
    number = killed(home, kill, *PLAN, "--scheduler", kill.scheduler)
    if kill.victim == "driver":
        before = whole_runs(home)
        call("sweep", "resume", "night", "--home", home)
        assert {name: what for name, what in whole_runs(home).items() if name in before} == before
    return Ended(kill=kill, kept=number, seconds=time.monotonic() - begun)


def killed(home: Path, kill: Kill, *sweep_options: str) -> int:
    """Run a sweep, kill somebody in it, and return how many runs were kept when the kill fell.

    A sweep whose worker was killed must end by itself; one whose driver was killed leaves no worker behind.
    """
    line, environment = [*PROGRAM, "sweep", *sweep_options, "--home", str(home)], os.environ | PATIENT
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment) as sweep:
        _wait_for(kill, home / "runs", sweep)
        workers = workers_of(sweep.pid)
        number = len(whole_runs(home))
        assert sweep.poll() is None, f"over before the kill: {kill}"
        os.kill(sweep.pid if kill.victim == "driver" else workers[kill.after % len(workers)], signal.SIGKILL)
        said = sweep.communicate(timeout=600)[1].decode()
    if kill.victim == "worker":
        assert sweep.returncode == 0, said
    else:
        assert sweep.returncode == -signal.SIGKILL
        _wait_until_gone(workers)
    return number


def _wait_for(kill: Kill, runs: Path, sweep: subprocess.Popen[bytes]) -> None:
    first: float | None = None
    while sweep.poll() is None:
        number = len(list(runs.glob("*"))) if runs.is_dir() else 0
        first = first or (time.monotonic() if number else None)
        if first and number >= kill.after:
            time.sleep(kill.pause * (time.monotonic() - first) / number)
            return
        time.sleep(0.005)


def _wait_until_gone(pids: Sequence[int]) -> None:
    latest = time.monotonic() + 20
    while left := [pid for pid in pids if is_alive(pid)]:
        assert time.monotonic() < latest, f"outlived their driver: {left}"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    home = tmp_path_factory.mktemp("undisturbed")
    call("sweep", *PLAN, "--scheduler", "asyncio", "--home", home)
    return kept(home)


def test_a_driver_and_then_a_worker_of_the_resumed_sweep_are_killed_and_nothing_changes(
    undisturbed: Kept, tmp_path: Path
) -> None:
    driver = Kill(scheduler="processes", victim="driver", after=7, pause=0.5)
    assert killed(tmp_path, driver, *PLAN, "--scheduler", "processes") < CELLS
    before = whole_runs(tmp_path)
    worker = Kill(scheduler="processes", victim="worker", after=len(before) + 1, pause=0.0)
    assert killed(tmp_path, worker, "resume", "night", "--quiet") < CELLS
    assert kept(tmp_path) == undisturbed
    assert {name: what for name, what in whole_runs(tmp_path).items() if name in before} == before


def moments() -> Iterator[Kill]:
    """Yield fifty kills: thirty on processes, twenty on Dask; of either half the driver."""
    chance = random.Random(20261121)  # noqa: S311  the same moments each time
    on = ("processes", "dask", "processes", "dask", "processes")
    for place in range(50):
        victim = ("driver", "worker")[place // len(on) % 2]
        after, pause = chance.randint(1, CELLS - 3), chance.random()
        yield Kill(scheduler=on[place % len(on)], victim=victim, after=after, pause=pause)


@pytest.fixture(scope="module")
def seen() -> Iterator[list[Ended]]:
    """Return what the kills came to so far; when all were seen, the page of them is written anew."""
    ended: list[Ended] = []
    yield ended
    if len(ended) == len(list(moments())):
        RESULT.write_text(_told(ended), encoding="utf-8")


@pytest.mark.proof
@pytest.mark.parametrize("tenth", range(10))
def test_fifty_random_kills_change_nothing(
    tenth: int, undisturbed: Kept, seen: list[Ended], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def proved(number: int, kill: Kill) -> Ended:
        ended = disturbed(tmp_path / str(number), kill)
        assert kept(tmp_path / str(number)) == undisturbed, kill
        with capsys.disabled():
            sys.stdout.write(f"{number + 1:2}. {ended}\n")
        return ended

    chosen = [(number, kill) for number, kill in enumerate(moments()) if number // 5 == tenth]
    with ThreadPoolExecutor(AT_ONCE) as sweeps:
        seen += sweeps.map(proved, *zip(*chosen, strict=True))


def _told(seen: Sequence[Ended]) -> str:
    lines = [
        "# Sweeps that were killed",
        "",
        f"Written by `make proof` (test_sweep_kills.py) on {datetime.now(UTC):%Y-%m-%d}.",
        "",
        f"A sweep of {CELLS} cells (4 compositions, 2 sample papers, 3 repetitions, two workers) is killed with",
        "SIGKILL once so many runs are kept, plus a random part of the time that a run takes. Where a worker was",
        "killed, the sweep had to end by itself; where the driver was, its workers had to go and `sweep resume` to end",
        "it. After each the cells, scores, reviews and the number of run directories were those of the undisturbed",
        "sweep, and no run that was kept when the driver died was made again.",
        "",
        "| executor | killed | kills | same end | runs kept when it fell |",
        "|---|---|---|---|---|",
    ]
    groups = Counter((each.kill.scheduler, each.kill.victim) for each in seen)
    for (scheduler, victim), number in groups.items():
        fell = sorted(each.kept for each in seen if (each.kill.scheduler, each.kill.victim) == (scheduler, victim))
        lines.append(f"| {scheduler} | {victim} | {number} | {number} | {', '.join(map(str, fell))} |")
    return "\n".join(lines) + "\n"
