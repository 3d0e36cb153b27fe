"""The `agents-eval` program: the group of its verbs, and how a call of it ends."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer

from agents_eval_cli.ending import EXIT_CODES, INTERRUPTED, exit_code, quieten, sentence
from agents_eval_cli.invocation import Invocation
from agents_eval_cli.verbs import VerbGroup

PROGRAM = "agents-eval"

app = typer.Typer(
    cls=VerbGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    epilog=EXIT_CODES,
)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"{PROGRAM} {version('agents-eval-cli')}")
        raise typer.Exit


@app.callback()
def agents_eval(
    ctx: typer.Context,
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and end."),
    ] = False,
) -> None:
    """Say how good a multi-agent system is, how it worked, and whether one is really better than another."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main() -> None:
    """Run the program with the arguments of the process, and end the process."""
    # logfire brings a plug-in that every first pydantic model would load; it costs 0.3 s and is not wanted here
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "logfire-plugin")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows "?" for it
    code = run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said: Ctrl-C has nothing left to stop
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments ask for, and return the exit code; problems are one sentence on standard error."""
    invocation = Invocation()
    try:
        result = app(list(arguments), prog_name=PROGRAM, standalone_mode=False, obj=invocation)
    except BrokenPipeError:
        quieten(sys.stdout)
        return 0
    except (Exception, KeyboardInterrupt) as problem:  # noqa: BLE001  the last place where one can become a sentence
        if invocation.debug:
            traceback.print_exception(problem)
        sys.stderr.write(f"error: {sentence(problem)}\n")
        return exit_code(problem)
    if result == INTERRUPTED:  # Typer made an exit code of a Ctrl-C before the verb had begun
        sys.stderr.write(f"error: {sentence(KeyboardInterrupt())}\n")
    return result if isinstance(result, int) else 0
