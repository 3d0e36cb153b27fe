"""What a command works with: the settings in force, the data root, and where its result goes."""

import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

import typer
from rich.console import RenderableType

from agents_eval_cli.invocation import Invocation
from agents_eval_cli.views.json_object import json_object
from agents_eval_cli.views.page import page
from agents_eval_cli.views.progress import ProgressLine
from agents_eval_cli.views.standard_output import write_result
from agents_eval_core.data_root import DataRoot
from agents_eval_core.settings import Settings, load_settings


class Line(Protocol):
    """What is shown while work goes on."""

    def __init__(self, *, quiet: bool, plain_lines: bool) -> None: ...


TLine = TypeVar("TLine", bound=Line)


class Session:
    """One call of one command."""

    def __init__(self, ctx: typer.Context) -> None:
        self.invocation = Invocation.of(ctx)

    @cached_property
    def settings(self) -> Settings:
        """The settings as they stand in the working directory, with the options of this call."""
        return load_settings(Path.cwd(), options={"AGENTS_EVAL_HOME": self.invocation.home})

    @property
    def root(self) -> DataRoot:
        """Where runs and the store are."""
        return DataRoot(path=self.settings.home)

    def progress(self, about: str = "") -> ProgressLine:
        """Return the line that shows which agent does what."""
        return ProgressLine(about, quiet=self.invocation.quiet, plain_lines=not self.invocation.json)

    def line(self, kind: type[TLine]) -> TLine:
        """Return a line of some kind that shows how far work is."""
        return kind(quiet=self.invocation.quiet, plain_lines=not self.invocation.json)

    def give(self, kind: str, parts: Mapping[str, Any], *shown: RenderableType) -> None:
        """Write the result: as one JSON object if that was asked for, else as it is shown to people."""
        write_result(json_object(kind, parts) if self.invocation.json else page(*shown))

    def give_text(self, kind: str, parts: Mapping[str, Any], text: str) -> None:
        """Write a result that is a text in its own right, such as a report."""
        write_result(json_object(kind, parts) if self.invocation.json else text)

    def complain(self, sentence: str) -> None:
        """Say what went wrong, beside the result."""
        sys.stderr.write(f"error: {' '.join(sentence.split())}\n")

    def note(self, sentence: str) -> None:
        """Say what else is worth knowing, beside the result; not where quiet was asked for."""
        if not self.invocation.quiet:
            sys.stderr.write(f"{' '.join(sentence.split())}\n")
