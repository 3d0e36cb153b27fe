"""A comparison on a terminal: each metric with both means, their difference and its interval, and the conclusion."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading
from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, MetricWorth
from agents_eval_core.counted import count, percent
from agents_eval_core.report.comparison_wording import metric_cells, named, standing_cells
from agents_eval_core.report.contrast_lines import contrast_lines, repetition_lines
from agents_eval_core.report.worth_wording import adds_nothing_anywhere, worth_lines

STYLES = {"better": "green", "worse": "red", "equivalent": "cyan", "not enough data": "yellow"}


def comparison_view(comparison: Comparison, *, metrics: Sequence[str] = ()) -> Group:
    """Return the comparison, one table for each contrast.

    Args:
        comparison: What was found.
        metrics: Only these are shown; by default all that some pair measured.
    """
    parts = [part for each in comparison.contrasts for part in _contrast(each, comparison.confidence, metrics)]
    return Group(*parts, *_standings(comparison), *(part for each in comparison.worth for part in _worth(each)))


def _contrast(contrast: Contrast, confidence: float, metrics: Sequence[str]) -> Iterator[RenderableType]:
    how = "" if contrast.paired else ", unpaired"
    papers = max((each.papers for each in contrast.metrics), default=0)
    sides = f"{contrast.candidate.label} (candidate) against {contrast.baseline.label} (baseline)"
    lines = contrast_lines(contrast, confidence, metrics)
    yield Text(f"\n{sides}, {count(papers, 'paper')}{how}", style="bold")
    yield _table(lines.rows, confidence, papers)
    if lines.level:
        yield Text(f"\nThe same on both sides on every paper: {', '.join(lines.level)}")
    if lines.unpaired:
        yield Text(f"\nIn no pair measured on both sides: {', '.join(lines.unpaired)}")
    yield Text("")
    yield Text.assemble((contrast.conclusion, STYLES[contrast.conclusion]), f": {lines.sentence}")
    if lines.reasons:
        yield bullets(*lines.reasons)
    for name, beside in lines.beside:
        yield heading(f"Beside the headline: {name}")
        yield bullets(*beside)
    if lines.left_out:
        yield heading("Left out")
        yield bullets(*lines.left_out)


def _table(metrics: Sequence[MetricComparison], confidence: float, papers: int) -> Table:
    numbers = ("base", "cand.", "diff", f"{percent(confidence)} interval", "adj. p")
    table = columns("metric", *numbers, "conclusion", right=frozenset(numbers), whole=frozenset({"metric"}))
    for column in table.columns[1:]:
        column.no_wrap = True
    table.padding = (0, 1, 0, 0)
    for metric in metrics:
        fewer = "" if metric.papers == papers else f" (n = {metric.papers})"
        *figures, _, adjusted = metric_cells(metric)
        table.add_row(
            Text(f"{named(metric)}{fewer}", style="bold" if metric.claimed else ""),
            *figures,
            adjusted,
            Text(metric.conclusion, style=STYLES[metric.conclusion]),
        )
    return table


def _standings(comparison: Comparison) -> Iterator[RenderableType]:
    standings = comparison.standings
    if not standings or not standings[0].papers:
        return
    yield heading(f"All sides, over the {standings[0].papers} papers that all of them have")
    numbers = ("composite", "quality", "first", "seconds", "USD")
    table = columns("side", *numbers, "front", right=frozenset(numbers), whole=frozenset({"side"}))
    for standing in standings:
        table.add_row(Text(standing.label), *standing_cells(standing))
    yield table
    yield Text(f"\n{comparison.winner_sentence}")
    lines = repetition_lines(comparison)
    if lines:
        yield heading("Repetitions")
        yield bullets(*lines)


def _worth(worth: MetricWorth) -> Iterator[RenderableType]:
    unit = f" ({worth.unit})" if worth.unit else ""
    yield heading(f"What the agents are worth: {worth.metric}{unit}, over {worth.papers} papers")
    if adds_nothing_anywhere(worth):
        yield Text("no composition differs from another, on any paper: every effect is 0")
        return
    table = columns("agents", "effect", "value", "interval", "conclusion", right=frozenset({"value", "interval"}))
    for cells in worth_lines(worth):
        table.add_row(*map(Text, cells))
    yield table
