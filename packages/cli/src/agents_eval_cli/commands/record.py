"""`agents-eval record`: keep the OpenTelemetry spans of any program."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from agents_eval_cli.ending import RUN_FAILED
from agents_eval_cli.session import Session
from agents_eval_cli.views.run import shown_path
from agents_eval_core.use_cases.record import record


def command(
    ctx: typer.Context,
    program: Annotated[list[str], typer.Argument(metavar="-- COMMAND", help="The program and its arguments.")],
    *,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the trace goes; default is a name with the time.")
    ] = None,
) -> None:
    """Run a program, keep the OpenTelemetry spans that it sends, and say how to evaluate them.

    It is given OTEL_EXPORTER_OTLP_ENDPOINT; whatever exports over OTLP/HTTP is kept. Nothing leaves this machine.
    """
    session = Session(ctx)
    done = record(program, out or Path(f"trace-{datetime.now(UTC):%Y%m%dT%H%M%S}.otlp.jsonl"))
    told = f"{done.spans} spans in {shown_path(done.file)}; 'agents-eval evaluate {done.file}' scores them"
    session.give("recording", {"file": done.file, "spans": done.spans, "exit_code": done.exit_code}, told)
    if done.spans == 0:
        session.complain("no span came: the program exports none over OTLP/HTTP; switch its instrumentation on")
    if done.exit_code:
        session.complain(f"{program[0]} ended with exit code {done.exit_code}")
    if done.spans == 0 or done.exit_code:
        raise typer.Exit(RUN_FAILED)
