"""`agents-eval quickstart`: everything once, offline."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from agents_eval_cli.ending import RUN_FAILED
from agents_eval_cli.interruptible import finished
from agents_eval_cli.reviewing import reviewed
from agents_eval_cli.session import Session
from agents_eval_cli.views.comparison import comparison_view
from agents_eval_cli.views.evaluated import evaluated_object
from agents_eval_cli.views.page import bullets, heading, pairs
from agents_eval_cli.views.run import shown_path, whole_line
from agents_eval_cli.views.scorecard import brief_scorecard_view, no_scorecard_view
from agents_eval_core import registry
from agents_eval_core.composition import composition_name
from agents_eval_core.report.wording import model_name, trace_summary
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun

PAPERS: Final = 3
COMPOSITIONS: Final = ("full", "manager")
CAVEAT: Final = (
    f"{PAPERS} papers decide nothing: this shows how a comparison reads. And the offline baseline is no language "
    "model: it is the floor that one must beat."
)


def command(ctx: typer.Context) -> None:
    """Review three sample papers offline in two ways, and compare.

    The ways are two compositions of agents: the full team and the manager alone. Needs no key and no
    network. The runs are kept in the data root of the working directory.
    """
    from agents_eval_core.composite import SIX  # noqa: PLC0415  pydantic; --help does without
    from agents_eval_core.use_cases.compare_runs import compare_runs  # noqa: PLC0415  numpy; --help does without

    session = Session(ctx)
    done = list(_reviews(session))
    chosen = [f"dataset=sample,provider=offline,composition={name}" for name in reversed(COMPOSITIONS)]
    comparison = finished(compare_runs(chosen, settings=session.settings))
    parts = {"runs": [evaluated_object(each) for each in done], "comparison": comparison, "caveat": CAVEAT}
    shown = [part for each in done for part in _short(each)]
    session.give(
        "quickstart", parts, *shown, comparison_view(comparison, metrics=SIX), Text(f"\n{CAVEAT}"), _next_steps(done)
    )
    if any(each.run.status != "complete" for each in done):
        session.complain("not every run was completed; 'agents-eval doctor' looks for the cause")
        raise typer.Exit(RUN_FAILED)


def _reviews(session: Session) -> Iterator[EvaluatedRun]:
    for paper in islice(registry.dataset("sample").entries(None), PAPERS):
        for composition in COMPOSITIONS:
            yield reviewed(
                session,
                paper.id,
                about=f"{paper.id}, {composition}",
                dataset="sample",
                composition=composition,
                provider="offline",
            )


def _short(done: EvaluatedRun) -> Iterator[RenderableType]:
    run = done.run
    yield Text(f"{run.case.id}, {composition_name(run.system.composition)}", style="bold")
    yield pairs(("run", f"{run.id} ({run.status})"), ("model", model_name(run.system)))
    yield bullets(*(trace_summary(run.trace) if run.trace else ()))
    yield from (whole_line(shown_path(file)) for file in done.files if file.name.startswith("trace."))
    yield no_scorecard_view() if done.scorecard is None else brief_scorecard_view(done.scorecard)
    yield Text("")


def _next_steps(done: Sequence[EvaluatedRun]) -> Group:
    commands = (
        (f"agents-eval show {done[0].run.id}", "what was measured, what was not, and why"),
        (f"agents-eval report {done[0].run.id}", "the whole report, with the review"),
        (
            "agents-eval review PAPER.pdf",
            "a real paper of yours; 'agents-eval papers download iclr_2017' gets PeerRead's",
        ),
    )
    lines = (Text(f"  {line}\n      {why}", overflow="fold") for line, why in commands)
    return Group(heading("Next"), *lines)
