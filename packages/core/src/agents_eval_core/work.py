"""Work in many cells: the state of each, what it took, and how far all of it is."""

from dataclasses import dataclass
from typing import Literal

from agents_eval_core.frozen import Frozen

State = Literal["reserved", "running", "done", "failed"]


class Spent(Frozen):
    """What a unit of work took; None is unknown, not zero."""

    seconds: float = 0.0
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkProgress:
    """How far a sweep or batch is.

    Attributes:
        counts: Cells by state.
        spent: What the cells that ended took together.
        elapsed_seconds: By the clock on the wall, over all sessions.
        remaining_seconds: What is left at the pace of this session; None until a second one has ended.
        expected_usd: What the whole comes to at the mean so far; None where that is not known.
        waits_for: Why no further cell begins, where the budget leaves no room, or all that is begun fails.
    """

    name: str
    counts: dict[State, int]
    spent: Spent
    elapsed_seconds: float
    remaining_seconds: float | None
    expected_usd: float | None
    waits_for: str = ""

    @property
    def total(self) -> int:
        """All cells."""
        return sum(self.counts.values())

    @property
    def ended(self) -> int:
        """The cells that are done or failed."""
        return self.counts["done"] + self.counts["failed"]

    @property
    def left(self) -> int:
        """The cells that are still to be done."""
        return self.total - self.ended
