"""`agents-eval sweep`: many systems on many papers, broken off and resumed without loss."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from agents_eval_cli import options
from agents_eval_cli.ending import RUN_FAILED, Interrupted
from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.sweep import WorkLine, sweep_list_view, sweep_view, work_object
from agents_eval_core.errors import UnknownNameError

NameArgument = Annotated[str, typer.Argument(help="The sweep's name; 'agents-eval sweep status' lists all.")]

command = typer.Typer(
    help="Let many systems review many papers; resume, report and export it.",
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
)


@command.callback()
def sweep(
    ctx: typer.Context,
    *,
    name: Annotated[str | None, typer.Option(help="What the sweep is called; default is the time.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with these options; those given here win.")] = None,
    dataset: Annotated[str | None, typer.Option(help="peerread or sample; default is peerread.")] = None,
    data_dir: options.DataDir = None,
    papers: Annotated[str | None, typer.Option(help="How many, or ids joined by commas; default is 20.")] = None,
    compositions: Annotated[
        str | None, typer.Option(help="'all', or names joined by commas: manager,manager+analyst,full.")
    ] = None,
    repetitions: Annotated[int | None, typer.Option(help="How often each is run; default is 1.")] = None,
    engine: Annotated[list[str] | None, typer.Option(help="What does the work; may be repeated.")] = None,
    provider: Annotated[str | None, typer.Option(help="Where the agents' model comes from.")] = None,
    model: Annotated[str | None, typer.Option(help="Which model; default is the provider's.")] = None,
    critic: Annotated[bool, typer.Option("--critic", help="Let a Critic challenge each draft.")] = False,
    query: Annotated[str | None, typer.Option(help="What else the agents are asked.")] = None,
    judge: Annotated[str | None, typer.Option(help="Who judges, as provider or provider:model.")] = None,
    cc_artifacts: Annotated[
        list[Path] | None, typer.Option(help="Runs made earlier, in place of new ones; may be repeated.")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(help="How many cells at once.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="auto, asyncio, processes, dask, or a Dask scheduler's tcp://…")
    ] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Stop before more is spent than that.")] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Stop before more tokens are used.")] = None,
    budget_seconds: Annotated[float | None, typer.Option(help="Stop before it takes longer.")] = None,
    stop_when_decided: Annotated[
        str | None, typer.Option(help="Stop when it is decided in this metric who differs from the first system.")
    ] = None,
    margin: Annotated[float | None, typer.Option(help="The smallest difference of that metric that matters.")] = None,
) -> None:
    """Let many systems review many papers; resume, report and export it.

    Broken off, by whatever, 'agents-eval sweep resume NAME' ends it as if nothing had happened. The exit code is 3 if a
    cell failed or the budget left some undone; cells that a conclusion made needless are no failure.
    """
    given: dict[str, Any] = {
        "name": name,
        "dataset": dataset,
        "data_dir": data_dir,
        "papers": _papers(papers),
        "compositions": tuple(compositions.split(",")) if compositions else None,
        "repetitions": repetitions,
        "engines": tuple(engine) if engine else None,
        "provider": provider,
        "model": model,
        "critic": critic or None,
        "query": query,
        "judge": judge,
        "cc_artifacts": tuple(cc_artifacts) if cc_artifacts else None,
        "concurrency": concurrency,
        "scheduler": scheduler,
        "budget_usd": budget_usd,
        "budget_tokens": budget_tokens,
        "budget_seconds": budget_seconds,
        "stop_when_decided": stop_when_decided,
        "margin": margin,
    }
    if ctx.invoked_subcommand is not None:
        return
    from agents_eval_core.use_cases.sweep import begin_sweep  # noqa: PLC0415  --help does without
    from agents_eval_core.use_cases.sweep_order import sweep_plan  # noqa: PLC0415

    session = Session(ctx)
    plan = sweep_plan(config, given)
    said = shlex.join(["agents-eval", *sys.argv[1:]])
    with session.line(WorkLine) as line:
        _give(session, plan.name, begin_sweep(plan, settings=session.settings, command=said, on_progress=line))


@command.command("resume")
def resume(
    ctx: typer.Context,
    name: NameArgument,
    *,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Do the failed cells again.")] = False,
) -> None:
    """Go on with a sweep; what is done stays as it is."""
    from agents_eval_core.use_cases.sweep import resume_sweep  # noqa: PLC0415  --help does without

    session = Session(ctx)
    with session.line(WorkLine) as line:
        work = resume_sweep(name, settings=session.settings, retry_failed=retry_failed, on_progress=line)
        _give(session, name, work)


@command.command("status")
def status(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The sweep's name; without one, all are listed.")] = None,
) -> None:
    """Say how far a sweep is, or list all."""
    from agents_eval_core.use_cases.sweep import sweep_progress  # noqa: PLC0415  --help does without
    from agents_eval_core.use_cases.sweep_folder import SweepFolder  # noqa: PLC0415

    session = Session(ctx)
    if name is None:
        found = [sweep_progress(each, session.root) for each in SweepFolder.names(session.root)]
        session.give("sweeps", {"sweeps": [work_object(each) for each in found]}, sweep_list_view(found))
        return
    progress, order = sweep_progress(name, session.root), SweepFolder.named(name, session.root).order()
    session.give("sweep", {"sweep": work_object(progress), "order": order}, sweep_view(progress, order))


@command.command("report")
def report(
    ctx: typer.Context,
    name: NameArgument,
    *,
    view: Annotated[str, typer.Option(help="What is printed: markdown, html or csv.")] = "markdown",
    margin: Annotated[float | None, typer.Option(help="The smallest difference of a score that matters.")] = None,
) -> None:
    """Write the report of a sweep as Markdown, HTML and CSV into its folder, and print it.

    Every two systems are compared; the report says what can be concluded and what cannot.
    """
    from agents_eval_core.use_cases.keep_sweep_report import FILES, keep_sweep_report  # noqa: PLC0415  numpy
    from agents_eval_core.use_cases.sweep_report import sweep_report  # noqa: PLC0415

    session = Session(ctx)
    if view not in FILES:
        raise UnknownNameError("view of a sweep", view, FILES)
    made = finished(sweep_report(name, settings=session.settings, margin=margin))
    files = keep_sweep_report(made, session.root)
    session.give_text("sweep-report", {"report": made, "files": [file for file, _ in files.values()]}, files[view][1])


@command.command("export")
def export(ctx: typer.Context, name: NameArgument) -> None:
    """Print every cell with its run, its scores and its error as CSV, or with --json as JSON."""
    from agents_eval_core.use_cases.sweep_cells import cells_csv, sweep_cells  # noqa: PLC0415  --help does without
    from agents_eval_core.use_cases.sweep_folder import SweepFolder  # noqa: PLC0415

    session = Session(ctx)
    cells = sweep_cells(SweepFolder.named(name, session.root))
    session.give_text("sweep-export", {"name": name, "cells": cells}, cells_csv(cells))


def _papers(text: str | None) -> int | tuple[str, ...] | None:
    if text is None:
        return None
    return int(text) if text.isdecimal() and int(text) else tuple(part.strip() for part in text.split(","))


def _give(session: Session, name: str, work: Any) -> None:
    from agents_eval_core.use_cases.sweep_folder import SweepFolder  # noqa: PLC0415  --help does without

    try:
        progress = finished(work)
    except KeyboardInterrupt as stop:
        raise Interrupted(
            f"interrupted; what was finished is kept, and 'agents-eval sweep resume {name}' goes on"
        ) from stop
    order = SweepFolder.named(name, session.root).order()
    session.give("sweep", {"sweep": work_object(progress), "order": order}, sweep_view(progress, order))
    if progress.counts["failed"] or (progress.left and not progress.decided):
        raise typer.Exit(RUN_FAILED)
