"""The report of a sweep in Markdown."""

import re
from collections.abc import Iterator

from agents_eval_core.report.comparison_markdown import comparison_markdown
from agents_eval_core.report.inline_text import inline
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

FAILURES_SHOWN = 50


def sweep_markdown(report: SweepReport) -> str:
    """Return the report of a sweep: what was done, what failed, and the comparison of all systems."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: SweepReport) -> Iterator[str]:
    yield from (f"# Sweep {report.order.plan.name}", "", " ".join(sentences(report)), "")
    yield from ("## Systems", "", f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|")
    for row in report.systems:
        yield f"| {' | '.join(inline(cell) for cell in system_cells(row))} |"
    yield from ("", MEANS, "")
    yield from _listed("Measured in some runs only", list(incomplete(report)))
    failed = [
        f"{cell.composition}, {cell.paper}, repetition {cell.repetition}: "
        f"{cell.problem.error_type if cell.problem else ''}: {cell.problem.message if cell.problem else ''}"
        for cell in report.failures
    ]
    rest = [f"and {len(failed) - FAILURES_SHOWN} more, all in results.csv"] if len(failed) > FAILURES_SHOWN else []
    yield from _listed("Failed cells", [*failed[:FAILURES_SHOWN], *rest])
    yield from _front(report)
    if report.comparison is None:
        yield from ("## Comparison", "", f"There is none: {inline(report.no_comparison)}.", "")
    else:
        yield re.sub(r"^#", "##", comparison_markdown(report.comparison), flags=re.MULTILINE)
    yield from ("## To make it again", "")
    yield from (
        f"- {name}: `{value}`" if name == "command" else f"- {name}: {value}" for name, value in reproduction(report)
    )


def _front(report: SweepReport) -> Iterator[str]:
    for cost, taken in ((True, "cost"), (False, "time")):
        points = pareto_points(report, cost=cost)
        if points:
            front = ", ".join(inline(point.label) for point in points if point.is_on_front)
            yield from (f"On the Pareto front of quality against {taken}: {front}.", "")


def _listed(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from (f"## {heading}", "", *(f"- {inline(line)}" for line in lines), "")
