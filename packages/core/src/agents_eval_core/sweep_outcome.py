"""What a sweep came to: its cells with their scores, its systems with their means, and the comparison of all."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from agents_eval_core.comparison import Comparison
from agents_eval_core.frozen import Frozen
from agents_eval_core.memorisation import Memorisation
from agents_eval_core.run import Problem
from agents_eval_core.score import Range, Reason
from agents_eval_core.sweep import SweepOrder
from agents_eval_core.work import Spent, State, WorkProgress


class CellOutcome(Frozen):
    """A cell with its run's scores. A metric without a value is in `missing` with the reason.

    Attributes:
        problem: Why it failed.
        directory: Of the run, from the data root.
        spent: None until it has ended.
    """

    key: str
    state: State
    attempts: int
    engine: str
    composition: str
    provider: str | None
    model: str | None
    dataset: str
    venue: str = ""
    paper: str
    repetition: int
    versions: dict[str, str] = Field(default_factory=dict[str, str])
    made_earlier: bool = False
    problem: Problem | None = None
    run: str | None = None
    directory: str | None = None
    created_at: datetime | None = None
    composite: float | None = None
    coverage: float | None = None
    verdict: str | None = None
    scores: dict[str, float] = Field(default_factory=dict[str, float])
    missing: dict[str, Reason] = Field(default_factory=dict[str, Reason])
    spent: Spent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOf:
    """The mean of a figure over the runs that have it, and over how many of how many that is.

    Attributes:
        interval: At 95 %, clustered by paper; None with fewer than two papers.
        missing: The runs without it, by reason.
    """

    mean: float | None
    interval: Range | None
    runs: int
    of: int
    papers: int
    missing: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRow:
    """A system of the sweep.

    Attributes:
        failed: Its failed cells, by the type of the error.
        left: Its cells that are still to be done.
        identical: Its runs that repeat another of the same paper word for word.
        means: The composite and its six metrics, of the runs that completed.
    """

    engine: str
    composition: str
    model: str | None
    cells: int
    done: int
    failed: Mapping[str, int]
    left: int
    papers: int
    identical: int
    means: Mapping[str, MeanOf]
    seconds: MeanOf
    tokens: MeanOf
    cost_usd: MeanOf


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """Everything that a report of a sweep says.

    Attributes:
        papers: Of the complete runs.
        comparison: Of all systems; None where there are not two with complete runs, as `no_comparison` says.
        memorisation: How often models repeat human reviews; None where no language model took part.
    """

    order: SweepOrder
    progress: WorkProgress
    papers: int
    systems: tuple[SystemRow, ...]
    failures: tuple[CellOutcome, ...]
    comparison: Comparison | None
    no_comparison: str = ""
    memorisation: Memorisation | None = None
