"""Work in many cells: its order, the state of each cell, what it took, and how far all of it is."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal

from pydantic import Field

from agents_eval_core.frozen import Frozen

State = Literal["reserved", "running", "done", "failed"]


class WorkOrder(Frozen, ABC):
    """Work as it was begun: what of it every sweep and every batch has.

    Attributes:
        settings: The settings in force, by their names; those of the evaluation hold where it is resumed, too.
        versions: Of the packages, and of Python.
    """

    settings: dict[str, object] = Field(default_factory=dict[str, object])
    versions: dict[str, str] = Field(default_factory=dict[str, str])
    begun_at: datetime

    @property
    @abstractmethod
    def title(self) -> str:
        """What the work is called."""

    def run_id(self, key: str) -> str:
        """Return the id of the run that a cell becomes; it is the same at every attempt."""
        about = f"{self.title}\n{self.begun_at.isoformat()}\n{key}"
        return f"{self.begun_at:%Y%m%dT%H%M%S}-{sha256(about.encode()).hexdigest()[:16]}"


class Spent(Frozen):
    """What a unit of work took; None is unknown, not zero.

    Attributes:
        tokens: Of the work itself, as are seconds and cost.
        judge_tokens: Of those who judged it.
    """

    seconds: float = 0.0
    tokens: int | None = None
    cost_usd: float | None = None
    judge_tokens: int | None = 0
    judge_usd: float | None = 0.0

    @property
    def all_tokens(self) -> int | None:
        """Of the work and of its judges; None where either is unknown."""
        return None if self.tokens is None or self.judge_tokens is None else self.tokens + self.judge_tokens

    @property
    def all_usd(self) -> float | None:
        """For the work and for its judges; None where either is unknown."""
        return None if self.cost_usd is None or self.judge_usd is None else self.cost_usd + self.judge_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkProgress:
    """How far a sweep or batch is.

    Attributes:
        counts: Cells by state.
        spent: What the cells that ended took together, with those who judged them.
        elapsed_seconds: By the clock on the wall, over all sessions.
        remaining_seconds: What is left at the pace of this session; None until a second one has ended.
        expected_usd: What the whole comes to at the mean so far; None where that is not known.
        exceeded: Which limit more was spent than, in words; a cell may turn out dearer than any before it.
        waits_for: Why no further cell begins, where the budget leaves no room, or all that is begun fails.
        decided: What was concluded, where an answer was sought; no further cell begins then.
    """

    name: str
    counts: dict[State, int]
    spent: Spent
    elapsed_seconds: float
    remaining_seconds: float | None
    expected_usd: float | None
    waits_for: str = ""
    decided: str = ""
    exceeded: str = ""

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
