"""Reading a file apart from the event loop, in a way that being cancelled ends."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from threading import Event
from typing import Final, TypeVar

T = TypeVar("T")
_STOP: Final[ContextVar[Event | None]] = ContextVar("stop", default=None)


def is_interrupted() -> bool:
    """Whether the reading that this is part of should end.

    >>> is_interrupted()
    False
    """
    stop = _STOP.get()
    return stop is not None and stop.is_set()


async def apart(read: Callable[[], T]) -> T:
    """Return what a function returns that reads in a thread of its own; being cancelled waits for it to notice.

    It is told, not broken into: a process that it is just starting would be left running.

    >>> asyncio.run(apart(lambda: 42))
    42
    """
    stop = Event()
    token = _STOP.set(stop)
    try:
        reading = asyncio.ensure_future(asyncio.to_thread(read))  # takes a copy of the context, with `stop`
    finally:
        _STOP.reset(token)
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({reading})
        if not reading.cancelled():
            reading.exception()  # looked at, so that nobody is told of it later
        raise
