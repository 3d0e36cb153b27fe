"""The line on standard error that shows which agent does what."""

import sys

from rich.text import Text

from agents_eval_cli.views.live_line import LiveLine
from agents_eval_core.ports.engine import Progress


class ProgressLine(LiveLine):
    """Which agent does what; where there is no terminal, each step on a line of its own.

    Args:
        about: What stands before each line.
        quiet: Show nothing.
        plain_lines: Whether to write lines where there is no terminal.
    """

    def __init__(self, about: str, *, quiet: bool, plain_lines: bool) -> None:
        super().__init__(quiet=quiet, plain_lines=plain_lines)
        self._last = ""
        self._about = about

    def __call__(self, progress: Progress) -> None:
        """Show what an agent does; what no agent does is a note that stays."""
        line = ": ".join(part for part in (self._about, progress.agent, progress.action) if part)
        if line == self._last:
            return
        self._last = line
        if self.has_lines:
            sys.stderr.write(f"{line}\n")
        elif self.is_live and progress.agent:
            self.update(line)
        elif self.is_live:
            self.console.print(Text(line))
