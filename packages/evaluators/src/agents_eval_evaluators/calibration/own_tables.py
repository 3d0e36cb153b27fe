"""The tables that a user fitted: where they lie, and how they are read."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from agents_eval_core.errors import SettingsError

FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
TTable = TypeVar("TTable", bound=BaseModel)


def own_table(tables: Path | None, calibration: str, venue: str, model: type[TTable]) -> TTable | None:
    """Return the table that the user fitted for a venue, None where there is none.

    Args:
        tables: The folder of all of them; None has none.
        calibration: The calibration that made it.
        venue: As the case names it; a name that can be no file has no table.
        model: What the file is read as.

    Raises:
        SettingsError: The file is there and cannot be read, or is of another venue.
    """
    if tables is None or not FILE_NAME.fullmatch(venue):
        return None
    file = tables / calibration / f"{venue}.json"
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return None
    return _read(file, changed, venue, model)


@lru_cache(maxsize=16)  # a sweep reads the same table for each of its runs; a file that changed is read anew
def _read(file: Path, _changed: int, venue: str, model: type[TTable]) -> TTable:
    try:
        table = model.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as problem:
        first = str(problem).splitlines()[0]
        raise SettingsError(
            f"the table {file.name} in {file.parent.name} cannot be read: {first}; fit it anew with "
            f"'agents-eval calibrate --venue {venue}' or remove it"
        ) from problem
    of_venue = getattr(table, "venue", None)
    if of_venue != venue:
        raise SettingsError(f"the table {file.name} is one of {of_venue!r} and not of {venue!r}; remove or rename it")
    return table
