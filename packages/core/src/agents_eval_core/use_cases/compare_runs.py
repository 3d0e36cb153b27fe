"""Compare sets of runs of the same cases: better, worse, or not enough data."""

import asyncio
from collections.abc import Sequence

from agents_eval_core.comparison import Comparison, Side
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError, UnknownNameError, UsageError
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Scorecard
from agents_eval_core.settings import Settings
from agents_eval_core.store.run_directory import RunDirectory
from agents_eval_core.use_cases.contrast import EvaluatedSide, contrast, metrics_of
from agents_eval_core.use_cases.paired_series import COMPOSITE
from agents_eval_core.use_cases.selection import select_runs

IDS_SHOWN = 3


async def compare_runs(
    selectors: Sequence[str],
    *,
    settings: Settings,
    metrics: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Comparison:
    """Return how the first set of runs compares with each of the others.

    Runs are paired by dataset, paper and repetition. Each metric is compared over the pairs in which both runs measured
    it, and the composite over the metrics that both runs of a pair measured. Output similarity is compared on its raw
    scale where all runs have that. Runs that did not complete, have no scorecard or no partner are listed, not counted.

    Args:
        selectors: At least two; what each names must be disjoint from the first.
        settings: Data root and weights.
        metrics: Only these beside the composite; by default all.
        confidence: Of the intervals, between 0 and 1, both excluded.

    Raises:
        UsageError: A selector finds nothing, the same run is on both sides, or the confidence is out of range.
        UnknownNameError: No compared run has a score of that name.
    """
    if len(selectors) < 2:  # noqa: PLR2004  a comparison takes two
        raise UsageError(
            f"a comparison needs two selectors or more, not {len(selectors)}; 'agents-eval runs' lists runs"
        )
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence lies between 0 and 1, such as 0.95, not {confidence}")
    return await asyncio.to_thread(_compare, selectors, settings, metrics, confidence)


def _compare(
    selectors: Sequence[str], settings: Settings, metrics: Sequence[str] | None, confidence: float
) -> Comparison:
    root = DataRoot(path=settings.home)
    chosen = [select_runs(selector, root) for selector in selectors]
    for selector, records in zip(selectors[1:], chosen[1:], strict=True):
        _refuse_overlap((selectors[0], chosen[0]), (selector, records))
    labels = _labels(selectors, chosen)
    sides = [_evaluated(*each, root) for each in zip(selectors, labels, chosen, strict=True)]
    wanted = _wanted(metrics, metrics_of(sides))
    return Comparison(
        confidence=confidence,
        contrasts=tuple(
            contrast(sides[0], other, metrics=wanted, weights=settings.weights, confidence=confidence)
            for other in sides[1:]
        ),
    )


def _refuse_overlap(first: tuple[str, Sequence[RunRecord]], second: tuple[str, Sequence[RunRecord]]) -> None:
    shared = sorted({record.id for record in first[1]} & {record.id for record in second[1]})
    if shared:
        listed = ", ".join(shared[:IDS_SHOWN]) + (", …" if len(shared) > IDS_SHOWN else "")
        raise UsageError(
            f"{first[0]!r} and {second[0]!r} have runs in common ({listed}); a run cannot be compared with itself, "
            "so choose selectors that share none"
        )


def _labels(selectors: Sequence[str], chosen: Sequence[Sequence[RunRecord]]) -> list[str]:
    for trait in ("composition", "engine", "model"):
        values = [{getattr(record, trait) for record in records} for records in chosen]
        labels = [str(next(iter(each))) for each in values if len(each) == 1 and all(each)]
        if len(set(labels)) == len(chosen):
            return labels
    return list(selectors)


def _evaluated(selector: str, label: str, records: Sequence[RunRecord], root: DataRoot) -> EvaluatedSide:
    complete = tuple(record for record in records if record.status == "complete")
    scorecards: dict[str, Scorecard] = {}
    missing: dict[str, str] = {}
    for record in complete:
        found = _scorecard(record, root)
        if isinstance(found, Scorecard):
            scorecards[record.id] = found
        else:
            missing[record.id] = found
    side = Side(
        selector=selector,
        label=label,
        runs=tuple(record.id for record in complete),
        excluded={record.id: record.status for record in records if record.status != "complete"},
    )
    return EvaluatedSide(side=side, records=complete, scorecards=scorecards, missing=missing)


def _scorecard(record: RunRecord, root: DataRoot) -> Scorecard | str:
    try:
        card = RunDirectory.open(root.path / record.directory).read_scorecard()
    except AgentsEvalError as problem:
        return f"its scorecard cannot be read: {problem}"
    return card or f"it was not evaluated; 'agents-eval evaluate {record.id}' does that"


def _wanted(metrics: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    if metrics is None:
        return tuple(known)
    for metric in metrics:
        if metric not in (COMPOSITE, *known):
            raise UnknownNameError("metric", metric, (COMPOSITE, *known))
    return tuple(dict.fromkeys(metric for metric in metrics if metric != COMPOSITE))
