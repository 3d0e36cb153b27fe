"""The traffic of this process with one provider: how many requests at once, how often, and when it is left alone."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

from pydantic_ai.exceptions import ModelUnavailableError

FAILURES_IN_A_ROW: Final = 10
LEFT_ALONE_SECONDS: Final = 30.0
MINUTE: Final = 60.0


class Breaker:
    """Leaves a provider alone that keeps failing: for a while nobody asks it, then one request tries.

    >>> now = 0.0
    >>> breaker = Breaker(failures=2, seconds=30, clock=lambda: now)
    >>> breaker.failed(), breaker.failed(), breaker.is_open
    (None, None, True)
    >>> now = 31.0
    >>> breaker.is_open, breaker.is_open  # one may try, the next is held back until that one knows
    (False, True)
    """

    def __init__(
        self,
        *,
        failures: int = FAILURES_IN_A_ROW,
        seconds: float = LEFT_ALONE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._seconds, self._clock = failures, seconds, clock
        self._failures = 0
        self._until = 0.0
        self._lock = threading.Lock()

    @property
    def is_open(self) -> bool:
        """Whether it is left alone now; when its time is over, the first who asks may try."""
        with self._lock:
            if self._failures < self._most:
                return False
            if self._clock() < self._until:
                return True
            self._until = self._clock() + self._seconds
            return False

    def failed(self) -> None:
        """Count a failure that is the provider's own."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._most:
                self._until = self._clock() + self._seconds

    def succeeded(self) -> None:
        """Forget the failures."""
        with self._lock:
            self._failures = 0


class Traffic:
    """The requests to one provider."""

    def __init__(self, provider: str, breaker: Breaker | None = None) -> None:
        self.provider = provider
        self.breaker = breaker or Breaker()
        self._places: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, asyncio.Semaphore]] = WeakKeyDictionary()
        self._next_at = 0.0
        self._lock = threading.Lock()

    def check(self, model: str) -> None:
        """Let a request pass unless the provider is left alone.

        Raises:
            ModelUnavailableError: It failed too often in a row; nothing was sent.
        """
        if self.breaker.is_open:
            told = f"{FAILURES_IN_A_ROW} requests in a row failed, so it is left alone for {LEFT_ALONE_SECONDS:g} s"
            raise ModelUnavailableError(model, told)

    @asynccontextmanager
    async def place(self, at_once: int) -> AsyncGenerator[None]:
        """Hold one of the places that requests have at a time; those of other event loops are not counted."""
        loop = asyncio.get_running_loop()
        places = self._places.setdefault(loop, {})
        async with places.setdefault(at_once, asyncio.Semaphore(at_once)):
            yield

    def pause(self, per_minute: float | None) -> float:
        """Return how long this request must wait so that there are no more than so many a minute; take its turn."""
        if per_minute is None:
            return 0.0
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next_at)
            self._next_at = turn + MINUTE / per_minute
            return turn - now


@cache
def traffic_with(provider: str) -> Traffic:
    """Return the traffic of this process with a provider."""
    return Traffic(provider)
