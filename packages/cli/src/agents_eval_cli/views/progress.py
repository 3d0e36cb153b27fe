"""The line on standard error that shows which agent does what."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from agents_eval_core.ports.engine import Progress


class ProgressLine:
    """A live line on a terminal; elsewhere plain lines, or nothing.

    Args:
        about: What stands before each line.
        quiet: Show nothing.
        plain_lines: Whether to write lines where there is no terminal.
    """

    def __init__(self, about: str, *, quiet: bool, plain_lines: bool) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._is_live = self._console.is_terminal and not quiet
        self._has_lines = plain_lines and not quiet and not self._is_live
        self._status = Status("", console=self._console)
        self._last = ""
        self._about = about

    def __enter__(self) -> Self:
        if self._is_live:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._status.stop()

    def __call__(self, progress: Progress) -> None:
        """Show what an agent does; what no agent does is a note that stays."""
        line = ": ".join(part for part in (self._about, progress.agent, progress.action) if part)
        if line == self._last:
            return
        self._last = line
        if self._has_lines:
            sys.stderr.write(f"{line}\n")
        elif self._is_live and progress.agent:
            self._status.update(Text(line, overflow="ellipsis", no_wrap=True))
        elif self._is_live:
            self._console.print(Text(line))
