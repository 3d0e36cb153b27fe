"""`agents-eval calibrate`: fit a table from human reviews."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from agents_eval_cli.session import Session
from agents_eval_cli.views.run import shown_path
from agents_eval_core.errors import UsageError
from agents_eval_core.use_cases.calibrate import calibrate
from agents_eval_core.use_cases.data_folder import data_folder


def command(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Which table; 'agents-eval plugins calibrations' lists them.")],
    *,
    out: Annotated[Path, typer.Option(help="The file to write; it must not be there yet.")],
    venue: Annotated[str, typer.Option(help="The venue to fit it from.")] = "iclr_2017",
    data_dir: Annotated[
        Path | None, typer.Option(help="The folder of venues; default is AGENTS_EVAL_DATA_DIR.")
    ] = None,
) -> None:
    """Fit the tables that metrics apply, from human reviews.

    The table goes to a file of yours. The metrics go on using the one they came with.
    """
    session = Session(ctx)
    folder = data_folder("peerread", data_dir, session.settings)
    if folder is None:
        raise UsageError("a calibration is fitted from human reviews; give their folder with --data-dir")
    if out.exists():
        raise UsageError(f"{out} is there already; choose another name for --out or remove it")
    table = calibrate(name, folder, venue)
    out.write_bytes(table)
    fitted = {"name": name, "venue": venue, "bytes": len(table)}
    shown = Text(f"{name}, fitted from {venue}, is in {shown_path(out.resolve())} ({len(table)} bytes).")
    session.give("calibrate", {"calibration": fitted, "files": [out.resolve()]}, shown)
