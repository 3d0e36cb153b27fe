"""What is said beside the verb: the options that every command has, before or after its name."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer


@dataclass(slots=True, kw_only=True)
class Invocation:
    """The options common to all commands, as far as they have been read."""

    home: Path | None = None
    json: bool = False
    quiet: bool = False
    debug: bool = False

    @classmethod
    def of(cls, ctx: typer.Context) -> "Invocation":
        """Return the invocation a command is part of."""
        invocation = ctx.find_root().obj
        return invocation if isinstance(invocation, cls) else cls()


def _keep(ctx: typer.Context, param: typer.CallbackParam, value: Any) -> Any:
    if value:
        setattr(Invocation.of(ctx), str(param.name), value)
    return value


def common_options(
    *,
    home: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            callback=_keep,
            expose_value=False,
            help="The data root, for runs and the store; default is AGENTS_EVAL_HOME, else _Agents-eval.",
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", callback=_keep, expose_value=False, help="Print one JSON object.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", callback=_keep, expose_value=False, help="Show no progress.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", callback=_keep, expose_value=False, help="Show the traceback of an error.")
    ] = False,
) -> None:
    """Declare the options; their values go to the `Invocation`."""
