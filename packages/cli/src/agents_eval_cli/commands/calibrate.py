"""`agents-eval calibrate`: fit the tables of a venue from its human reviews."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from agents_eval_cli.session import Session
from agents_eval_cli.views.page import bullets
from agents_eval_cli.views.run import shown_path
from agents_eval_core.errors import UsageError
from agents_eval_core.use_cases.calibrate import KeptTable, calibrate, keep_tables
from agents_eval_core.use_cases.data_folder import data_folder


def command(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(help="Only these tables; 'agents-eval plugins calibrations' lists them.")
    ] = None,
    *,
    venue: Annotated[str, typer.Option(help="The venue to fit them from.")],
    data: Annotated[
        Path | None, typer.Option("--data", "--data-dir", help="The folder of venues; default is AGENTS_EVAL_DATA_DIR.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A file to write the one named table to, instead of putting it to use.")
    ] = None,
) -> None:
    """Fit the tables that metrics apply, from the human reviews of a venue.

    The tables go to the data root, and reviews of papers of that venue are read by them from then on: the words that
    are common there, how alike its reviewers are, where they lie. A table needs 30 papers with two reviews or more;
    below 300 reviews it says that the thresholds at the ends of its scales are uncertain.
    """
    session = Session(ctx)
    folder = data_folder("peerread", data, session.settings)
    if folder is None:
        raise UsageError("a calibration is fitted from human reviews; give their folder with --data")
    if out is not None:
        tables = (_written(names or (), folder, venue, out),)
    else:
        tables = keep_tables(names or (), folder, venue, session.root)
    files = [table.file.resolve() for table in tables if table.file is not None]
    session.give("calibrate", {"calibrations": tables, "files": files}, *_shown(tables))


def _written(names: Sequence[str], folder: Path, venue: str, out: Path) -> KeptTable:
    if len(names) != 1:
        raise UsageError("--out is a file for one table; name which, such as 'agents-eval calibrate human_agreement'")
    if out.exists():
        raise UsageError(f"{out} is there already; choose another name for --out or remove it")
    table = calibrate(names[0], folder, venue)
    out.write_bytes(table.content)
    return KeptTable(name=names[0], venue=venue, file=out, size=len(table.content), warnings=table.warnings)


def _shown(tables: Sequence[KeptTable]) -> Iterator[RenderableType]:
    for table in tables:
        if table.file is None:
            yield Text(f"{table.name} could not be fitted from {table.venue}: {table.problem}")
        else:
            where = shown_path(table.file.resolve())
            yield Text(f"{table.name}, fitted from {table.venue}, is in {where} ({table.size} bytes).")
            yield from (bullets(warning) for warning in table.warnings)
