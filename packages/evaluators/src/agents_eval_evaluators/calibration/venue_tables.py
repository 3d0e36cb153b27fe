"""The tables that are fitted for a venue: those of the user and the shipped ones, and how they are written."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from statistics import quantiles
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from agents_eval_core.errors import SettingsError
from agents_eval_core.score import Quartiles

DIGITS: Final = 6
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
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:  # it is there, and reading it will say what is wrong
        changed = 0
    return _read(file, changed, venue, model)


def shipped_in(folder: Traversable, venue: str, model: type[TTable]) -> TTable | None:
    """Return the table of a venue that lies in a folder of the package, None where there is none."""
    file = next((file for file in folder.iterdir() if file.name == f"{venue}.json"), None)
    return None if file is None else model.model_validate_json(file.read_bytes())


def table_bytes(parts: Mapping[str, Any], separators: tuple[str, str] = (",", ":")) -> bytes:
    r"""Return the parts of a table as its file: JSON with a line for each.

    >>> table_bytes({"venue": "v", "gaps": [1, 2]})
    b'{\n"venue": "v",\n"gaps": [1,2]\n}\n'
    """
    lines = (f"{json.dumps(name)}: {json.dumps(part, separators=separators)}" for name, part in parts.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def quartiles_of(values: Sequence[float], venue: str) -> Quartiles:
    """Return where the middle half of a venue's reviewers lies, with six digits."""
    lower, median, upper = (round(cut, DIGITS) for cut in quantiles(values, n=4, method="inclusive"))
    return Quartiles(lower=lower, median=median, upper=upper, n=len(values), venue=venue)


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
