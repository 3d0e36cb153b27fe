"""`agents-eval batch`: stored traces and runs evaluated in bulk, and what the store holds in all."""

from datetime import UTC, datetime
from typing import Annotated, Any, cast

import typer

from agents_eval_cli.ending import RUN_FAILED, Interrupted
from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.batch import batch_view, store_view
from agents_eval_cli.views.sweep import WorkLine, work_object
from agents_eval_core import registry
from agents_eval_core.score import Tier

command = typer.Typer(
    help="Evaluate stored traces and runs in bulk, and sum up what is kept.",
    rich_markup_mode=None,
    add_completion=False,
)


@command.command("evaluate")
def evaluate(
    ctx: typer.Context,
    sources: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Run directories, trace files, folders, or stored runs.")
    ],
    *,
    name: Annotated[str | None, typer.Option(help="What the batch is called; default is the time.")] = None,
    tier: Annotated[list[int] | None, typer.Option(min=1, max=3, help="Only this tier; may be repeated.")] = None,
    judge: Annotated[str | None, typer.Option(help="Who judges, as provider or provider:model.")] = None,
    trace_format: Annotated[
        str | None, typer.Option("--format", help="The format of the files; by default it is recognised.")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="How much at once.")] = None,
    scheduler: Annotated[
        str, typer.Option(help="auto, asyncio, processes, dask, or a Dask scheduler's tcp://…")
    ] = "auto",
) -> None:
    """Evaluate everything that files, folders and stored runs hold.

    Broken off, by whatever, 'agents-eval batch resume NAME' ends it as if nothing had happened. The exit code is 3 if
    something could not be evaluated.
    """
    from agents_eval_core.use_cases.batch import begin_batch, usual_name  # noqa: PLC0415  --help does without

    session = Session(ctx)
    name = name or usual_name(datetime.now(UTC))
    with session.line(WorkLine) as line:
        work = begin_batch(
            sources,
            settings=session.settings,
            name=name,
            tiers=cast("list[Tier] | None", tier),
            judge=judge,
            trace_format=trace_format,
            concurrency=concurrency,
            scheduler=scheduler,
            on_progress=line,
        )
        _give(session, name, work)


@command.command("resume")
def resume(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="The batch's name; 'agents-eval batch report' lists all.")],
    *,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Try again what failed.")] = False,
) -> None:
    """Go on with a batch; what is done stays as it is."""
    from agents_eval_core.use_cases.batch import resume_batch  # noqa: PLC0415  --help does without

    session = Session(ctx)
    with session.line(WorkLine) as line:
        work = resume_batch(name, settings=session.settings, retry_failed=retry_failed, on_progress=line)
        _give(session, name, work)


@command.command("report")
def report(ctx: typer.Context) -> None:
    """Sum up the runs, sweeps and batches that are kept: how they ended and why, and what was not measured."""
    from agents_eval_core.use_cases.batch import batch_progress  # noqa: PLC0415  --help does without
    from agents_eval_core.use_cases.batch_folder import BatchFolder  # noqa: PLC0415

    session = Session(ctx)
    batches = [batch_progress(each, session.root) for each in BatchFolder.names(session.root)]
    if not session.root.database.is_file():
        groups, missing = [], []
    else:
        store = registry.store("sqlite", session.root.database)
        groups, missing = list(store.groups()), list(store.missing_scores())
        store.close()
    lines = [
        {"metric": metric, "reason": reason, "error_type": kind or None, "scores": number}
        for metric, reason, kind, number in missing
    ]
    told = {"groups": groups, "not_measured": lines, "batches": [work_object(each) for each in batches]}
    session.give("batch-report", told, store_view(groups, missing, batches))


def _give(session: Session, name: str, work: Any) -> None:
    from agents_eval_core.use_cases.batch_folder import BatchFolder  # noqa: PLC0415  --help does without

    try:
        progress = finished(work)
    except KeyboardInterrupt as stop:
        raise Interrupted(
            f"interrupted; what was finished is kept, and 'agents-eval batch resume {name}' goes on"
        ) from stop
    folder = BatchFolder.named(progress.name, session.root)
    order = folder.order()
    with folder.journal() as journal:
        failed = [entry for entry, _ in zip(journal.entries("failed"), range(20), strict=False)]
    session.give("batch", {"batch": work_object(progress), "order": order}, batch_view(progress, order, failed))
    if progress.counts["failed"]:
        raise typer.Exit(RUN_FAILED)
