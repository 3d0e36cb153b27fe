"""What a comparison of two sets of runs comes to."""

from typing import Literal

from pydantic import Field

from agents_eval_core.frozen import Frozen
from agents_eval_core.score import Range

Conclusion = Literal["better", "worse", "equivalent", "not enough data"]


class Side(Frozen):
    """One of the compared sets of runs.

    Attributes:
        runs: The complete runs.
        excluded: The runs that did not complete, by id, and their status.
    """

    selector: str
    label: str
    runs: tuple[str, ...]
    excluded: dict[str, str] = Field(default_factory=dict[str, str])


class MetricComparison(Frozen):
    """One metric over the pairs in which both sides measured it: the first side minus the second.

    Attributes:
        unit: What the means are in, where that is not the score itself (`raw similarity`).
        pairs: Pairs of runs of the same case.
        papers: Distinct papers among them: the clusters.
        interval: Clustered-t interval of the mean difference at `confidence`; None where it is undefined.
        conclusion: About the first side.
        reason: Why the conclusion is what it is, in one sentence.
    """

    metric: str
    unit: str = ""
    pairs: int
    papers: int
    first_mean: float | None
    second_mean: float | None
    difference: float | None
    interval: Range | None
    conclusion: Conclusion
    reason: str


class Contrast(Frozen):
    """Two sides against one another; `conclusion` is the composite's, over the metrics measured on both sides.

    Attributes:
        unmatched_reasons: Why each unmatched run has no partner, by its id.
        metrics: The composite first.
    """

    first: Side
    second: Side
    unmatched_first: tuple[str, ...] = ()
    unmatched_second: tuple[str, ...] = ()
    unmatched_reasons: dict[str, str] = Field(default_factory=dict[str, str])
    metrics: tuple[MetricComparison, ...]
    conclusion: Conclusion
    sentence: str


class Comparison(Frozen):
    """The first set of runs against each of the others."""

    confidence: float
    contrasts: tuple[Contrast, ...]
