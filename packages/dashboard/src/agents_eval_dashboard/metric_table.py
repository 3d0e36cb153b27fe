"""The metrics of the composite with what they mean and where human reviewers lie, as a table of escaped HTML."""

from collections.abc import Iterable, Iterator
from typing import Final

from markupsafe import Markup

from agents_eval_core.report.bars import composite_bar, scale_bar
from agents_eval_core.report.run_report import MetricRow
from agents_eval_core.report.wording import score_value
from agents_eval_core.score import Scorecard
from agents_eval_dashboard.picture import picture

HEADS: Final = ("metric", "score", "on the human scale", "weight", "why")
STYLE: Final = Markup(
    "<style>.six{overflow-x:auto}.six table{border-collapse:collapse;width:100%}.six th,.six td{text-align:left;"
    "vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #767c86}.six th small{font-weight:400}"
    ".six img{max-width:none}</style>"
)


def metric_table(six: Iterable[MetricRow], *, dark: bool) -> str:
    """Return the table; a score that was not made says why."""
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(name) for name in HEADS)
    body = Markup("").join(_row(row, dark=dark) for row in six)
    return str(
        STYLE
        + Markup('<div class="six" role="region" aria-label="The metrics of the composite" tabindex="0"><table>')
        + Markup("<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>").format(head, body)
    )


def composite_drawing(scorecard: Scorecard, *, dark: bool) -> str:
    """Return the composite between its bounds, from 0 to 1; empty where there is none."""
    bar = composite_bar(scorecard)
    return str(picture(bar, dark=dark)) if bar else ""


def _row(row: MetricRow, *, dark: bool) -> Markup:
    return Markup('<tr><th scope="row">{}<br><small>{}</small></th>{}</tr>').format(
        row.name, row.meaning, Markup("").join(Markup("<td>{}</td>").format(cell) for cell in _cells(row, dark=dark))
    )


def _cells(row: MetricRow, *, dark: bool) -> Iterator[Markup | str]:
    yield score_value(row.score)
    bar = scale_bar(row)
    yield picture(bar, dark=dark) if bar else "none"
    yield "left out" if row.weight is None else f"{row.weight:.2f}"
    yield row.score.explanation if row.score else "nothing measures it"
