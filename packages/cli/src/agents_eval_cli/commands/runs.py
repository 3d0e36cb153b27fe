"""`agents-eval runs`: what is kept."""

from typing import Annotated

import typer

from agents_eval_cli.session import Session
from agents_eval_cli.views.run_list import record_object, run_list_view
from agents_eval_core.use_cases.reconciliation import reconcile
from agents_eval_core.use_cases.run_list import kept_runs
from agents_eval_core.use_cases.selection import select_runs


def command(
    ctx: typer.Context,
    selector: Annotated[
        str | None, typer.Argument(help="Only these runs: the beginning of an id, or a query such as composition=full.")
    ] = None,
    *,
    limit: Annotated[int, typer.Option(min=0, help="Show at most so many, the newest; 0 shows all.")] = 0,
) -> None:
    """List the runs that are kept.

    Runs that a killed process left behind are taken into the store first.
    """
    session = Session(ctx)
    for sentence in reconcile(session.root).problems:
        session.complain(sentence)
    found = kept_runs(session.root) if selector is None else select_runs(selector, session.root)
    records = found[: limit or None]
    session.give("runs", {"runs": [record_object(record, session.root) for record in records]}, run_list_view(records))
