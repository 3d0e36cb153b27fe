"""`agents-eval memorisation`: how often models repeat the human reviews that they are held against."""

from dataclasses import asdict
from typing import Annotated

import typer

from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.memorisation import memorisation_view
from agents_eval_core.use_cases.memorisation import memorisation
from agents_eval_core.use_cases.run_list import kept_runs
from agents_eval_core.use_cases.selection import select_runs


def command(
    ctx: typer.Context,
    selector: Annotated[
        str | None, typer.Argument(help="Only these runs: a sweep, or a query such as model=…; default is all.")
    ] = None,
) -> None:
    """Tell how often models repeat the human reviews they are held against.

    Beside it stands how often the humans of the same papers repeat one another.
    """
    session = Session(ctx)
    records = kept_runs(session.root) if selector is None else select_runs(selector, session.root)
    found = finished(memorisation(records, settings=session.settings))
    session.give("memorisation", {"memorisation": asdict(found)}, memorisation_view(found))
