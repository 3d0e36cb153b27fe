"""The least whole number that is enough, where more is never less."""

from collections.abc import Callable


def fewest(low: int, high: int, is_enough: Callable[[int], bool]) -> int | None:
    """Return the least number from `low` to `high` that is enough; None where `high` is not.

    Args:
        low: The least that can be asked for.
        high: The most.
        is_enough: True for every number above one for which it is true.

    >>> fewest(1, 100, lambda number: number**2 >= 50), fewest(1, 5, lambda number: number > 9)
    (8, None)
    """
    if not is_enough(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low
