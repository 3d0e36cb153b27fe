"""The half of the data that rules are developed on, and the one that they are tested on."""

from hashlib import sha256
from typing import Final

from agents_eval_core.ports.validation import Half

HALVES: Final[tuple[Half, Half]] = ("development half", "test half")


def half_of(task: str) -> Half:
    """Return the half of a task: by the parity of the SHA-256 of its name, so that all its runs are on one side.

    >>> half_of("task 1"), half_of("task 2")
    ('test half', 'test half')
    """
    return HALVES[sha256(task.encode()).digest()[-1] % 2]
