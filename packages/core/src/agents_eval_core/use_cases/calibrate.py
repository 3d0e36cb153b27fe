"""Fit a table that metrics apply, such as how alike humans are, from a venue's papers and reviews."""

from pathlib import Path

from agents_eval_core import registry
from agents_eval_core.errors import PaperError


def calibrate(name: str, data_dir: Path, venue: str) -> bytes:
    """Return the table as the bytes of its file.

    Raises:
        UnknownNameError: No calibration of that name is declared.
        PaperError: There is no such folder, or it does not hold the venue.
    """
    calibration = registry.calibration(name)
    if not data_dir.is_dir():
        raise PaperError(f"no folder {data_dir} with the papers of {venue}; --data-dir names it")
    return calibration.fit(data_dir, venue)
