"""What each paper contributes to a comparison of two sets of runs, the largest loss first."""

from collections import defaultdict
from math import fsum
from typing import cast

from agents_eval_core.data_root import DataRoot
from agents_eval_core.frozen import Frozen
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.evaluated_side import evaluated_side
from agents_eval_core.use_cases.matched_sides import matched_sides
from agents_eval_core.use_cases.metric_scale import RESOURCES
from agents_eval_core.use_cases.paired_series import (
    COMPOSITE,
    PairedSeries,
    composite_series,
    metric_series,
    resource_series,
)
from agents_eval_core.use_cases.selection import select_runs


class PaperDifference(Frozen):
    """A paper: the means of both sides over its pairs of runs, and the candidate minus the baseline."""

    dataset: str
    paper: str
    baseline: float
    candidate: float
    difference: float
    pairs: int
    is_loss: bool


class PaperDifferences(Frozen):
    """The papers of a paired comparison in one metric, what the candidate loses most on first.

    Attributes:
        unit: What the means are in, where that is not the score itself.
        note: What a reader must know about the values.
    """

    metric: str
    unit: str = ""
    higher_is_better: bool = True
    note: str = ""
    papers: tuple[PaperDifference, ...]


def paper_differences(
    baseline: str, candidate: str, *, settings: Settings, metric: str = COMPOSITE
) -> PaperDifferences:
    """Return the papers that both sides have, in a metric, the composite, or a resource.

    The values are those that `compare_runs` rests on: the composite over what both runs of a pair measured, a
    percentile on its raw scale, time in log seconds.

    Raises:
        UsageError: A selector finds nothing.
    """
    root = DataRoot(path=settings.home)
    sides = [evaluated_side(each, each, select_runs(each, root), root) for each in (baseline, candidate)]
    pairs = matched_sides(*sides).pairs
    if metric == COMPOSITE:
        series = composite_series(pairs, settings.weights)
    else:
        series = resource_series(metric, pairs) if metric in RESOURCES else metric_series(metric, pairs)
    sign = 1 if series.higher_is_better else -1
    papers = sorted(_papers(series, sign), key=lambda each: (sign * each.difference, each.paper))
    return PaperDifferences(
        metric=metric,
        unit=series.unit,
        higher_is_better=series.higher_is_better,
        note=series.note,
        papers=tuple(papers),
    )


def _papers(series: PairedSeries, sign: int) -> list[PaperDifference]:
    found: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for paper, value in zip(series.pairs.papers, series.pairs.values, strict=True):
        found[cast("tuple[str, str]", paper)].append(value)  # a series keeps them as `paper_of` gives them
    return [_paper(paper, values, sign) for paper, values in found.items()]


def _paper(paper: tuple[str, str], values: list[tuple[float, float]], sign: int) -> PaperDifference:
    one, other = (fsum(each) / len(values) for each in zip(*values, strict=True))
    return PaperDifference(
        dataset=paper[0],
        paper=paper[1],
        baseline=one,
        candidate=other,
        difference=other - one,
        pairs=len(values),
        is_loss=sign * (other - one) < 0,
    )
