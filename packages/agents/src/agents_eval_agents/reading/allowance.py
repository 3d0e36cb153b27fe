"""What one agent may still read before its model's context is full."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

LEAST_WORTH_READING: Final = 200


@dataclass(slots=True, kw_only=True)
class Allowance:
    """Counts characters that agents read, run by run; without a limit, all is granted.

    Attributes:
        most: What one run of an agent may read; None is as much as it likes.
    """

    most: int | None = None
    taken: Counter[Hashable] = field(default_factory=Counter[Hashable])

    def left(self, run: Hashable) -> int | None:
        """Return how many characters a run may still read; None is no limit, and too few to be of use are none.

        >>> allowance = Allowance(most=1000)
        >>> allowance.take("run", 900)
        >>> allowance.left("run"), allowance.left("another run"), Allowance().left("run")
        (0, 1000, None)
        """
        if self.most is None:
            return None
        left = self.most - self.taken[run]
        return left if left >= LEAST_WORTH_READING else 0

    def take(self, run: Hashable, characters: int) -> None:
        """Count what a run was given."""
        self.taken[run] += characters
