"""Ctrl-C and coroutines."""

import asyncio
import signal
from contextlib import suppress

import pytest

from agents_eval_cli.interruptible import Interrupt, finished


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_cancels_the_coroutine_which_may_still_tidy_up() -> None:
    said: list[str] = []

    async def work() -> None:
        asyncio.get_running_loop().call_soon(press_ctrl_c)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            said.append("tidied up")
            raise

    with pytest.raises(KeyboardInterrupt):
        finished(work())
    assert said == ["tidied up"]


def test_ctrl_c_is_not_lost_where_the_work_saw_to_its_end() -> None:
    async def stubborn() -> str:
        press_ctrl_c()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return "done all the same"

    with pytest.raises(KeyboardInterrupt):
        finished(stubborn())


def test_a_second_ctrl_c_does_not_wait() -> None:
    said: list[str] = []

    async def work() -> None:
        press_ctrl_c()
        press_ctrl_c()
        said.append("went on")

    with pytest.raises(KeyboardInterrupt):
        finished(work())
    assert said == []


def test_work_is_not_begun_after_ctrl_c() -> None:
    said: list[str] = []

    async def work() -> None:
        said.append("begun")

    interrupt = Interrupt()
    interrupt(signal.SIGINT, None)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(interrupt.watched(work()))
    assert said == []


def test_afterwards_ctrl_c_does_what_it_did_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert finished(asyncio.sleep(0, 1)) == 1
    assert signal.getsignal(signal.SIGINT) is before
