"""A comparison in Markdown."""

from collections import Counter
from collections.abc import Iterator, Sequence

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, MetricWorth
from agents_eval_core.counted import count, percent
from agents_eval_core.report.comparison_wording import (
    STANDING_TERMS,
    difference,
    interval,
    metric_cells,
    named,
    p_value,
    standing_cells,
)
from agents_eval_core.report.contrast_lines import ContrastLines, contrast_lines, measured_nowhere, repetition_lines
from agents_eval_core.report.inline_text import inline
from agents_eval_core.report.worth_wording import adds_nothing_anywhere, worth_lines, worth_name

STANDINGS = "| side | composite | quality | first places | seconds | USD | on the Pareto front |"
CLAIMS = "| candidate | baseline | claimed | difference | interval | adjusted p | papers | conclusion |"
METRICS = "| metric | baseline | candidate | difference | {} interval | p | adjusted p | papers | conclusion |"


def comparison_markdown(comparison: Comparison) -> str:
    """Return a comparison as a page: the conclusions first, then the figures they rest on."""
    return "\n".join(_lines(comparison)).rstrip() + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    lines = [contrast_lines(contrast, comparison.confidence) for contrast in comparison.contrasts]
    nowhere = measured_nowhere(lines)
    yield from ("# Comparison", "")
    yield from _claims(comparison.contrasts)
    yield from _terms(comparison)
    if nowhere:
        yield from (f"In no pair of runs measured on both sides: {', '.join(nowhere)}.", "")
    yield from _standings(comparison)
    for contrast, of_it in zip(comparison.contrasts, lines, strict=True):
        yield from _contrast(contrast, of_it, comparison.confidence, nowhere)
    for worth in comparison.worth:
        yield from _worth(worth)


def _claims(contrasts: Sequence[Contrast]) -> Iterator[str]:
    if len(contrasts) == 1:
        yield from (f"{_title(contrasts[0])}: **{contrasts[0].conclusion}**", "")
        return
    found = Counter(contrast.conclusion for contrast in contrasts)
    tally = ", ".join(f"{number} {conclusion}" for conclusion, number in found.items())
    yield from (f"Of {len(contrasts)} pairs: {tally}.", "", CLAIMS, "|---" * 8 + "|")
    for contrast in contrasts:
        sides = inline(contrast.candidate.label), inline(contrast.baseline.label)
        for claim in (metric for metric in contrast.metrics if metric.claimed):
            figures = difference(claim), interval(claim), p_value(claim.adjusted_p), str(claim.papers)
            yield f"| {' | '.join((*sides, named(claim), *figures, f'**{claim.conclusion}**'))} |"
    yield ""


def _terms(comparison: Comparison) -> Iterator[str]:
    margin = "no margin was stated, so nothing is called equivalent"
    if comparison.margin is not None:
        margin = f"differences below {comparison.margin:g} do not matter"
    claims = ", ".join(f"`{claim}`" for claim in comparison.claims)
    yield f"Confidence {100 * comparison.confidence:g} %; {margin}. Claimed: {claims}; all else is screening."
    yield ""


def _standings(comparison: Comparison) -> Iterator[str]:
    if len(comparison.standings) < 2:  # noqa: PLR2004  a standing needs somebody beside it
        return
    yield from ("## All sides", "", f"**{inline(comparison.winner_sentence)}.**", "", STANDINGS, "|---" * 7 + "|")
    for standing in comparison.standings:
        yield f"| {inline(standing.label)} | {' | '.join(standing_cells(standing))} |"
    yield from (
        "",
        f"Over the {count(comparison.standings[0].papers, 'paper')} that all sides have. {STANDING_TERMS}",
        "",
    )
    lines = [f"- {inline(line)}" for line in repetition_lines(comparison)]
    yield from (*lines, *([""] if lines else []))


def _contrast(contrast: Contrast, lines: ContrastLines, confidence: float, nowhere: Sequence[str]) -> Iterator[str]:
    yield from (f"## {_title(contrast)}", "")
    yield from (f"**{contrast.conclusion}**: {inline(lines.sentence)}.", "")
    yield from _listed(lines.reasons)
    yield from (METRICS.format(percent(confidence)), "|---" * 9 + "|", *map(_row, lines.rows), "")
    if lines.level:
        yield from (f"The same on both sides on every paper: {', '.join(lines.level)}.", "")
    absent = [name for name in lines.unpaired if name not in nowhere]
    if absent:
        yield from (f"In no pair measured on both sides: {', '.join(absent)}.", "")
    for name, beside in lines.beside:
        yield from (f"### Beside the headline: {name}", "", *_listed(beside))
    if lines.left_out:
        yield from ("### Left out", "", *_listed(lines.left_out))


def _row(metric: MetricComparison) -> str:
    name = f"**{named(metric)}**" if metric.claimed else named(metric)
    return f"| {' | '.join((name, *metric_cells(metric), str(metric.papers), metric.conclusion))} |"


def _listed(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from (*(f"- {inline(line)}" for line in lines), "")


def _worth(worth: MetricWorth) -> Iterator[str]:
    yield from (f"## What the agents are worth: {worth_name(worth)}", "")
    if adds_nothing_anywhere(worth):
        yield from (f"On {count(worth.papers, 'paper')} no composition differs from another: every effect is 0.", "")
        return
    yield from ("| agents | effect | value | interval | conclusion |", "|---" * 5 + "|")
    yield from (f"| {' | '.join(inline(cell) for cell in cells)} |" for cells in worth_lines(worth))
    yield from ("", f"Over {count(worth.papers, 'paper')} that every composition has.", "")


def _title(contrast: Contrast) -> str:
    how = "" if contrast.paired else " (unpaired)"
    return f"{inline(contrast.candidate.label)} against {inline(contrast.baseline.label)}{how}"
