"""The report of a sweep as a page that stands alone."""

from markupsafe import Markup

from agents_eval_core.report.comparison_html import comparison_sections
from agents_eval_core.report.html import templates
from agents_eval_core.report.pareto_svg import pareto_svg
from agents_eval_core.report.sweep_wording import (
    HEADS,
    MEANS,
    incomplete,
    pareto_points,
    reproduction,
    sentences,
    system_cells,
)
from agents_eval_core.sweep_outcome import SweepReport


def sweep_html(report: SweepReport) -> str:
    """Return the report of a sweep, with the Pareto plots and the comparison of all systems."""
    axes = ((True, "USD a run"), (False, "seconds a run"))
    plots = [pareto_svg(pareto_points(report, cost=cost), quality="quality", taken=taken) for cost, taken in axes]
    compared = comparison_sections(report.comparison) if report.comparison else ""
    return (
        templates()
        .get_template("sweep.html.j2")
        .render(
            report=report,
            sentences=list(sentences(report)),
            heads=HEADS,
            means=MEANS,
            systems=[system_cells(row) for row in report.systems],
            plots=[plot for plot in plots if plot],
            incomplete=list(incomplete(report)),
            comparison=Markup(compared),  # noqa: S704  escaped by its maker
            reproduction=reproduction(report),
        )
    )
