"""The half of the data that rules are developed on, and the one that they are tested on."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Final, TypeVar

from agents_eval_core.ports.validation import Half

T = TypeVar("T")
HALVES: Final[tuple[Half, Half]] = ("development half", "test half")


def half_of(task: str) -> Half:
    """Return the half of a task: by the parity of the SHA-256 of its name, so that all its runs are on one side.

    >>> half_of("task 1"), half_of("task 2")
    ('test half', 'test half')
    """
    return HALVES[sha256(task.encode()).digest()[-1] % 2]


def by_half(items: Iterable[T], task: Callable[[T], str]) -> Iterator[tuple[Half, tuple[T, ...]]]:
    """Yield both halves with the items whose tasks belong to them."""
    kept = tuple(items)
    for half in HALVES:
        yield half, tuple(item for item in kept if half_of(task(item)) == half)
