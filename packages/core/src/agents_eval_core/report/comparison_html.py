"""A comparison as one HTML page that needs nothing else, with each interval and the Pareto front drawn."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from agents_eval_core.comparison import Comparison, MetricComparison, Standing
from agents_eval_core.counted import count, percent
from agents_eval_core.report import comparison_wording as wording
from agents_eval_core.report.conclusion_matrix import FEW, SIGNS, conclusion_matrix
from agents_eval_core.report.contrast_lines import contrast_lines, measured_nowhere, repetition_lines
from agents_eval_core.report.html import templates
from agents_eval_core.report.pareto_svg import ParetoPoint, pareto_svg
from agents_eval_core.report.worth_wording import adds_nothing_anywhere, worth_lines, worth_name

WIDTH: Final = 110


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as a page without script or outside request; all text of others is escaped."""
    plots = [plot for plot in (_plot(comparison, "seconds"), _plot(comparison, "USD")) if plot]
    return _rendered("comparison.html.j2", comparison, plots)


def comparison_sections(comparison: Comparison) -> str:
    """Return a comparison as sections of a page that has a heading and plots of its own."""
    return _rendered("comparison_sections.html.j2", comparison, [])


def _rendered(template: str, comparison: Comparison, plots: Sequence[Markup]) -> str:
    lines = [contrast_lines(contrast, comparison.confidence) for contrast in comparison.contrasts]
    tally = Counter(contrast.conclusion for contrast in comparison.contrasts)
    return (
        templates()
        .get_template(template)
        .render(
            comparison=comparison,
            contrasts=list(zip(comparison.contrasts, lines, strict=True)),
            few=FEW,
            tally=", ".join(f"{number} {conclusion}" for conclusion, number in tally.items()),
            nowhere=measured_nowhere(lines),
            matrix=conclusion_matrix(comparison),
            signs=SIGNS,
            wording=wording,
            drawn=_drawn,
            worth_lines=worth_lines,
            worth_name=worth_name,
            adds_nothing_anywhere=adds_nothing_anywhere,
            plots=plots,
            papers=count(comparison.standings[0].papers if comparison.standings else 0, "paper"),
            repetitions=repetition_lines(comparison),
            confidence=percent(comparison.confidence),
        )
    )


def _plot(comparison: Comparison, taken: str) -> Markup:
    points = [
        ParetoPoint(label=each.label, quality=each.quality, taken=figure, is_on_front=bool(each.on_front))
        for each in comparison.standings
        if each.quality is not None and (figure := _taken(each, taken)) is not None
    ]
    return pareto_svg(points, quality="quality (composite without time)", taken=taken)


def _taken(standing: Standing, taken: str) -> float | None:
    return standing.elapsed_seconds if taken == "seconds" else standing.cost_usd


def _drawn(metric: MetricComparison) -> Markup:
    """Return the interval as a line over an axis that is as long on both sides of 0."""
    found = metric.interval
    if found is None or metric.difference is None:
        return Markup("")
    reach = max(abs(found.low), abs(found.high)) or 1.0
    low, middle, high = (WIDTH / 2 * (1 + 0.95 * end / reach) for end in (found.low, metric.difference, found.high))
    return Markup(
        '<svg width="{width}" height="14" role="img" aria-label="{words}">'
        '<line x1="{half}" x2="{half}" y1="0" y2="14" stroke="var(--line)"/>'
        '<line x1="{low:.1f}" x2="{high:.1f}" y1="7" y2="7" stroke="var(--mark)" stroke-width="2"/>'
        '<circle cx="{middle:.1f}" cy="7" r="3.5" fill="var(--mark)"/></svg>'
    ).format(width=WIDTH, half=WIDTH / 2, words=wording.interval(metric), low=low, high=high, middle=middle)
