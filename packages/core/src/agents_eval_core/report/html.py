"""The report of one run as a page that stands alone: no script, no outside request, light and dark, for print too."""

from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from agents_eval_core.report.agent_graph_svg import graph_svg
from agents_eval_core.report.bars import composite_bar, scale_bar
from agents_eval_core.report.run_report import USAGE, RunReport, run_report
from agents_eval_core.report.wording import SEVERITY_MARKS, number, score_value
from agents_eval_core.run import Run
from agents_eval_core.score import Scorecard
from agents_eval_core.validity import worth_sentence


@cache
def templates() -> Environment:
    """Return the page templates; whatever they show of others is escaped."""
    return Environment(
        loader=PackageLoader("agents_eval_core.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlView:
    """Renders a run and its scorecard as one HTML file."""

    name: str = "html"
    file_name: str = "report.html"

    def render(self, run: Run, scorecard: Scorecard) -> str:
        """Return the page."""
        report = run_report(run, scorecard)
        return (
            templates()
            .get_template("run.html.j2")
            .render(
                report=report,
                drawing=Markup("" if report.graph is None else graph_svg(report.graph)),  # noqa: S704  escaped by its maker
                composite_bar=composite_bar,
                scale_bar=scale_bar,
                score_value=score_value,
                number=number,
                marks=SEVERITY_MARKS,
                usage=USAGE,
                worth=_worth(report),
            )
        )


def _worth(report: RunReport) -> dict[str, str]:
    """Return how far each measured score can be trusted, by its name."""
    measured = (score.name for score in report.scorecard.scores if score.value is not None)
    return {name: worth_sentence(name) for name in measured}
