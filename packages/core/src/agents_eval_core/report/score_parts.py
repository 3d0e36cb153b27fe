"""The parts of a score as a table: each point of a review and what it is worth, each human point found or missed."""

from collections.abc import Callable, Iterator, Sequence

from agents_eval_core.report.wording import number
from agents_eval_core.score import Part, Score

Rows = Iterator[tuple[str, ...]]


def part_tables(scores: Sequence[Score], cell: Callable[[str], str]) -> Iterator[str]:
    r"""Yield a Markdown table for each score that has parts.

    Args:
        scores: Those of a scorecard.
        cell: Makes text of others harmless within a cell.

    >>> score = Score(name="point_coverage", value=0.5, evaluator="e", version="1", tier=1, parts=(
    ...     Part(text="No baseline.", mark="missed"),))
    >>> print("\n".join(part_tables([score], str)))
    ### Parts of point_coverage
    <BLANKLINE>
    | | part |
    | --- | --- |
    | missed | No baseline. |
    <BLANKLINE>
    """
    for score in scores:
        if score.parts:
            yield from (f"### Parts of {cell(score.name)}", "")
            names = tuple(measure.name for measure in score.parts[0].measures)
            yield _line(("", *map(cell, names), "part"))
            yield _line(("---",) * (len(names) + 2))
            yield from (_line(map(cell, _row(part, place))) for place, part in enumerate(score.parts, start=1))
            yield ""


def _row(part: Part, place: int) -> tuple[str, ...]:
    return (part.mark or str(place), *(number(measure.value) for measure in part.measures), part.text)


def _line(cells: Sequence[str] | Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |", 1)
