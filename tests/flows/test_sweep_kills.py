"""Sweeps killed at random moments, driver and workers, on processes and on Dask: all end as the undisturbed one."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAM = (sys.executable, "-m", "agents_eval_cli")
PLAN = (
    *("--name", "night", "--dataset", "sample", "--papers", "3"),
    *("--repetitions", "2", "--concurrency", "2", "--quiet"),
)
COMPOSITIONS = ("--compositions", "manager,manager+analyst,manager+researcher,full")
CELLS = 24
OF_TIME = ("run", "directory", "created_at", "spent", "attempts")


def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=False, timeout=300)


def kept(home: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Return what a sweep left, without what tells of time, and the reviews byte for byte."""
    done = call("sweep", "export", "night", "--json", "--home", home)
    assert done.returncode == 0, done.stderr
    cells = json.loads(done.stdout)["cells"]
    reviews = [(home / cell["directory"] / "review.json").read_text() for cell in cells]
    assert len(list((home / "runs").iterdir())) == len(cells)
    assert not (home / "sweeps" / "night" / "workshop").exists()
    return [{name: value for name, value in cell.items() if name not in OF_TIME} for cell in cells], reviews


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
    return sorted(each for each in leaves if "resource_tracker" not in _line(each))


def _line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return "resource_tracker"


def disturbed(home: Path, scheduler: str, victim: str, share: float, usual: float) -> str:
    """Run a sweep, kill something after a share of its usual time, and see it to its end; return what happened."""
    line = [*PROGRAM, "sweep", *PLAN, *COMPOSITIONS, "--scheduler", scheduler, "--home", str(home)]
    begun = time.monotonic()
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as sweep:
        family: list[int] = []
        while sweep.poll() is None and time.monotonic() - begun < share * usual:
            time.sleep(0.05)
        if sweep.poll() is None:
            family = workers_of(sweep.pid)
            targets = [sweep.pid] if victim == "driver" else family[:1]
            for pid in targets:
                os.kill(pid, signal.SIGKILL)
        sweep.wait(timeout=300)
    if victim == "driver" and family:
        time.sleep(1.0)
        assert [pid for pid in family if Path(f"/proc/{pid}").exists() and "python" in _line(pid)] == []
    ended = len(list((home / "runs").glob("*"))) if home.exists() else 0
    verb = ("resume", "night") if (home / "sweeps" / "night" / "sweep.json").is_file() else (*PLAN, *COMPOSITIONS)
    done = call("sweep", *verb, "--home", home)
    assert done.returncode == 0, done.stderr
    return f"{scheduler}, {victim} at {share:.2f}: {ended} of {CELLS} runs were kept, exit code {sweep.returncode}"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], list[str]]:
    home = tmp_path_factory.mktemp("undisturbed")
    done = call("sweep", *PLAN, *COMPOSITIONS, "--scheduler", "processes", "--home", home)
    assert done.returncode == 0, done.stderr
    return kept(home)


def moments() -> Iterator[tuple[str, str, float]]:
    """Yield fifty kills: thirty on processes, twenty on Dask; of either half the driver."""
    chance = random.Random(20261120)  # noqa: S311  the same moments each time
    for scheduler, number in (("processes", 30), ("dask", 20)):
        for place in range(number):
            yield scheduler, ("driver", "worker")[place % 2], round(chance.uniform(0.15, 1.0), 2)


@pytest.mark.proof
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers are found in Linux's /proc")
def test_fifty_random_kills_change_nothing(
    undisturbed: tuple[list[dict[str, Any]], list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual: dict[str, float] = {}
    for number, (scheduler, victim, share) in enumerate(moments()):
        if scheduler not in usual:
            begun = time.monotonic()
            call("sweep", *PLAN, *COMPOSITIONS, "--scheduler", scheduler, "--home", tmp_path / f"whole-{scheduler}")
            usual[scheduler] = time.monotonic() - begun
        home = tmp_path / str(number)
        told = disturbed(home, scheduler, victim, share, usual[scheduler])
        with capsys.disabled():
            sys.stdout.write(f"{number + 1:2}. {told}\n")
        assert kept(home) == undisturbed
