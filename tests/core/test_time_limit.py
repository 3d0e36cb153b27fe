"""Time limits that stop what never gives way."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from agents_eval_core.time_limit import within


async def endless() -> None:
    while True:
        pass


async def endless_and_stubborn() -> None:
    while True:
        try:
            await endless()
        except Exception:  # noqa: BLE001, S112  this is the stubbornness
            continue


async def asleep() -> None:
    await asyncio.sleep(3600)


def workers() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "limited"]


@pytest.mark.parametrize("work", [endless, endless_and_stubborn, asleep])
async def test_work_that_does_not_end_is_stopped_and_leaves_no_thread(
    work: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    with pytest.raises(TimeoutError):
        await within(0.05, work, name="limited")
    assert workers() == []


class Closing:
    """Something that takes a while to be closed, and is closed when nobody holds it any more."""

    begun = ended = 0

    def __del__(self) -> None:
        Closing.begun += 1
        for _ in range(20_000):
            pass
        Closing.ended += 1


async def closing_for_ever() -> None:
    while True:
        Closing()
        for _ in range(20_000):
            pass


@pytest.mark.parametrize("_time", range(10))
async def test_nothing_that_is_being_closed_is_broken_off(_time: int) -> None:
    Closing.begun = Closing.ended = 0
    with pytest.raises(TimeoutError):
        await within(0.05, closing_for_ever, name="limited")
    assert workers() == []
    assert Closing.begun == Closing.ended > 0


async def test_work_that_will_not_be_cancelled_is_ended_all_the_same() -> None:
    async def unwilling() -> None:
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(3600)

    with pytest.raises(TimeoutError):
        await within(0.05, unwilling, name="limited")
    assert workers() == []


async def test_the_answer_and_the_error_of_the_work_come_through() -> None:
    async def answer() -> int:
        return 42

    async def fail() -> int:
        raise ValueError("as it was")

    assert await within(5, answer, name="limited") == 42
    with pytest.raises(ValueError, match="as it was"):
        await within(5, fail, name="limited")


async def test_being_cancelled_stops_the_work() -> None:
    task = asyncio.ensure_future(within(3600, endless, name="limited"))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert workers() == []


def test_what_was_in_time_leaves_nothing_behind_that_holds_up_a_tracer() -> None:
    script = (
        "import asyncio, sys\n"
        "from agents_eval_core.time_limit import within\n"
        "async def answer(): return 42\n"
        "sys.settrace(lambda *_: None)\n"
        "print(asyncio.run(within(5, answer, name='limited')), asyncio.run(within(5, answer, name='limited')))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "42 42\n", done.stderr


async def test_the_caller_goes_on_while_the_work_computes() -> None:
    may_end = threading.Event()

    async def busy() -> None:
        give_up_at = time.monotonic() + 20
        while not may_end.is_set() and time.monotonic() < give_up_at:
            pass

    task = asyncio.ensure_future(within(30, busy, name="limited"))
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert not task.done()
    may_end.set()
    await task
