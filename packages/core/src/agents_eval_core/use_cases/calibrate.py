"""Fit the tables that metrics apply, such as how alike humans are, from a venue's papers and reviews."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import PaperError, UsageError
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports.calibration import FittedTable
from agents_eval_core.store.atomic_file import write_atomically

VENUE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class KeptTable(Frozen):
    """A table of the user's own: where it lies, or why there is none.

    Attributes:
        name: The calibration.
        warnings: What whoever reads scores by it should know.
        problem: Why it could not be fitted.
    """

    name: str
    venue: str
    file: Path | None = None
    size: int = 0
    warnings: tuple[str, ...] = ()
    problem: str = ""


def calibrate(name: str, data_dir: Path, venue: str) -> FittedTable:
    """Return a table fitted from a venue.

    Raises:
        UnknownNameError: No calibration of that name is declared.
        PaperError: There is no such folder, or it does not hold the venue.
    """
    calibration = registry.calibration(name)
    if not data_dir.is_dir():
        raise PaperError(f"no folder {data_dir} with the papers of {venue}; --data names it")
    return calibration.fit(data_dir, venue)


def keep_tables(names: Sequence[str], data_dir: Path, venue: str, root: DataRoot) -> tuple[KeptTable, ...]:
    """Fit tables and keep them in the data root, where later evaluations find them; older ones are replaced.

    Args:
        names: The calibrations; none means all, and then one that cannot be fitted is a line that says why.
        data_dir: Where the venue lies.
        venue: As cases of it name it.
        root: The data root.

    Raises:
        UnknownNameError: No calibration of that name is declared.
        UsageError: The venue's name cannot be that of a file.
        PaperError: A calibration asked for by name cannot be fitted, or none of all can.
    """
    if not VENUE.fullmatch(venue):
        raise UsageError(f"{venue!r} is no name of a venue: letters, digits, '_', '.' and '-' make one")
    if names:
        return tuple(_kept(name, data_dir, venue, root) for name in names)
    kept = tuple(_kept_or_problem(data_dir, venue, root))
    if all(table.file is None for table in kept):
        raise PaperError("; ".join(table.problem for table in kept))
    return kept


def _kept(name: str, data_dir: Path, venue: str, root: DataRoot) -> KeptTable:
    table = calibrate(name, data_dir, venue)
    folder = root.tables / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{venue}.json"
    write_atomically(file, table.content)
    return KeptTable(name=name, venue=venue, file=file, size=len(table.content), warnings=table.warnings)


def _kept_or_problem(data_dir: Path, venue: str, root: DataRoot) -> Iterator[KeptTable]:
    for name in registry.names("calibrations"):
        try:
            yield _kept(name, data_dir, venue, root)
        except PaperError as problem:
            yield KeptTable(name=name, venue=venue, problem=str(problem))
