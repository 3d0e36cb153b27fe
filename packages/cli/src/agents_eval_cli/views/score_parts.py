"""The parts of a score as a table: the points of a review and what each is worth, human points found and missed."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from agents_eval_cli.views.page import columns, heading
from agents_eval_core.report.wording import number
from agents_eval_core.score import Part, Score


def part_tables(scores: Sequence[Score]) -> Iterator[RenderableType]:
    """Yield a table for each score that has parts."""
    for score in scores:
        if score.parts:
            names = tuple(measure.name for measure in score.parts[0].measures)
            table = columns("", *names, f"part of {score.name}", right=frozenset(names))
            for place, part in enumerate(score.parts, start=1):
                table.add_row(*_cells(part, place))
            yield heading(f"Parts of {score.name}")
            yield table


def _cells(part: Part, place: int) -> Iterator[Text]:
    yield Text(part.mark or str(place))
    yield from (Text(number(measure.value)) for measure in part.measures)
    yield Text(part.text)
