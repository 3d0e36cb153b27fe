"""A comparison: each metric with both means, their difference and its interval, and the conclusion."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading
from agents_eval_core.comparison import Comparison, Contrast, MetricComparison

STYLES = {"better": "green", "worse": "red", "equivalent": "cyan", "not enough data": "yellow"}


def comparison_view(comparison: Comparison) -> Group:
    """Return the comparison, one table for each contrast."""
    return Group(*(part for contrast in comparison.contrasts for part in _contrast(contrast, comparison.confidence)))


def _contrast(contrast: Contrast, confidence: float) -> Iterator[RenderableType]:
    yield Text(f"\n{contrast.first.label} against {contrast.second.label}", style="bold")
    yield _table(contrast, confidence)
    unpaired = [metric.metric for metric in contrast.metrics if not metric.pairs]
    if unpaired:
        yield Text(f"\nIn no pair measured on both sides: {', '.join(unpaired)}")
    yield Text("")
    rest = contrast.sentence.removeprefix(contrast.conclusion).removeprefix(": ")
    yield Text.assemble((contrast.conclusion, STYLES[contrast.conclusion]), f": {rest}")
    left_out = tuple(_left_out(contrast))
    if left_out:
        yield heading("Left out")
        yield bullets(*left_out)


def _left_out(contrast: Contrast) -> Iterator[str]:
    for side in (contrast.first, contrast.second):
        yield from (f"{run} of {side.label}: it is {status}" for run, status in side.excluded.items())
    for run in (*contrast.unmatched_first, *contrast.unmatched_second):
        yield f"{run}: {contrast.unmatched_reasons.get(run, 'no run of the same paper on the other side')}"


def _table(contrast: Contrast, confidence: float) -> Table:
    interval = f"{confidence:.0%} interval"
    numbers = ("first", "second", "diff", interval, "papers")
    table = columns("metric", *numbers, "conclusion", right=frozenset(numbers), whole=frozenset({"metric"}))
    for column in table.columns[1:]:
        column.no_wrap = True
    table.padding = (0, 1, 0, 0)
    for metric in (metric for metric in contrast.metrics if metric.pairs):
        conclusion = Text(metric.conclusion, style=STYLES[metric.conclusion])
        table.add_row(
            Text(f"{metric.metric} ({metric.unit})" if metric.unit else metric.metric), *_cells(metric), conclusion
        )
    return table


def _cells(metric: MetricComparison) -> tuple[str, ...]:
    interval = metric.interval
    return (
        _number(metric.first_mean),
        _number(metric.second_mean),
        _number(metric.difference, sign="+"),
        "none" if interval is None else f"{interval.low:+.2f} to {interval.high:+.2f}",
        str(metric.papers),
    )


def _number(value: float | None, sign: str = "") -> str:
    return "none" if value is None else f"{value:{sign}.2f}"
