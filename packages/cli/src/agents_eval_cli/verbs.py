"""The verbs of the program: a table of names, and a group that loads a verb when it is called."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import distribution
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from agents_eval_cli.ending import Interrupted
from agents_eval_cli.invocation import Invocation, common_options
from agents_eval_core import registry
from agents_eval_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typer._click import Command, Context, Parameter

    from agents_eval_core.registry import Plugin

VERBS: Final[Mapping[str, str]] = {
    "quickstart": "Review three sample papers offline in two ways, and compare.",
    "review": "Let agents review a paper; keep the run and evaluate it.",
    "evaluate": "Score a run directory, a stored run or a trace file; several are compared within each task.",
    "compare": "Say whether a candidate is better or worse than a baseline.",
    "sweep": "Let many systems review many papers; resume, report and export it.",
    "batch": "Evaluate stored traces and runs in bulk, and sum up what is kept.",
    "record": "Run a program, keep the OpenTelemetry spans that it sends, and say how to evaluate them.",
    "runs": "List the runs that are kept.",
    "show": "Show the scorecard of a run, the three tiers side by side.",
    "report": "Print the report of a run, or the graph of its agents.",
    "trace": "Show what is in a trace file, count it, or convert it.",
    "papers": "List, show, search, download and verify papers.",
    "judge": "Certify a judge, let it compare two runs, or be the judge yourself.",
    "validate": "Measure how much the metrics are worth.",
    "calibrate": "Fit the tables that metrics apply, from the human reviews of a venue.",
    "memorisation": "Tell how often models repeat the human reviews they are held against.",
    "providers": "List the providers of models: which can be used now, and why not the others.",
    "plugins": "List the plug-ins that are installed.",
    "doctor": "Check that everything needed is there, and show the settings.",
}
OF_PLUGINS: Final = ("home", "debug")


class Verb(TyperCommand):
    """A verb's name and line of help; the command itself is loaded when the verb is called."""

    def __init__(self, name: str, line: str, load: Callable[[], Command]) -> None:
        super().__init__(name, help=line, rich_markup_mode=None)
        self._load = load

    def make_context(
        self, info_name: str | None, args: list[str], parent: Context | None = None, **extra: Any
    ) -> Context:
        """Load the command and let it read the arguments."""
        return self._load().make_context(info_name, args, parent, **extra)


class ForeignVerb(Verb):
    """A verb that another package declares."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Context | None = None, **extra: Any
    ) -> Context:
        """Let the command read the arguments, and give it and the processes it starts the data root asked for."""
        context = super().make_context(info_name, args, parent, **extra)
        invocation = context.find_root().obj
        if isinstance(invocation, Invocation) and invocation.home is not None:
            os.environ["AGENTS_EVAL_HOME"] = str(invocation.home)
        return context


class VerbGroup(TyperGroup):
    """All verbs: those of the table, then those that other packages declare."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.params += _common_options()
        for name, line in VERBS.items():
            self.add_command(Verb(name, line, partial(_own, name)))

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002  Typer's signature
        """Return the names in the order of the help page."""
        return [*VERBS, *(plugin.name for plugin in registry.plugins("commands") if plugin.name not in VERBS)]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return the verb of that name, not yet loaded."""
        if cmd_name in VERBS:
            return super().get_command(ctx, cmd_name)
        found = (plugin for plugin in registry.plugins("commands") if plugin.name == cmd_name)
        return next((ForeignVerb(plugin.name, _summary(plugin), partial(_foreign, plugin)) for plugin in found), None)

    def invoke(self, ctx: Context) -> Any:
        """Do what the verb does; Ctrl-C is told apart from an exit."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise Interrupted("interrupted; what was finished before is kept") from stop


def _own(name: str) -> Command:
    module = import_module(f"agents_eval_cli.commands.{name}")
    command = _made(name, module.command)
    for leaf in _leaves(command):
        leaf.params += _common_options()
    return command


def _leaves(command: Command) -> Iterator[Command]:
    """Yield what does something: a command, or those of a group and the group itself where it does something too."""
    if isinstance(command, TyperGroup):
        yield from command.commands.values()
    if not isinstance(command, TyperGroup) or command.callback is not None:
        yield command


def _foreign(plugin: Plugin) -> Command:
    try:
        body = resolve_name(plugin.target)
        command = _made(plugin.name, body)
    except Exception as problem:
        raise UsageError(
            f"command {plugin.name!r} of {plugin.distribution} cannot be loaded: "
            f"{type(problem).__name__}: {problem}; reinstall or remove that package"
        ) from problem
    taken = {parameter.name for parameter in command.params}
    command.params += [option for option in _common_options() if option.name in OF_PLUGINS and option.name not in taken]
    return command


def _made(name: str, body: Callable[..., Any] | typer.Typer) -> Command:
    if isinstance(body, typer.Typer):
        return get_command(body)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name)(body)
    return get_command(single)


def _common_options() -> list[Parameter]:
    return _made("options", common_options).params


def _summary(plugin: Plugin) -> str:
    return distribution(plugin.distribution).metadata["Summary"] or f"A command of {plugin.distribution}."
