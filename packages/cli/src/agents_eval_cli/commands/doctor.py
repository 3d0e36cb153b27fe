"""`agents-eval doctor`: is everything there that is needed?"""

import typer

from agents_eval_cli.checkup import checkup
from agents_eval_cli.ending import GATE_MISSED
from agents_eval_cli.session import Session
from agents_eval_cli.views.checks import checks_view


def command(ctx: typer.Context) -> None:
    """Check that everything needed is there, and show the settings.

    The exit code is 1 if something is wrong.
    """
    session = Session(ctx)
    found = checkup(session.invocation.home)
    parts = {"checks": found.checks, "settings": dict(found.settings)}
    session.give("doctor", parts, checks_view(found.checks, found.settings))
    if any(check.outcome == "wrong" for check in found.checks):
        raise typer.Exit(GATE_MISSED)
