"""Time limits that stop what never gives way."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
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


async def test_the_caller_goes_on_while_the_work_computes() -> None:
    async def busy() -> None:
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            pass

    task = asyncio.ensure_future(within(5, busy, name="limited"))
    turns = 0
    while not task.done():
        turns += 1
        await asyncio.sleep(0.01)
    assert turns > 5
