"""`agents-eval compare`: is a candidate better than a baseline?"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from agents_eval_cli.ending import GATE_MISSED
from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.comparison import comparison_view
from agents_eval_core.errors import UsageError

if TYPE_CHECKING:
    from agents_eval_core.comparison import Comparison


class View(StrEnum):
    """How a comparison is written."""

    table = "table"
    markdown = "markdown"
    junit = "junit"
    html = "html"


class FailOn(StrEnum):
    """The conclusions at which the exit code is 1."""

    worse = "worse"
    not_better = "not-better"
    not_equivalent = "not-equivalent"


def command(
    ctx: typer.Context,
    selectors: Annotated[
        list[str],
        typer.Argument(metavar="BASELINE CANDIDATE [MORE…]", help="Two or more sets of runs; all pairs are compared."),
    ],
    *,
    metric: Annotated[
        list[str] | None, typer.Option(help="What the claim is about, in place of the composite; may be given again.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="The smallest difference of a score that matters, such as 0.05.")
    ] = None,
    fail_on: Annotated[
        FailOn | None, typer.Option(help="End with exit code 1 if a candidate is this against the baseline.")
    ] = None,
    unpaired: Annotated[bool, typer.Option("--unpaired", help="Compare sets of runs of different papers.")] = False,
    confidence: Annotated[float, typer.Option(help="Of the intervals and conclusions.")] = 0.95,
    view: Annotated[View, typer.Option("--view", help="How it is written.")] = View.table,
) -> None:
    """Say whether a candidate is better or worse than a baseline.

    A set is named by a run id or its beginning, a run directory or a folder of them, a sweep's
    name, SWEEP:COMPOSITION, SWEEP:* for each composition of a sweep, or a query such as
    composition=full or engine=mas,composition=manager. Runs are paired by paper and repetition.
    """
    from agents_eval_core.use_cases.compare_runs import compare_runs  # noqa: PLC0415  numpy; --help does without

    if fail_on is FailOn.not_equivalent and margin is None:
        raise UsageError("--fail-on not-equivalent needs --margin: the smallest difference that matters, such as 0.05")
    session = Session(ctx)
    comparison = finished(
        compare_runs(
            selectors,
            settings=session.settings,
            metrics=metric or None,
            margin=margin,
            paired=not unpaired,
            confidence=confidence,
        )
    )
    missed = comparison.missed(fail_on.value) if fail_on else ()
    parts = {
        "comparison": comparison,
        "gate": fail_on.value if fail_on else None,
        "missed": [each.candidate.label for each in missed],
    }
    if view is View.table:
        session.give("compare", parts, comparison_view(comparison))
    else:
        session.give_text("compare", parts, _text(comparison, view, fail_on))
    if missed:
        found = "; ".join(f"{each.candidate.label} against {each.baseline.label}: {each.conclusion}" for each in missed)
        session.complain(f"the gate --fail-on {fail_on} was missed by {found}")
        raise typer.Exit(GATE_MISSED)


def _text(comparison: Comparison, view: View, fail_on: FailOn | None) -> str:
    from agents_eval_core.report.comparison_html import comparison_html  # noqa: PLC0415  only where asked for
    from agents_eval_core.report.comparison_junit import comparison_junit  # noqa: PLC0415
    from agents_eval_core.report.comparison_markdown import comparison_markdown  # noqa: PLC0415

    match view:
        case View.markdown:
            return comparison_markdown(comparison)
        case View.html:
            return comparison_html(comparison)
        case _:
            return comparison_junit(comparison, fail_on.value if fail_on else "worse")
