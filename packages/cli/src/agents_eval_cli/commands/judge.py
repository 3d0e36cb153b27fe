"""`agents-eval judge`: what a judge is worth, and what it says of two runs; or the user as the judge."""

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from pydantic_core import to_json

from agents_eval_cli import options
from agents_eval_cli.interruptible import finished
from agents_eval_cli.session import Session
from agents_eval_cli.views.certificate import certificate_view, preference_view
from agents_eval_cli.views.evaluated import evaluated_object, evaluated_view
from agents_eval_core.errors import UnreadableError
from agents_eval_core.use_cases.certify_judge import certify_judge
from agents_eval_core.use_cases.judge_choice import judge_spec
from agents_eval_core.use_cases.judging_packet import CONTEXT_TOKENS, accept_verdict, judging_packet
from agents_eval_core.use_cases.prefer_run import prefer_run

JudgeOption = Annotated[
    str | None,
    typer.Option(help="Who judges: provider, provider:model, a panel a+b+c, claude-code, or auto."),
]
RunArgument = Annotated[str, typer.Argument(help="A run directory, the id of a kept run, or a trace file.")]
ContextOption = Annotated[
    int, typer.Option(min=4_000, help="How many tokens the caller can read; the same for packet and verdict.")
]

command = typer.Typer(
    help="Certify a judge, let it compare two runs, or be the judge yourself.",
    rich_markup_mode=None,
    add_completion=False,
)


@command.command("certify")
def certify(
    ctx: typer.Context,
    *,
    labels: Annotated[Path, typer.Option(help="Labelled texts: JSON lines with id, text and label from 0 to 1.")],
    judge: JudgeOption = None,
    judge_provider: options.JudgeProvider = None,
    judge_model: options.JudgeModel = None,
    rubric: Annotated[
        str | None, typer.Option(help="A shipped rubric or a TOML file; default is that of the task.")
    ] = None,
    repeats: Annotated[
        int | None, typer.Option(min=1, max=20, help="Judge each text so often; 2 or more give the flip rate.")
    ] = None,
) -> None:
    """Hold a judge against texts that people have graded, and print its certificate.

    The certificate is kept under the data root and stands beside each later score of that judge by that rubric. Texts
    without a label are judged too: their mean, with the judge's bias taken out, is the corrected mean.
    """
    session = Session(ctx)
    done = finished(
        certify_judge(
            labels,
            settings=session.settings,
            judge=judge_spec(judge, judge_provider, judge_model),
            rubric=rubric,
            repeats=repeats,
        )
    )
    session.give("judge-certify", {"certificate": done.certificate, "files": [done.file]}, certificate_view(done))


@command.command("prefer")
def prefer(
    ctx: typer.Context,
    first: RunArgument,
    second: Annotated[str, typer.Argument(help="Another run of the same task.")],
    *,
    judge: JudgeOption = None,
    judge_provider: options.JudgeProvider = None,
    judge_model: options.JudgeModel = None,
) -> None:
    """Ask a judge which of two runs has the better output, in both orders."""
    session = Session(ctx)
    spec = judge_spec(judge, judge_provider, judge_model)
    score = finished(prefer_run(first, second, settings=session.settings, judge=spec))
    session.give("judge-prefer", {"preference": score}, preference_view(score, first, second))


@command.command("packet")
def packet(ctx: typer.Context, run: RunArgument, *, context_tokens: ContextOption = CONTEXT_TOKENS) -> None:
    """Print what a judge would be asked about a run, as JSON, for whoever is to judge it.

    No model is asked and nothing is kept. Answer each question by its schema, and hand the answers in with
    'agents-eval judge accept'.
    """
    session = Session(ctx)
    found = finished(judging_packet(run, settings=session.settings, context_tokens=context_tokens))
    session.give_text("judge-packet", {"packet": found}, to_json(found, indent=2).decode() + "\n")


@command.command("accept")
def accept(
    ctx: typer.Context,
    run: RunArgument,
    verdict: Annotated[Path, typer.Argument(help="A JSON file: the answers by the key of their question.")],
    *,
    declared: Annotated[str, typer.Option(help="Who judged, as it is kept with the scores.")] = "",
    context_tokens: ContextOption = CONTEXT_TOKENS,
) -> None:
    """Take a verdict on a run as its tier 2, marked as the caller's own, and evaluate the run with it."""
    session = Session(ctx)
    given = _verdict(verdict)
    done = finished(
        accept_verdict(run, given, settings=session.settings, declared=declared, context_tokens=context_tokens)
    )
    session.give("evaluate", evaluated_object(done), evaluated_view(done))


def _verdict(file: Path) -> dict[str, Any]:
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UnreadableError(f"{file} cannot be read as JSON: {problem}") from problem
    if not isinstance(given, dict):
        raise UnreadableError(f"{file} holds no object; it maps the key of each question to its answer")
    return cast("dict[str, Any]", given)
