"""What `doctor` found: each check with a word that says how it went."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import heading, pairs

Outcome = Literal["ok", "note", "wrong"]
STYLES: Final[dict[Outcome, str]] = {"ok": "green", "note": "yellow", "wrong": "bold red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at: `note` is worth knowing, `wrong` has to be put right."""

    name: str
    outcome: Outcome
    detail: str


def checks_view(checks: Sequence[Check], settings: Sequence[tuple[str, str]]) -> Group:
    """Return the checks, the settings in force, and what it comes to."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        table.add_row(Text(check.outcome, style=STYLES[check.outcome]), Text(check.name), Text(check.detail))
    wrong = sum(check.outcome == "wrong" for check in checks)
    parts: list[RenderableType] = [table]
    if settings:
        parts += [heading("Settings in force"), pairs(*settings)]
    closing = f"{wrong} of {len(checks)} checks went wrong." if wrong else "Everything that is needed is there."
    return Group(*parts, Text(f"\n{closing}"))
