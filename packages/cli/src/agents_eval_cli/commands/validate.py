"""`agents-eval validate`: how much are the metrics worth?"""

from pathlib import Path
from typing import Annotated

import typer

from agents_eval_cli.session import Session
from agents_eval_cli.views.validity import validity_view
from agents_eval_core.use_cases.data_folder import data_folder
from agents_eval_core.use_cases.validate import validate


def command(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(help="Only these validations.")] = None,
    *,
    data_dir: Annotated[
        Path | None, typer.Option(help="The folder of venues; default is AGENTS_EVAL_DATA_DIR.")
    ] = None,
) -> None:
    """Measure how much the metrics are worth.

    Each figure comes with its interval and the number it rests on. What cannot be measured here says why.
    """
    session = Session(ctx)
    suites = validate(names or (), data_folder("peerread", data_dir, session.settings))
    session.give("validate", {"suites": suites}, validity_view(suites))
