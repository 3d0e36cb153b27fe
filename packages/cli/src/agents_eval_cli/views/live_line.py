"""A line on standard error that lives on a terminal."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text


class LiveLine:
    """A live line on a terminal; elsewhere plain lines, or nothing.

    Args:
        quiet: Show nothing.
        plain_lines: Whether to write lines where there is no terminal.
    """

    def __init__(self, *, quiet: bool, plain_lines: bool) -> None:
        self.console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self.is_live = self.console.is_terminal and not quiet
        self.has_lines = plain_lines and not quiet and not self.is_live
        self._status = Status("", console=self.console)

    def __enter__(self) -> Self:
        if self.is_live:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._status.stop()

    def update(self, line: str) -> None:
        """Show another line in the place of the one before."""
        self._status.update(Text(line, overflow="ellipsis", no_wrap=True))
