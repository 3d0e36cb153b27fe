"""`agents-eval validate`: how much are the metrics worth?"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from agents_eval_cli.session import Session
from agents_eval_cli.views.validity import validity_view
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.keep_figures import keep_figures
from agents_eval_core.use_cases.validate import repeat, validate


def command(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(help="Only these validations.")] = None,
    *,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder of data of any kind, or the one its `data` folder is in; again for more. "
            "Default is AGENTS_EVAL_DATA_DIR."
        ),
    ] = None,
    write: Annotated[
        list[Path] | None,
        typer.Option(help="Rewrite the marked blocks of a page (.md), or keep the figures in a file (.json)."),
    ] = None,
) -> None:
    """Measure how much the metrics are worth.

    Each figure comes with its interval, the number it rests on, and what it was fitted, tuned and tested on. What
    cannot be measured here says why.
    """
    session = Session(ctx)
    default = data_folder("peerread", None, session.settings)
    folders = data or ([] if default is None else [default])
    suites = validate(names or (), folders)
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    for sentence in keep_figures(write or (), suites, lambda: repeat(names or (), folders), day) if write else ():
        session.note(sentence)
    session.give("validate", {"suites": suites}, validity_view(suites))
