"""`agents-eval evaluate`: score what a run left behind."""

from pathlib import Path
from typing import Annotated, Final, get_args

import typer

from agents_eval_cli import options
from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.evaluated import evaluated_object, evaluated_view
from agents_eval_cli.views.groups import groups_view
from agents_eval_core.errors import UsageError
from agents_eval_core.score import Tier
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.judge_choice import judge_spec

TIERS: Final[dict[str, Tier]] = {str(tier): tier for tier in get_args(Tier)}


def command(
    ctx: typer.Context,
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE…", help="A run directory, the id of a kept run, or a trace file; or several of them."
        ),
    ],
    *,
    tiers: Annotated[str | None, typer.Option(help="Only these tiers, such as 1,3.")] = None,
    judge: options.Judge = None,
    judge_provider: options.JudgeProvider = None,
    judge_model: options.JudgeModel = None,
    trace_format: Annotated[
        str | None, typer.Option("--format", help="The trace file's format; by default it is recognised.")
    ] = None,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="Which trace of a file that holds several.")] = None,
    case: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What it is held against (YAML or JSON), such as expected_calls."),
    ] = None,
    same_task: Annotated[
        bool, typer.Option("--same-task", help="All are runs of one task, whatever their task ids.")
    ] = False,
) -> None:
    """Score a run directory, a stored run or a trace file; several are compared within each task.

    A run of ours gets its new scorecard on disk and in the store; of a trace of others, and with --case, nothing is
    kept. Several sources, a folder of traces or a file that holds several traces are grouped by task: how often it was
    solved (pass@k, pass^k), whether the answers agree, and how alike and how long the ways there were.
    """
    from agents_eval_core.use_cases.evaluate_sources import (  # noqa: PLC0415  scipy; --help does without
        evaluate_sources,
    )

    session = Session(ctx)
    wanted = None if tiers is None else _tiers(tiers)
    done = finished(
        evaluate_sources(
            sources,
            settings=session.settings,
            tiers=wanted,
            judge=judge_spec(judge, judge_provider, judge_model),
            trace_format=trace_format,
            trace_id=trace,
            case=case,
            same_task=same_task,
        )
    )
    if isinstance(done, EvaluatedRun):
        session.give("evaluate", evaluated_object(done), evaluated_view(done))
    else:
        session.give("evaluate-groups", done.model_dump(), groups_view(done))


def _tiers(given: str) -> tuple[Tier, ...]:
    names = [name.strip() for name in given.split(",")]
    for name in names:
        if name not in TIERS:
            raise UsageError(f"no tier {name!r} in --tiers {given!r}; tiers are 1 (text), 2 (judge) and 3 (behaviour)")
    return tuple(TIERS[name] for name in dict.fromkeys(names))
