"""A comparison on a terminal: each metric with both means, their difference and its interval, and the conclusion."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agents_eval_cli.views.page import bullets, columns, heading
from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, MetricWorth
from agents_eval_core.counted import count, percent
from agents_eval_core.report.comparison_wording import (
    beside_the_headline,
    claim_reasons,
    difference,
    figure,
    interval,
    left_out,
    named,
    p_value,
    pass_rates,
    sentence_after_conclusion,
    shown_metrics,
    sides_of,
    standing_cells,
    unpaired_metrics,
)
from agents_eval_core.report.worth_wording import group_line, worth_lines

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
    shown = [each for each in shown_metrics(contrast) if not metrics or each.metric in metrics or each.claimed]
    yield Text(f"\n{sides}, {count(papers, 'paper')}{how}", style="bold")
    yield _table(shown, confidence, papers)
    absent = [name for name in unpaired_metrics(contrast) if not metrics or name in metrics]
    if absent:
        yield Text(f"\nIn no pair measured on both sides: {', '.join(absent)}")
    yield Text("")
    rest = sentence_after_conclusion(contrast)
    yield Text.assemble((contrast.conclusion, STYLES[contrast.conclusion]), f": {rest}")
    reasons = tuple(claim_reasons(contrast))
    if reasons:
        yield bullets(*reasons)
    for metric in (each for each in shown if each.claimed):
        lines = list(beside_the_headline(metric, confidence))
        if lines:
            yield heading(f"Beside the headline: {named(metric)}")
            yield bullets(*lines)
    out = tuple(left_out(contrast))
    if out:
        yield heading("Left out")
        yield bullets(*out)


def _table(metrics: Sequence[MetricComparison], confidence: float, papers: int) -> Table:
    numbers = ("base", "cand.", "diff", f"{percent(confidence)} interval", "adj. p")
    table = columns("metric", *numbers, "conclusion", right=frozenset(numbers), whole=frozenset({"metric"}))
    for column in table.columns[1:]:
        column.no_wrap = True
    table.padding = (0, 1, 0, 0)
    for metric in metrics:
        fewer = "" if metric.papers == papers else f" (n = {metric.papers})"
        table.add_row(
            Text(f"{named(metric)}{fewer}", style="bold" if metric.claimed else ""),
            figure(metric.baseline_mean, metric),
            figure(metric.candidate_mean, metric),
            difference(metric),
            interval(metric),
            p_value(metric.adjusted_p),
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
    lines = [line for standing in standings for line in pass_rates(standing)]
    lines += [line for side in sides_of(comparison) if (line := group_line(side))]
    if lines:
        yield heading("Repetitions")
        yield bullets(*lines)


def _worth(worth: MetricWorth) -> Iterator[RenderableType]:
    unit = f" ({worth.unit})" if worth.unit else ""
    yield heading(f"What the agents are worth: {worth.metric}{unit}, over {worth.papers} papers")
    table = columns("agents", "effect", "value", "interval", "conclusion", right=frozenset({"value", "interval"}))
    for cells in worth_lines(worth):
        table.add_row(*map(Text, cells))
    yield table
