"""How many runs this process has at once: only one that was alone may call the process's peak memory its own."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final


class Occupancy:
    """Whether a run had the process to itself from its beginning; runs before it count as well.

    The peak that the system tells never falls, so that of an earlier, larger run would look like this one's.
    """

    def __init__(self) -> None:
        self.alone = True


class ActiveRuns:
    """The runs of a process that are going on.

    >>> runs = ActiveRuns()
    >>> with runs.entered() as first:
    ...     with runs.entered() as second:
    ...         first.alone, second.alone
    (False, False)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._active: list[Occupancy] = []
        self._entered = 0

    @contextmanager
    def entered(self) -> Generator[Occupancy, None, None]:
        """Count a run for as long as the block lasts."""
        mine = Occupancy()
        with self._lock:
            mine.alone = self._entered == 0
            self._entered += 1
            for other in self._active:
                other.alone = False
            self._active.append(mine)
        try:
            yield mine
        finally:
            with self._lock:
                self._active.remove(mine)


RUNS_OF_PROCESS: Final = ActiveRuns()
