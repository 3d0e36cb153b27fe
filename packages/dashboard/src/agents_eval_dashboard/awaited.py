"""The use cases that are coroutines, called from a page, which is none."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine gives, on a loop of its own."""
    return asyncio.run(work)
