"""`agents-eval report`: the report of a run."""

from typing import Annotated

import typer

from agents_eval_cli.opened_run import open_run
from agents_eval_cli.session import Session
from agents_eval_core import registry
from agents_eval_core.errors import UsageError


def command(
    ctx: typer.Context,
    run: Annotated[str, typer.Argument(help="A run's id or its beginning, or a run directory.")],
    *,
    view: Annotated[
        str, typer.Option("--view", help="How it is written: markdown, html, graph-svg or graph-json.")
    ] = "markdown",
) -> None:
    """Print the report of a run, or the graph of its agents."""
    session = Session(ctx)
    kept = open_run(run, session.root)
    if kept.scorecard is None:
        raise UsageError(f"run {kept.run.id} has no scorecard; 'agents-eval evaluate {kept.run.id}' makes one")
    text = registry.view(view).render(kept.run, kept.scorecard)
    session.give_text("report", {"run": kept.run.id, "view": view, "report": text}, text)
