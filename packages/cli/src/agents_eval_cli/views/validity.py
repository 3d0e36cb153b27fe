"""How much metrics are worth: measured figures with their intervals."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading
from agents_eval_core.validity import Suite


def validity_view(suites: Sequence[Suite]) -> Group:
    """Return the figures as a table, and which validations could not run."""
    return Group(*_parts(suites))


def _parts(suites: Sequence[Suite]) -> Iterator[RenderableType]:
    if not suites:
        yield Text("No validation is installed.")
        return
    table = columns("metric", "measure", "value", "interval", "n", "data", right=frozenset({"n"}))
    for name, column in zip(("metric", "measure", "value", "interval", "n", "data"), table.columns, strict=True):
        column.no_wrap = name in {"metric", "interval", "n"}
        column.overflow = "fold"
    for suite in suites:
        if suite.value is not None:
            interval = "none" if suite.interval is None else f"{suite.interval.low:.3f} to {suite.interval.high:.3f}"
            value = f"{suite.value:.3f} {suite.unit}".strip()
            table.add_row(Text(suite.metric), Text(suite.measure), value, interval, str(suite.n), Text(_tested(suite)))
    if table.row_count:
        yield table
    absent = [f"{suite.name}: {suite.reason or 'gave no figure'}" for suite in suites if suite.value is None]
    if absent:
        yield heading("Not measured, and why")
        yield bullets(*absent)


def _tested(suite: Suite) -> str:
    half = f", {suite.half}" if suite.half else ""
    chosen = [f"{verb} on {on}" for verb, on in (("fitted", suite.fitted), ("tuned", suite.tuned)) if on != "nothing"]
    return f"{suite.data}{half}" + (f" ({'; '.join(chosen)})" if chosen else "")
