"""The plug-ins that are installed, by what they are."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import columns, heading
from agents_eval_core.registry import Plugin
from agents_eval_core.use_cases.metric_catalogue import CatalogueEntry


def plugins_view(plugins: Sequence[Plugin]) -> Table:
    """Return the plug-ins as a table."""
    table = columns("group", "name", "package", "version")
    table.columns[1].no_wrap = True
    for plugin in plugins:
        table.add_row(Text(plugin.group), Text(plugin.name), Text(plugin.distribution), Text(plugin.version))
    return table


def worth_view(metrics: Sequence[CatalogueEntry]) -> tuple[RenderableType, ...]:
    """Return what each metric is worth, as a heading and a table."""
    table = columns("metric", "tier", "worth", right=frozenset({"tier"}), whole=frozenset({"worth"}))
    table.columns[0].no_wrap = True
    for metric in metrics:
        table.add_row(Text(metric.name), str(metric.tier), Text(metric.worth))
    return heading("How much each metric is worth (see docs/metrics.md)"), table
