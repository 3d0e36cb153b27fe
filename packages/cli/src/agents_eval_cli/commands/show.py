"""`agents-eval show`: the scorecard of a run."""

from typing import Annotated

import typer

from agents_eval_cli.opened_run import open_run
from agents_eval_cli.session import Session
from agents_eval_cli.views.evaluated import evaluated_object, full_evaluated_view


def command(
    ctx: typer.Context,
    run: Annotated[str, typer.Argument(help="A run's id or its beginning, or a run directory.")],
) -> None:
    """Show the scorecard of a run, the three tiers side by side.

    It is the scorecard as it was kept; 'agents-eval evaluate RUN' makes it anew.
    """
    session = Session(ctx)
    kept = open_run(run, session.root)
    session.give("show", evaluated_object(kept), full_evaluated_view(kept))
