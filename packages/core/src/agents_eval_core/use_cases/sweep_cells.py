"""The cells of a sweep with what became of each: the lines of its export."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Final

from agents_eval_core import registry
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Reason
from agents_eval_core.store.journal import Entry
from agents_eval_core.sweep import Cell
from agents_eval_core.sweep_outcome import CellOutcome
from agents_eval_core.use_cases.sweep_folder import SweepFolder

FIELDS: Final = (
    "key",
    "state",
    "attempts",
    "engine",
    "composition",
    "provider",
    "model",
    "dataset",
    "venue",
    "paper",
    "repetition",
    "made_earlier",
    "error_type",
    "error",
    "run",
    "directory",
    "created_at",
    "composite",
    "coverage",
    "verdict",
    "seconds",
    "tokens",
    "cost_usd",
    "judge_tokens",
    "judge_usd",
)


def sweep_cells(folder: SweepFolder) -> tuple[CellOutcome, ...]:
    """Return the cells of a sweep by engine, composition, paper and repetition."""
    name = folder.order().plan.name
    store = registry.store("sqlite", folder.root.database)
    values: defaultdict[str, dict[str, float]] = defaultdict(dict)
    missing: defaultdict[str, dict[str, Reason]] = defaultdict(dict)
    try:
        records = {record.id: record for record in store.of_sweep(name)}
        for run, score in store.scores_of_sweep(name):
            if score.value is not None:
                values[run][score.name] = score.value
            elif score.reason is not None:
                missing[run][score.name] = score.reason
    finally:
        store.close()
    with folder.journal() as journal:
        entries = list(journal.entries())
    return tuple(
        _outcome(entry, records.get(entry.run_id or ""), values, missing)
        for entry in sorted(entries, key=lambda entry: _place(Cell.model_validate_json(entry.content)))
    )


def cells_csv(cells: Sequence[CellOutcome]) -> str:
    """Return the cells as a table with a column for each metric; no value is an empty field, its reason stands beside.

    A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    metrics = sorted({name for cell in cells for name in (*cell.scores, *cell.missing)})
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*FIELDS, *metrics, *(f"{name}_missing" for name in metrics)])
    for cell in cells:
        values = [cell.scores.get(name) for name in metrics] + [cell.missing.get(name) for name in metrics]
        writer.writerow([_plain(value) for value in (*_fields(cell), *values)])
    return text.getvalue()


def _outcome(
    entry: Entry,
    record: RunRecord | None,
    values: Mapping[str, dict[str, float]],
    missing: Mapping[str, dict[str, Reason]],
) -> CellOutcome:
    cell = Cell.model_validate_json(entry.content)
    run = record.id if record else ""
    return CellOutcome(
        key=entry.key,
        state=entry.state,
        attempts=entry.attempts,
        engine=cell.system.engine,
        composition=cell.system.composition,
        provider=cell.system.provider,
        model=cell.system.model,
        dataset=cell.dataset,
        venue=record.venue if record else "",
        paper=cell.paper,
        repetition=cell.repetition,
        versions=cell.system.versions,
        made_earlier=cell.made_earlier is not None,
        problem=entry.problem,
        run=run or None,
        directory=record.directory if record else None,
        created_at=record.created_at if record else None,
        composite=record.composite if record else None,
        coverage=record.coverage if record else None,
        verdict=record.verdict if record else None,
        scores=values.get(run, {}),
        missing=missing.get(run, {}),
        spent=entry.spent if entry.state in ("done", "failed") else None,
    )


def _place(cell: Cell) -> tuple[str, str, str, int]:
    return cell.system.engine, cell.system.composition, cell.paper, cell.repetition


def _fields(cell: CellOutcome) -> Iterator[object]:
    problem, spent = cell.problem, cell.spent
    beside: dict[str, object] = {
        "error_type": problem.error_type if problem else None,
        "error": problem.message if problem else None,
        "seconds": spent.seconds if spent else None,
        "tokens": spent.tokens if spent else None,
        "cost_usd": spent.cost_usd if spent else None,
        "judge_tokens": spent.judge_tokens if spent else None,
        "judge_usd": spent.judge_usd if spent else None,
    }
    for name in FIELDS:
        yield beside[name] if name in beside else getattr(cell, name)


def _plain(value: object) -> object:
    is_risky = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if is_risky else value
