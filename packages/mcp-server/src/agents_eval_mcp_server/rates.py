"""How often each caller may call: a bucket of tokens that fills again."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from agents_eval_core.errors import UsageError

CALLS_AT_ONCE: Final = 300
CALLS_A_SECOND: Final = 20.0


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Rates:
    """Buckets of calls, one for each principal: 300 calls at once, then 20 a second.

    An agent at work stays far below; a loop that has gone wild is slowed before it takes the machine.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def take(self, principal: str) -> None:
        """Count a call.

        Raises:
            UsageError: The caller has none left for now.

        >>> rates = Rates(clock=lambda: 0.0)
        >>> for _ in range(CALLS_AT_ONCE):
        ...     rates.take("user")
        >>> rates.take("user")
        Traceback (most recent call last):
        agents_eval_core.errors.UsageError: too many calls; wait a second and call again, at most 20 times a second
        """
        now = self._clock()
        bucket = self._buckets.setdefault(principal, _Bucket(CALLS_AT_ONCE, now))
        bucket.tokens = min(CALLS_AT_ONCE, bucket.tokens + (now - bucket.at) * CALLS_A_SECOND)
        bucket.at = now
        if bucket.tokens < 1:
            raise UsageError(f"too many calls; wait a second and call again, at most {CALLS_A_SECOND:g} times a second")
        bucket.tokens -= 1
