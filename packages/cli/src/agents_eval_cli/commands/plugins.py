"""`agents-eval plugins`: what is installed."""

from typing import Annotated

import typer

from agents_eval_cli.session import Session
from agents_eval_cli.views.plugins import plugins_view, worth_view
from agents_eval_core import registry
from agents_eval_core.errors import UnknownNameError
from agents_eval_core.use_cases.metric_catalogue import metric_catalogue


def command(
    ctx: typer.Context,
    group: Annotated[str | None, typer.Argument(help="Only these: evaluators, formats, providers, …")] = None,
) -> None:
    """List the plug-ins that are installed.

    They are read from what the packages declare and are not loaded; 'agents-eval doctor' says which are broken. Of
    evaluators it is said how much each of their metrics is worth.
    """
    session = Session(ctx)
    if group is not None and group not in registry.GROUPS:
        raise UnknownNameError("group of plug-ins", group, registry.GROUPS)
    groups = registry.GROUPS if group is None else (group,)
    found = [plugin for each in groups for plugin in registry.plugins(each)]
    if group != "evaluators":
        session.give("plugins", {"plugins": found}, plugins_view(found))
        return
    metrics = metric_catalogue()
    session.give("plugins", {"plugins": found, "metrics": metrics}, plugins_view(found), *worth_view(metrics))
