"""A page of text for people: what is shown, laid out for the terminal it goes to."""

import os
import sys
from io import StringIO
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

WIDTH: Final = 80


def page(*shown: RenderableType) -> str:
    """Return what is shown as text for standard output; plain and 80 columns wide where that is no terminal."""
    is_terminal = sys.stdout.isatty()
    text = StringIO()
    console = Console(
        file=text,
        force_terminal=is_terminal or None,
        width=None if is_terminal or "COLUMNS" in os.environ else WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(Group(*shown), crop=False)
    return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))


def heading(text: str) -> Text:
    """Return a heading, set off by a blank line."""
    return Text(f"\n{text}", style="bold")


def columns(*names: str, right: frozenset[str] = frozenset(), whole: frozenset[str] = frozenset()) -> Table:
    """Return an empty table.

    Args:
        names: The headings.
        right: The columns of numbers.
        whole: The columns whose words people copy: folded rather than cut.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(
            name, justify="right" if name in right else "left", overflow="fold" if name in whole else "ellipsis"
        )
    return table


def pairs(*lines: tuple[str, str]) -> Table:
    """Return names and values in two columns."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in lines:
        table.add_row(Text(name), Text(value))
    return table


def bullets(*sentences: str) -> Table:
    """Return sentences as a list."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for sentence in sentences:
        table.add_row("-", Text(sentence))
    return table
