"""The providers of models: those that can be used now, and what the others lack."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import columns


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedProvider:
    """A provider in the list; `unavailable_because` is None where it can be used now."""

    name: str
    aliases: tuple[str, ...]
    default_model: str | None
    has_language_model: bool
    unavailable_because: str | None


def providers_view(providers: Sequence[ListedProvider]) -> Group:
    """Return the providers as a table, those that can be used first."""
    usable = sum(each.unavailable_because is None for each in providers)
    return Group(_table(providers), Text(f"\n{usable} of {len(providers)} can be used now."))


def _table(providers: Sequence[ListedProvider]) -> Table:
    table = columns("provider", "default model", "now")
    table.columns[0].no_wrap = True
    table.columns[2].overflow = "fold"
    for each in providers:
        name = f"{each.name} ({', '.join(each.aliases)})" if each.aliases else each.name
        table.add_row(Text(name), Text(each.default_model or "name one"), _now(each))
    return table


def _now(provider: ListedProvider) -> Text:
    if provider.unavailable_because is not None:
        return Text(provider.unavailable_because, style="yellow")
    return Text("can be used" if provider.has_language_model else "can be used (no language model)", style="green")
