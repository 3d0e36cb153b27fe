"""What every executor does, wherever the work is done."""

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.errors import UnknownNameError, UsageError, WorkerLostError
from agents_eval_core.ports.executor import Executor
from agents_eval_core.use_cases.dispatch import Done, dispatched

UNGUARDED = """
import asyncio, sys
from pathlib import Path
from agents_eval_core.settings import load_settings
from agents_eval_core.sweep import SweepPlan
from agents_eval_core.use_cases.sweep import begin_sweep

print(__name__, "begins", flush=True)
settings = load_settings(None, environment={}, options={"AGENTS_EVAL_HOME": Path(sys.argv[1])})
plan = SweepPlan(
    name="night", dataset="sample", papers=1, compositions=("manager",), scheduler="processes", concurrency=1
)
asyncio.run(begin_sweep(plan, settings=settings))
print("ended")
"""
Unit = Callable[[], Any]


@pytest.fixture(params=["asyncio", "processes", pytest.param("dask", marks=pytest.mark.filterwarnings("ignore"))])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    made = registry.executor(request.param, workers=2)
    yield made
    made.close()


@pytest.fixture
def processes() -> Iterator[Executor]:
    made = registry.executor("processes", workers=2)
    yield made
    made.close()


async def all_done(units: list[Unit], executor: Executor, **options: Any) -> list[Done[Unit, Any]]:
    left = list(units)

    def take(number: int) -> list[Unit]:
        return [left.pop(0) for _ in range(min(number, len(left)))]

    chunks = dispatched(take, asyncio.to_thread, executor, **options)
    return [done async for chunk in chunks for done in chunk]


async def test_every_unit_is_done_once_and_a_failure_costs_no_other_unit(executor: Executor) -> None:
    units: list[Unit] = [partial(divmod, 7, number) for number in (1, 0, 2)]
    done = {unit.unit.args[1]: unit for unit in await all_done(units, executor)}  # type: ignore[attr-defined]
    assert (done[1].result, done[2].result) == ((7, 0), (3, 1))
    assert done[0].problem is not None
    assert done[0].problem.error_type == "ZeroDivisionError"
    assert len(done) == 3


async def test_work_that_is_short_travels_in_chunks(executor: Executor) -> None:
    units: list[Unit] = [partial(pow, 2, number) for number in range(600)]
    left, asked = list(units), list[int]()

    def take(number: int) -> list[Unit]:
        asked.append(number)
        return [left.pop(0) for _ in range(min(number, len(left)))]

    chunks = [chunk async for chunk in dispatched(take, asyncio.to_thread, executor)]
    assert Counter(done.result for chunk in chunks for done in chunk) == Counter(2**number for number in range(600))
    assert (asked[0], max(asked)) == (1, 256)


async def test_a_unit_that_kills_its_worker_ends_as_a_problem_and_the_others_with_their_results(
    processes: Executor,
) -> None:
    lost: list[Unit] = []
    units: list[Unit] = [partial(pow, 2, number) for number in range(40)]
    units.insert(20, partial(os._exit, 9))
    done = await all_done(units, processes, on_lost=lost.extend)
    failed = [unit for unit in done if unit.problem is not None]
    assert [unit.problem.error_type for unit in failed if unit.problem] == ["WorkerLostError"]
    assert failed[0].unit is units[20]
    assert Counter(unit.result for unit in done if unit.problem is None) == Counter(2**number for number in range(40))
    assert lost.count(units[20]) in (3, 4)  # with its neighbours once, where it had some, then alone three times


async def test_the_death_of_one_process_leaves_the_work_of_the_other_alone(processes: Executor) -> None:
    slow = processes.submit(asyncio.sleep, 0.5, "slept")
    with pytest.raises(WorkerLostError, match="the worker process died"):
        await asyncio.wrap_future(processes.submit(asyncio.to_thread, os._exit, 1))
    assert await asyncio.wrap_future(slow) == "slept"
    assert await asyncio.wrap_future(processes.submit(asyncio.to_thread, pow, 2, 3)) == 8


async def test_closing_gives_up_what_is_under_way(processes: Executor) -> None:
    endless = asyncio.wrap_future(processes.submit(asyncio.sleep, 600))
    pid: Any = await asyncio.wrap_future(processes.submit(asyncio.to_thread, os.getpid))
    processes.close()
    with pytest.raises(WorkerLostError):
        await endless
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_script_that_begins_a_sweep_when_it_is_imported_is_told_so_and_ends(tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(UNGUARDED)
    line = [sys.executable, str(script), str(tmp_path / "home")]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "no worker process can be started: each dies before it is given work" in last
    assert "must do so under 'if __name__ == \"__main__\":'" in last
    assert "this worker imports a script that begins a sweep or batch when it is imported" in done.stderr
    assert done.stdout.splitlines()[0] == "__main__ begins"
    assert "ended" not in done.stdout


async def test_what_cannot_be_had_is_said_before_anything_begins() -> None:
    with pytest.raises(UnknownNameError, match="no executor named 'dusk'; did you mean 'dask'"):
        registry.executor("dusk", workers=1)
    for name in ("asyncio", "processes"):
        with pytest.raises(UsageError, match="no scheduler at"):
            registry.executor(name, workers=1, address="tcp://127.0.0.1:1")
