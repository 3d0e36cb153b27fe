"""`agents-eval compare`: is one set of runs better than another?"""

from typing import Annotated

import typer

from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.comparison import comparison_view


def command(
    ctx: typer.Context,
    selectors: Annotated[
        list[str], typer.Argument(metavar="A B [C…]", help="Two or more sets of runs; A is held against each other.")
    ],
    *,
    metric: Annotated[list[str] | None, typer.Option(help="Only this metric; may be given again.")] = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
) -> None:
    """Say whether one set of runs is better than others.

    A set is named by a run id or its beginning, a run directory, or a query such as
    composition=full or engine=mas,composition=manager. Runs are paired by paper.
    """
    from agents_eval_core.use_cases.compare_runs import compare_runs  # noqa: PLC0415  numpy; --help does without

    session = Session(ctx)
    comparison = finished(
        compare_runs(selectors, settings=session.settings, metrics=metric or None, confidence=confidence)
    )
    session.give("compare", {"comparison": comparison}, comparison_view(comparison))
