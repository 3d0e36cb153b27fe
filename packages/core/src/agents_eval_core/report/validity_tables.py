"""The marked blocks of a page of documentation that hold measured figures."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from agents_eval_core.validity import Suite, worth

BLOCK: Final = re.compile(r"(?ms)^<!-- figures: (?P<what>[^\n]+?) -->\n.*?^<!-- end of figures -->$")
TESTED: Final = (("data", "tested on"), ("fitted", "fitted on"), ("tuned", "tuned on"))
WORTH: Final = "worth"


def blocks(page: str) -> tuple[str, ...]:
    """Return what the marked blocks of a page are to hold, in order."""
    return tuple(match["what"] for match in BLOCK.finditer(page))


def validations_of(what: str) -> tuple[str, ...]:
    """Return the validations that a block shows figures of; none for the table of worth.

    >>> validations_of("known_answers,tone tier_1 as wide"), validations_of("worth")
    (('known_answers', 'tone'), ())
    """
    return () if what == WORTH else tuple(what.split(" ", maxsplit=1)[0].split(","))


def renewed(page: str, suites: Sequence[Suite], made: Mapping[str, str]) -> str:
    """Return a page with its marked blocks written anew; one without figures is left as it is.

    A block begins with `<!-- figures: VALIDATION -->`, where several validations are set off by commas, metrics may
    follow (`<!-- figures: known_answers tier_1 -->`), and ` as FORM` may end it: `matrix` has a row a metric and a
    column a measure, `wide` a row a metric and measure and a column a test set, `largest` the most of each measure.
    `<!-- figures: worth -->` holds what may be said of each metric. It ends with `<!-- end of figures -->`.

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
    if what == WORTH:
        yield from _worth_table(suites)
        return
    names = validations_of(what)
    wanted, _, form = what.partition(" as ")
    metrics = wanted.split(" ")[1:]
    chosen = [
        suite
        for name in names
        for suite in suites
        if suite.name == name and (not metrics or suite.metric in metrics) and suite.value is not None
    ]
    if chosen:
        yield from FORMS[form](chosen)
        yield ""
        days = ", ".join(dict.fromkeys(made[name] for name in names if name in made))
        yield f"`agents-eval validate {' '.join(names)}`, {days or 'day unknown'}.{_shared(chosen)}"


def _table(suites: Sequence[Suite]) -> Iterator[str]:
    varying = [column for column in TESTED if len({_told(suite, column[0]) for suite in suites}) > 1]
    chance = any(suite.chance is not None for suite in suites)
    heads = ["metric", "measure", "value", "95 % interval", *(["chance"] if chance else []), "n"]
    yield from _rows(
        [*heads, *(title for _, title in varying)],
        (
            [
                _named(suite.metric),
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
    several = len({_told(suite, "data") for suite in suites}) > 1
    columns = dict.fromkeys((suite.measure, _told(suite, "data")) for suite in suites)
    cells = {(suite.metric, suite.measure, _told(suite, "data")): suite for suite in suites}
    yield from _rows(
        ["metric", *(f"{measure}; {tested}" if several else measure for measure, tested in columns)],
        (
            [_named(metric), *(_cell(cells.get((metric, *column))) for column in columns)]
            for metric in dict.fromkeys(suite.metric for suite in suites)
        ),
    )


def _wide(suites: Sequence[Suite]) -> Iterator[str]:
    sets = list(dict.fromkeys(_told(suite, "data") for suite in suites))
    cells = {(suite.metric, suite.measure, _told(suite, "data")): suite for suite in suites}
    lines = sorted({(suite.metric, suite.measure) for suite in suites})
    yield from _rows(
        ["metric", "measure", *sets],
        (
            [_named(metric), measure, *(_range_cell(cells.get((metric, measure, each))) for each in sets)]
            for metric, measure in lines
        ),
    )


def _largest(suites: Sequence[Suite]) -> Iterator[str]:
    measures = dict.fromkeys(suite.measure for suite in suites)
    yield from _rows(
        ["measure", "figures", "largest value", "n", "of"],
        (
            [measure, str(len(found)), _number(most.value), f"{most.n} {most.unit}", _named(most.metric)]
            for measure in measures
            if (found := [suite for suite in suites if suite.measure == measure])
            for most in [max(found, key=lambda suite: suite.value or 0.0)]
        ),
    )


def _worth_table(suites: Sequence[Suite]) -> Iterator[str]:
    asked: dict[str, list[Suite]] = {}
    for suite in suites:
        if suite.beats_chance is not None:
            asked.setdefault(suite.metric, []).append(suite)
    if asked:
        heads = [
            "metric",
            "it is",
            "best figure on data that nothing was chosen on",
            "value",
            "95 % interval",
            "chance",
        ]
        yield from _rows(heads, (_worth_row(metric, about) for metric, about in sorted(asked.items())))


def _worth_row(metric: str, about: Sequence[Suite]) -> list[str]:
    tested = [suite for suite in about if suite.half != "development half"]
    best = max(tested, key=lambda suite: suite.interval.low if suite.interval else 0.0, default=None)
    shown = ["none", "", "", ""]
    if best is not None:
        shown = [f"{best.measure}; {_told(best, 'data')}", _number(best.value), _interval(best), _number(best.chance)]
    return [_named(metric), worth(about), *shown]


FORMS: Final[Mapping[str, Callable[[Sequence[Suite]], Iterator[str]]]] = {
    "": _table,
    "matrix": _matrix,
    "wide": _wide,
    "largest": _largest,
}


def _rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def _named(metric: str) -> str:
    return f"`{metric}`" if metric.isidentifier() or "." in metric else metric


def _cell(suite: Suite | None) -> str:
    return "" if suite is None else f"{_number(suite.value)} ({suite.n})"


def _range_cell(suite: Suite | None) -> str:
    if suite is None:
        return ""
    if suite.interval is None:
        return _cell(suite)
    return f"{suite.value:.2f} [{suite.interval.low:.2f}, {suite.interval.high:.2f}] ({suite.n})"


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
    text = "; ".join(shared)
    return f" {text[0].upper()}{text[1:]}." if text else ""
