"""A comparison as one HTML page that needs nothing else, with each interval drawn."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, MetricWorth
from agents_eval_core.report.comparison_wording import (
    beside_the_headline,
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

WIDTH: Final = 160
STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2024;background:#fff}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{padding:.25rem .6rem;border-bottom:1px solid #d8dde2;text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.better{color:#0a6b2d}.worse{color:#a8201a}.equivalent{color:#0b5a8a}.claimed{font-weight:600}
svg{vertical-align:middle}
@media(prefers-color-scheme:dark){body{background:#14171a;color:#e3e6e8}.better{color:#5fd38a}.worse{color:#ff8f87}
.equivalent{color:#7cc4f2}th,td{border-color:#394048}}
"""
HEADS: Final = (
    "metric",
    "baseline",
    "candidate",
    "difference",
    "interval",
    "",
    "p",
    "adjusted p",
    "papers",
    "conclusion",
)
NUMBERS: Final = frozenset({"baseline", "candidate", "difference", "interval", "p", "adjusted p", "papers"})


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as a page; all text of others is escaped."""
    body = "\n".join(_body(comparison))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Comparison</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def comparison_sections(comparison: Comparison) -> str:
    """Return a comparison as sections of a page that has a heading of its own."""
    return "\n".join(_body(comparison)).replace("<h1>", "<h2>").replace("</h1>", "</h2>")


def _body(comparison: Comparison) -> Iterator[str]:
    yield "<h1>Comparison</h1>"
    margin = "none stated" if comparison.margin is None else f"{comparison.margin:g}"
    claims = ", ".join(comparison.claims)
    yield f"<p>Confidence {comparison.confidence:g}; margin {margin}; claimed: {escape(claims)}.</p>"
    if comparison.standings:
        yield f"<h2>All sides</h2><p><strong>{escape(comparison.winner_sentence)}.</strong></p>"
        heads = ("side", "composite", "quality", "first places", "seconds", "USD", "on the Pareto front")
        yield _table(
            heads, [(each.label, *standing_cells(each)) for each in comparison.standings], frozenset(heads[1:6])
        )
        yield f"<p>Over the {comparison.standings[0].papers} papers that all sides have.</p>"
        lines = [line for standing in comparison.standings for line in pass_rates(standing)]
        yield _list([*lines, *(line for side in sides_of(comparison) if (line := group_line(side)))])
    for contrast in comparison.contrasts:
        yield from _contrast(contrast, comparison.confidence)
    for worth in comparison.worth:
        yield _worth(worth)


def _contrast(contrast: Contrast, confidence: float) -> Iterator[str]:
    how = "" if contrast.paired else " (unpaired)"
    yield f"<h2>{escape(contrast.candidate.label)} against {escape(contrast.baseline.label)}{how}</h2>"
    kind = contrast.conclusion.split()[0]
    yield (
        f'<p><strong class="{kind}">{contrast.conclusion}</strong>: {escape(sentence_after_conclusion(contrast))}.</p>'
    )
    yield "<table><tr>" + "".join(f"<th{_number_class(head)}>{head}</th>" for head in HEADS) + "</tr>"
    yield from (_row(metric) for metric in shown_metrics(contrast))
    yield "</table>"
    absent = unpaired_metrics(contrast)
    if absent:
        yield f"<p>In no pair measured on both sides: {escape(', '.join(absent))}.</p>"
    for metric in shown_metrics(contrast):
        if metric.claimed:
            yield f"<h3>Beside the headline: {escape(named(metric))}</h3>"
            yield _list(list(beside_the_headline(metric, confidence)))
    out = list(left_out(contrast))
    if out:
        yield f"<h3>Left out</h3>{_list(out)}"


def _row(metric: MetricComparison) -> str:
    cells = (
        figure(metric.baseline_mean, metric),
        figure(metric.candidate_mean, metric),
        difference(metric),
        interval(metric),
    )
    numbers = "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)
    rest = (p_value(metric.p), p_value(metric.adjusted_p), str(metric.papers))
    others = "".join(f'<td class="n">{escape(cell)}</td>' for cell in rest)
    kind = metric.conclusion.split()[0]
    claimed = ' class="claimed"' if metric.claimed else ""
    return (
        f"<tr{claimed}><td>{escape(named(metric))}</td>{numbers}<td>{_drawn(metric)}</td>{others}"
        f'<td class="{kind}">{metric.conclusion}</td></tr>'
    )


def _drawn(metric: MetricComparison) -> str:
    """Return the interval as a line over an axis that is as long on both sides of 0."""
    found = metric.interval
    if found is None or metric.difference is None:
        return ""
    reach = max(abs(found.low), abs(found.high)) or 1.0
    low, middle, high = (WIDTH / 2 * (1 + 0.95 * end / reach) for end in (found.low, metric.difference, found.high))
    return (
        f'<svg width="{WIDTH}" height="14" role="img" aria-label="interval">'
        f'<line x1="{WIDTH / 2}" x2="{WIDTH / 2}" y1="0" y2="14" stroke="currentColor" stroke-opacity=".35"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="7" y2="7" stroke="currentColor" stroke-width="2"/>'
        f'<circle cx="{middle:.1f}" cy="7" r="3.5" fill="currentColor"/></svg>'
    )


def _worth(worth: MetricWorth) -> str:
    unit = f" ({worth.unit})" if worth.unit else ""
    heads = ("agents", "effect", "value", "interval", "conclusion")
    return (
        f"<h2>What the agents are worth: {escape(worth.metric + unit)}</h2>"
        + _table(heads, list(worth_lines(worth)), frozenset({"value", "interval"}))
        + f"<p>Over {worth.papers} papers that every composition has.</p>"
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: frozenset[str]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        marked = (
            f"<{tag}{' class=' + chr(34) + 'n' + chr(34) if head in numbers else ''}>{escape(cell)}</{tag}>"
            for head, cell in zip(heads, cells, strict=True)
        )
        return f"<tr>{''.join(marked)}</tr>"

    return f"<table>{line(heads, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def _list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>" if lines else ""


def _number_class(head: str) -> str:
    return ' class="n"' if head in NUMBERS else ""
