"""Lists of runs: which ones are wanted in which order, the part of them that is shown, and a metric over time."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from agents_eval_core.frozen import Frozen
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Range

RunField = Literal[
    "engine", "composition", "provider", "model", "dataset", "venue", "paper", "sweep", "status", "verdict"
]
SortField = Literal["created_at", "paper", "composition", "engine", "model", "status", "composite", "coverage"]
Size = Annotated[int, Field(ge=1, le=1000)]
Offset = Annotated[int, Field(ge=0)]


class RunFilter(Frozen):
    """Which runs are wanted: those that have every given value, and every word in what is stored of them.

    Attributes:
        having: Exact values by field.
        words: Looked for in ids, papers, venues, compositions, models, sweeps and errors, whatever their case.
    """

    having: dict[RunField, str] = Field(default_factory=dict[RunField, str])
    words: str = ""


class RunOrder(Frozen):
    """In which order, and which part of it; runs without a value come last both ways."""

    by: SortField = "created_at"
    descending: bool = True
    offset: Offset = 0
    size: Size = 50


class RunPage(Frozen):
    """A part of the wanted runs, and how many there are in all."""

    records: tuple[RunRecord, ...]
    total: int


class ScoreAt(Frozen):
    """What a run scored, and when.

    Attributes:
        version: Of the evaluator; empty for the composite.
    """

    run: str
    created_at: datetime
    value: float
    version: str = ""
    composition: str
    model: str | None = None
    paper: str = ""


class ChangeAt(Frozen):
    """A moment from which a metric lies elsewhere than before.

    Attributes:
        kind: `level`: the values themselves changed; `version`: another version of the evaluator gives them.
        p: Of the permutation test, before correction; None for a version.
    """

    kind: Literal["level", "version"]
    created_at: datetime
    run: str
    sentence: str
    p: float | None = None


class MetricTrend(Frozen):
    """A metric of the newest wanted runs over time, the oldest first.

    Attributes:
        mean: Of all of them; None where no run has a value.
        spread: From the lowest to the highest value.
        runs: How many runs were looked at, with a value or without.
        differ_in: In what the runs with a value are not all the same: `composition`, `model`, `paper`.
    """

    metric: str
    points: tuple[ScoreAt, ...]
    changes: tuple[ChangeAt, ...] = ()
    mean: float | None = None
    spread: Range | None = None
    runs: int
    differ_in: tuple[str, ...] = ()
