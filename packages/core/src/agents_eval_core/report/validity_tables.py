"""The marked blocks of a page of documentation that hold measured figures."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from agents_eval_core.validity import Suite, worth

BLOCK: Final = re.compile(r"(?ms)^<!-- figures: (?P<what>[^\n]+?) -->\n.*?^<!-- end of figures -->$")
TESTED: Final = (("data", "tested on"), ("fitted", "fitted on"), ("tuned", "tuned on"))


def blocks(page: str) -> tuple[str, ...]:
    """Return what the marked blocks of a page are to hold, in order."""
    return tuple(match["what"] for match in BLOCK.finditer(page))


def renewed(page: str, suites: Sequence[Suite], made: Mapping[str, str]) -> str:
    """Return a page with its marked blocks written anew; one without figures is left as it is.

    A block begins with `<!-- figures: VALIDATION -->`, `<!-- figures: VALIDATION METRIC -->` (of one metric only),
    `<!-- figures: VALIDATION as matrix -->` (a row a metric, a column a measure) or `<!-- figures: worth -->` (what
    may be said of each metric), and ends with `<!-- end of figures -->`.

    Args:
        page: The page in Markdown.
        suites: All figures there are.
        made: The day on which each validation was run.
    """

    def write(match: re.Match[str]) -> str:
        lines = list(_block(match["what"], suites, made))
        if not lines:
            return match[0]
        return "\n".join((f"<!-- figures: {match['what']} -->", *lines, "<!-- end of figures -->"))

    return BLOCK.sub(write, page)


def _block(what: str, suites: Sequence[Suite], made: Mapping[str, str]) -> Iterator[str]:
    if what == "worth":
        yield from _worth_table(suites)
        return
    wanted, _, form = what.partition(" as ")
    name, _, metric = wanted.partition(" ")
    chosen = [
        suite for suite in suites if suite.name == name and metric in ("", suite.metric) and suite.value is not None
    ]
    if chosen:
        yield from FORMS[form](chosen)
        yield ""
        yield f"`agents-eval validate {name}`, {made.get(name, 'day unknown')}.{_shared(chosen)}"


def _table(suites: Sequence[Suite]) -> Iterator[str]:
    varying = [column for column in TESTED if len({_told(suite, column[0]) for suite in suites}) > 1]
    chance = any(suite.chance is not None for suite in suites)
    heads = ["metric", "measure", "value", "95 % interval", *(["chance"] if chance else []), "n"]
    yield from _rows(
        [*heads, *(title for _, title in varying)],
        (
            [
                f"`{suite.metric}`",
                suite.measure,
                _number(suite.value),
                _interval(suite),
                *([_number(suite.chance)] if chance else []),
                f"{suite.n} {suite.unit}",
                *(_told(suite, field) for field, _ in varying),
            ]
            for suite in suites
        ),
    )


def _matrix(suites: Sequence[Suite]) -> Iterator[str]:
    measures = list(dict.fromkeys(suite.measure for suite in suites))
    metrics = dict.fromkeys(suite.metric for suite in suites)
    cells = {(suite.metric, suite.measure): suite for suite in suites}
    yield from _rows(
        ["metric", *measures],
        ([f"`{metric}`", *(_cell(cells.get((metric, measure))) for measure in measures)] for metric in metrics),
    )


def _worth_table(suites: Sequence[Suite]) -> Iterator[str]:
    metrics = dict.fromkeys(suite.metric for suite in suites if suite.chance is not None)
    for place, metric in enumerate(metrics):
        about = [suite for suite in suites if suite.metric == metric and suite.beats_chance is not None]
        best = max(about, key=lambda suite: (suite.beats_chance or False, suite.half != "development half"))
        row = [f"`{metric}`", worth(about), f"{best.measure}, {_told(best, 'data')}", _number(best.value)]
        heads = ["metric", "it is", "shown by", "value", "95 % interval", "chance"]
        lines = list(_rows(heads, [[*row, _interval(best), _number(best.chance)]]))
        yield from lines if place == 0 else lines[2:]


FORMS: Final[Mapping[str, Callable[[Sequence[Suite]], Iterator[str]]]] = {"": _table, "matrix": _matrix}


def _rows(heads: Sequence[str], rows: "Iterator[list[str]] | Sequence[list[str]]") -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def _cell(suite: Suite | None) -> str:
    return "" if suite is None else f"{_number(suite.value)} ({suite.n})"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _interval(suite: Suite) -> str:
    return "" if suite.interval is None else f"{suite.interval.low:.3f} to {suite.interval.high:.3f}"


def _told(suite: Suite, field: str) -> str:
    said = str(getattr(suite, field))
    return f"{said}, {suite.half}" if field == "data" and suite.half else said


def _shared(suites: Sequence[Suite]) -> str:
    shared = [
        f"{title} {told.pop()}"
        for field, title in TESTED
        if len(told := {_told(suite, field) for suite in suites}) == 1
    ]
    return f" {'; '.join(shared).capitalize()}." if shared else ""
