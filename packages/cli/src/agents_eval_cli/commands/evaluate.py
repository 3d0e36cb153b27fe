"""`agents-eval evaluate`: score what a run left behind."""

from pathlib import Path
from typing import Annotated, Final, get_args

import typer

from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.evaluated import evaluated_object, evaluated_view
from agents_eval_core.errors import UsageError
from agents_eval_core.score import Tier
from agents_eval_core.use_cases.evaluate_trace import evaluate_trace

TIERS: Final[dict[str, Tier]] = {str(tier): tier for tier in get_args(Tier)}


def command(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(help="A run directory, the id of a kept run, or a trace file.")],
    *,
    tiers: Annotated[str | None, typer.Option(help="Only these tiers, such as 1,3.")] = None,
    judge: Annotated[str | None, typer.Option(help="Who judges, as provider or provider:model.")] = None,
    trace_format: Annotated[
        str | None, typer.Option("--format", help="The trace file's format; by default it is recognised.")
    ] = None,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="Which trace of a file that holds several.")] = None,
    case: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What it is held against (YAML or JSON), such as expected_calls."),
    ] = None,
) -> None:
    """Score a run directory, a stored run or a trace file.

    A run of ours gets its new scorecard on disk and in the store; of a trace of others, and with --case, nothing is
    kept.
    """
    session = Session(ctx)
    wanted = None if tiers is None else _tiers(tiers)
    done = finished(
        evaluate_trace(
            source,
            settings=session.settings,
            tiers=wanted,
            judge=judge,
            trace_format=trace_format,
            trace_id=trace,
            case=case,
        )
    )
    session.give("evaluate", evaluated_object(done), evaluated_view(done))


def _tiers(given: str) -> tuple[Tier, ...]:
    names = [name.strip() for name in given.split(",")]
    for name in names:
        if name not in TIERS:
            raise UsageError(f"no tier {name!r} in --tiers {given!r}; tiers are 1 (text), 2 (judge) and 3 (behaviour)")
    return tuple(TIERS[name] for name in dict.fromkeys(names))
