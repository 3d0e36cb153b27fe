"""A comparison in Markdown."""

from collections.abc import Iterator

from agents_eval_core.comparison import Comparison, Contrast, MetricWorth
from agents_eval_core.counted import percent
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
from agents_eval_core.report.inline_text import inline
from agents_eval_core.report.worth_wording import group_line, worth_lines

STANDINGS = "| side | composite | quality | first places | seconds | USD | on the Pareto front |"


def comparison_markdown(comparison: Comparison) -> str:
    """Return a comparison as a page: the conclusions first, then the figures they rest on."""
    return "\n".join(_lines(comparison)).rstrip() + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    yield from ("# Comparison", "")
    for contrast in comparison.contrasts:
        yield f"- {_title(contrast)}: **{contrast.conclusion}**"
    yield ""
    yield from _terms(comparison)
    yield from _standings(comparison)
    for contrast in comparison.contrasts:
        yield from _contrast(contrast, comparison.confidence)
    for worth in comparison.worth:
        yield from _worth(worth)


def _terms(comparison: Comparison) -> Iterator[str]:
    margin = "no margin was stated, so nothing is called equivalent"
    if comparison.margin is not None:
        margin = f"differences below {comparison.margin:g} do not matter"
    claims = ", ".join(f"`{claim}`" for claim in comparison.claims)
    yield f"Confidence {comparison.confidence:g}; {margin}. Claimed: {claims}; all else is screening."
    yield ""


def _standings(comparison: Comparison) -> Iterator[str]:
    if len(comparison.standings) < 2:  # noqa: PLR2004  a standing needs somebody beside it
        return
    yield from ("## All sides", "", f"**{inline(comparison.winner_sentence)}.**", "", STANDINGS, "|---" * 7 + "|")
    for standing in comparison.standings:
        yield f"| {inline(standing.label)} | {' | '.join(standing_cells(standing))} |"
    yield ""
    yield f"Over the {comparison.standings[0].papers} papers that all sides have."
    yield ""
    rates = [f"- {inline(line)}" for standing in comparison.standings for line in pass_rates(standing)]
    groups = [f"- {inline(line)}" for side in sides_of(comparison) if (line := group_line(side))]
    yield from (*rates, *groups, *([""] if rates or groups else []))


def _contrast(contrast: Contrast, confidence: float) -> Iterator[str]:
    yield from (f"## {_title(contrast)}", "")
    yield f"**{contrast.conclusion}**: {inline(sentence_after_conclusion(contrast))}."
    yield ""
    reasons = [f"- {inline(reason)}" for reason in claim_reasons(contrast)]
    yield from (*reasons, *([""] if reasons else []))
    interval_head = f"{percent(confidence)} interval"
    yield f"| metric | baseline | candidate | difference | {interval_head} | p | adjusted p | papers | conclusion |"
    yield "|---" * 9 + "|"
    for metric in shown_metrics(contrast):
        name = f"**{named(metric)}**" if metric.claimed else named(metric)
        cells = (
            name,
            figure(metric.baseline_mean, metric),
            figure(metric.candidate_mean, metric),
            difference(metric),
            interval(metric),
            p_value(metric.p),
            p_value(metric.adjusted_p),
            str(metric.papers),
            metric.conclusion,
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    absent = unpaired_metrics(contrast)
    if absent:
        yield from (f"In no pair measured on both sides: {', '.join(absent)}.", "")
    for metric in shown_metrics(contrast):
        lines = [f"- {inline(line)}" for line in beside_the_headline(metric, confidence)] if metric.claimed else []
        if lines:
            yield from (f"### Beside the headline: {named(metric)}", "", *lines, "")
    out = [f"- {inline(line)}" for line in left_out(contrast)]
    if out:
        yield from ("### Left out", "", *out, "")


def _worth(worth: MetricWorth) -> Iterator[str]:
    unit = f" ({worth.unit})" if worth.unit else ""
    yield from (f"## What the agents are worth: {worth.metric}{unit}", "")
    yield from ("| agents | effect | value | interval | conclusion |", "|---" * 5 + "|")
    yield from (f"| {' | '.join(inline(cell) for cell in cells)} |" for cells in worth_lines(worth))
    yield from ("", f"Over {worth.papers} papers that every composition has.", "")


def _title(contrast: Contrast) -> str:
    how = "" if contrast.paired else " (unpaired)"
    return f"{inline(contrast.candidate.label)} against {inline(contrast.baseline.label)}{how}"
