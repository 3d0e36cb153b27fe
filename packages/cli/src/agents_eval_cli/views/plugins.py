"""The plug-ins that are installed, by what they are."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import columns
from agents_eval_core.registry import Plugin


def plugins_view(plugins: Sequence[Plugin]) -> Table:
    """Return the plug-ins as a table."""
    table = columns("group", "name", "package", "version")
    table.columns[1].no_wrap = True
    for plugin in plugins:
        table.add_row(Text(plugin.group), Text(plugin.name), Text(plugin.distribution), Text(plugin.version))
    return table
