"""The bar on standard error that shows how far a download is."""

import sys
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from agents_eval_cli.views.sizes import megabytes
from agents_eval_core.use_cases.download import TransferProgress

STEPS: Final = 10


class TransferBar:
    """A live bar on a terminal; elsewhere a line for each tenth, or nothing.

    Args:
        quiet: Show nothing.
        plain_lines: Whether to write lines where there is no terminal.
    """

    def __init__(self, *, quiet: bool, plain_lines: bool) -> None:
        console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._is_live = console.is_terminal and not quiet
        self._has_lines = plain_lines and not quiet and not self._is_live
        self._bar = Progress(TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn(), console=console)
        self._task: TaskID | None = None
        self._step = -1

    def __enter__(self) -> Self:
        if self._is_live:
            self._task = self._bar.add_task("asking which files there are", total=None)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._is_live:
            self._bar.stop()

    def __call__(self, progress: TransferProgress) -> None:
        """Show how far it is."""
        text = f"{progress.files_done:,} of {progress.files_total:,} files, "
        text += f"{megabytes(progress.bytes_done)} of {megabytes(progress.bytes_total)} MB"
        if self._task is not None:
            self._bar.update(
                self._task, description=text, total=progress.bytes_total or 1, completed=progress.bytes_done
            )
        step = STEPS * progress.files_done // max(1, progress.files_total)
        if self._has_lines and step > self._step:
            sys.stderr.write(f"{text}\n")
        self._step = step
