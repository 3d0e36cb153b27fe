"""Lists of the kept runs, and how a metric developed over them."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import fsum
from typing import Final

from agents_eval_core import registry
from agents_eval_core.composite import SIX
from agents_eval_core.data_root import DataRoot
from agents_eval_core.ports.store import Store
from agents_eval_core.run import RunRecord
from agents_eval_core.run_list import (
    ChangeAt,
    MetricTrend,
    RunField,
    RunFilter,
    RunOrder,
    RunPage,
    ScoreAt,
)
from agents_eval_core.score import Range

COMPOSITE: Final = "composite"
NEWEST: Final = 500
DIFFERING: Final = ("composition", "model", "paper")
OFFERED: Final[tuple[RunField, ...]] = (
    "engine",
    "composition",
    "model",
    "dataset",
    "venue",
    "sweep",
    "status",
    "verdict",
)


def list_runs(root: DataRoot, wanted: RunFilter | None = None, order: RunOrder | None = None) -> RunPage:
    """Return a part of the wanted runs, by default the newest; nothing is made where nothing was kept yet.

    Raises:
        StorageError: The store cannot be read.
    """
    with _store(root) as store:
        if store is None:
            return RunPage(records=(), total=0)
        return store.page(wanted or RunFilter(), order or RunOrder())


def kept_runs(root: DataRoot) -> tuple[RunRecord, ...]:
    """Return all kept runs, newest first; where nothing was kept yet, nothing is made.

    Raises:
        StorageError: The store cannot be read.
    """
    with _store(root) as store:
        return () if store is None else tuple(store.records())


def run_choices(root: DataRoot, fields: Sequence[RunField] = OFFERED) -> dict[RunField, tuple[str, ...]]:
    """Return the values that runs have, by field.

    Raises:
        StorageError: The store cannot be read.
    """
    with _store(root) as store:
        return {field: () if store is None else store.choices(field) for field in fields}


def scored_metrics(root: DataRoot, wanted: RunFilter | None = None) -> tuple[str, ...]:
    """Return what the newest wanted runs were scored in: the composite and its six metrics first.

    Raises:
        StorageError: The store cannot be read.
    """
    with _store(root) as store:
        names = () if store is None else store.metric_names(wanted or RunFilter(), NEWEST)
    six = [name for name in SIX if name in names]
    return (COMPOSITE, *six, *(name for name in names if name not in SIX)) if names else ()


def metric_trend(metric: str, root: DataRoot, wanted: RunFilter | None = None, *, newest: int = NEWEST) -> MetricTrend:
    """Return how a metric developed over the newest wanted runs, and where it changed.

    A change is a place where the level of the values shifts (`change_points`, one in a hundred where nothing changed),
    or where another version of the evaluator begins: values of two versions are not the same measure.

    Raises:
        StorageError: The store cannot be read.
    """
    filtered = wanted or RunFilter()
    with _store(root) as store:
        if store is None:
            return MetricTrend(metric=metric, points=(), runs=0)
        points = store.scores_over_time(metric, filtered, newest)
        total = store.page(filtered, RunOrder(size=1)).total
    values = [point.value for point in points]
    changes = (*_versions(points), *_levels(points))
    return MetricTrend(
        metric=metric,
        points=points,
        changes=tuple(sorted(changes, key=lambda change: change.created_at)),
        mean=fsum(values) / len(values) if values else None,
        spread=Range(low=min(values), high=max(values)) if values else None,
        runs=min(total, newest),
        differ_in=tuple(name for name in DIFFERING if len({getattr(point, name) for point in points}) > 1),
    )


def _versions(points: Sequence[ScoreAt]) -> Iterator[ChangeAt]:
    for one, other in pairwise(points):
        if one.version != other.version:
            yield ChangeAt(
                kind="version",
                created_at=other.created_at,
                run=other.run,
                sentence=f"version {other.version} of the evaluator follows {one.version}: not the same measure",
            )


def _levels(points: Sequence[ScoreAt]) -> Iterator[ChangeAt]:
    from agents_eval_core.statistics.change_points import change_points  # noqa: PLC0415  numpy, only for trends

    for cut in change_points([point.value for point in points]):
        here = points[cut.place]
        yield ChangeAt(
            kind="level",
            created_at=here.created_at,
            run=here.run,
            sentence=f"from {cut.before:.2f} to {cut.after:.2f} on average (p {cut.p:.3f})",
            p=cut.p,
        )


@contextmanager
def _store(root: DataRoot) -> Generator[Store | None]:
    if not root.database.is_file():
        yield None
        return
    store = registry.store("sqlite", root.database)
    try:
        yield store
    finally:
        store.close()
