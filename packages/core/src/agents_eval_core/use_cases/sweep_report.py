"""What a sweep comes to: each system with its runs, failures and means, and the comparison of all."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import fsum

from agents_eval_core import registry
from agents_eval_core.comparison import Comparison
from agents_eval_core.composite import SIX
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError, UndefinedMetricError
from agents_eval_core.memorisation import Memorisation
from agents_eval_core.score import Range
from agents_eval_core.settings import Settings
from agents_eval_core.statistics.clustered import clustered_mean
from agents_eval_core.sweep_outcome import CellOutcome, MeanOf, SweepReport, SystemRow
from agents_eval_core.use_cases.compare_runs import compare_runs
from agents_eval_core.use_cases.memorisation import memorisation
from agents_eval_core.use_cases.sweep import sweep_progress
from agents_eval_core.use_cases.sweep_cells import sweep_cells
from agents_eval_core.use_cases.sweep_folder import SweepFolder

COMPOSITE = "composite"
MEASURES = (COMPOSITE, *SIX)


async def sweep_report(name: str, *, settings: Settings, margin: float | None = None) -> SweepReport:
    """Return the report of a sweep, whether or not it is at its end.

    Args:
        name: Of the sweep.
        settings: The data root.
        margin: The smallest difference of a score that matters; without it nothing is called equivalent.

    Raises:
        UsageError: There is no such sweep, or the margin is none.
    """
    root = DataRoot(path=settings.home)
    folder = SweepFolder.named(name, root)
    cells = sweep_cells(folder)
    by_system: defaultdict[tuple[str, str], list[CellOutcome]] = defaultdict(list)
    for cell in cells:
        by_system[cell.engine, cell.composition].append(cell)
    comparison, absence = await _comparison(name, cells, settings, margin)
    identical = _identical(comparison)
    return SweepReport(
        order=folder.order(),
        progress=sweep_progress(name, root),
        papers=len({cell.paper for cell in cells if cell.state == "done"}),
        systems=tuple(_system(own, identical) for own in by_system.values()),
        failures=tuple(cell for cell in cells if cell.state == "failed"),
        comparison=comparison,
        no_comparison=absence,
        memorisation=await _memorisation(folder, cells, settings),
    )


async def _memorisation(folder: SweepFolder, cells: Sequence[CellOutcome], settings: Settings) -> Memorisation | None:
    order = folder.order()
    if not (order.plan.cc_artifacts or any(system.has_language_model for system in order.systems)):
        return None
    done = {cell.run for cell in cells if cell.state == "done"}
    store = registry.store("sqlite", folder.root.database)
    try:
        records = [record for record in store.of_sweep(order.plan.name) if record.id in done]
    finally:
        store.close()
    found = await memorisation(records, settings=settings)
    return found if found.models else None


async def _comparison(
    name: str, cells: Sequence[CellOutcome], settings: Settings, margin: float | None
) -> tuple[Comparison | None, str]:
    compositions = dict.fromkeys(cell.composition for cell in cells if cell.state == "done")
    if len(compositions) < 2:  # noqa: PLR2004  a comparison takes two
        return None, f"{len(compositions)} of the systems have complete runs, and a comparison takes two"
    try:
        sides = [f"{name}:{composition}" for composition in compositions]
        return await compare_runs(sides, settings=settings, margin=margin), ""
    except AgentsEvalError as problem:
        if margin is not None:
            raise
        return None, str(problem)


def _identical(comparison: Comparison | None) -> frozenset[str]:
    sides = [side for each in (comparison.contrasts if comparison else ()) for side in (each.baseline, each.candidate)]
    return frozenset(run for side in sides for run in side.identical)


def _system(cells: Sequence[CellOutcome], identical: frozenset[str]) -> SystemRow:
    done = [cell for cell in cells if cell.state == "done"]
    first = cells[0]
    return SystemRow(
        engine=first.engine,
        composition=first.composition,
        model=first.model,
        cells=len(cells),
        done=len(done),
        failed=Counter(cell.problem.error_type for cell in cells if cell.problem is not None),
        left=sum(cell.state in ("reserved", "running") for cell in cells),
        papers=len({cell.paper for cell in done}),
        identical=sum(cell.run in identical for cell in done),
        means={name: _mean(done, _value(name), lambda cell, name=name: _why(cell, name)) for name in MEASURES},
        seconds=_mean(done, lambda cell: cell.spent.seconds if cell.spent else None),
        tokens=_mean(done, lambda cell: cell.spent.tokens if cell.spent else None),
        cost_usd=_mean(done, lambda cell: cell.spent.cost_usd if cell.spent else None),
    )


def _value(name: str) -> Callable[[CellOutcome], float | None]:
    return lambda cell: cell.composite if name == COMPOSITE else cell.scores.get(name)


def _why(cell: CellOutcome, name: str) -> str:
    return cell.missing.get(name, "not_measured")


def _mean(
    cells: Iterable[CellOutcome],
    value: Callable[[CellOutcome], float | None],
    why: Callable[[CellOutcome], str] = lambda _: "not known",
) -> MeanOf:
    """Return the mean over papers of the means over their repetitions, so that copies of a run change nothing."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    missing: Counter[str] = Counter()
    for cell in cells:
        found = value(cell)
        if found is None:
            missing[why(cell)] += 1
        else:
            values[cell.paper].append(found)
    means = [fsum(each) / len(each) for each in values.values()]
    runs = sum(map(len, values.values()))
    try:
        estimate = clustered_mean(means, list(values))
        interval = None if estimate.is_constant else Range(low=estimate.low, high=estimate.high)
    except UndefinedMetricError:
        interval = None
    return MeanOf(
        mean=fsum(means) / len(means) if means else None,
        interval=interval,
        runs=runs,
        of=runs + missing.total(),
        papers=len(means),
        missing=missing,
    )
