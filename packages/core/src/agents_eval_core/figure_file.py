"""The file in which measured figures are kept: figures of one kind together, one a line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from agents_eval_core.frozen import Frozen
from agents_eval_core.ports.validation import Half
from agents_eval_core.score import Range
from agents_eval_core.validity import Suite

SCHEMA: Final = "agents-eval/figures/1"


class Figures(Frozen):
    """Figures of one validation that share what they were fitted, tuned and tested on, and their unit.

    Attributes:
        rows: Metric, measure, value, n; and where there are any, interval low and high, and chance.
    """

    name: str
    data: str
    unit: str
    fitted: str = "nothing"
    tuned: str = "nothing"
    half: Half = ""
    rows: tuple[tuple[str, str, float, int, float | None, float | None, float | None], ...]

    def suites(self) -> Iterator[Suite]:
        """Yield the figures one by one."""
        shared = self.model_dump(exclude={"rows"})
        for metric, measure, value, n, low, high, chance in self.rows:
            interval = None if low is None or high is None else Range(low=low, high=high)
            yield Suite(metric=metric, measure=measure, value=value, n=n, interval=interval, chance=chance, **shared)

    def text(self) -> str:
        """Return it as JSON, a figure a line, so that a change shows as the line it is."""
        shared = json.dumps(self.model_dump(exclude={"rows"}, exclude_defaults=True), ensure_ascii=False)
        rows = ",\n     ".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in self.rows)
        return f'{shared[:-1]}, "rows": [\n     {rows}\n   ]}}'


class FigureFile(Frozen):
    """Figures as they are kept.

    Attributes:
        made: The day on which each validation was last run, as YYYY-MM-DD.
        suites: What the validations measured, with full precision.
        checks: What of it can be repeated in seconds: the suite of tests computes these again.
    """

    made: dict[str, str]
    suites: tuple[Suite, ...]
    checks: tuple[Suite, ...] = ()

    def replaced(self, day: str, suites: Sequence[Suite], checks: Sequence[Suite]) -> "FigureFile":
        """Return it with the figures of those validations that were run in place of their earlier ones."""
        ran = {suite.name for suite in suites}
        return FigureFile(
            made=dict(sorted((self.made | dict.fromkeys(ran, day)).items())),
            suites=_in_order([*(one for one in self.suites if one.name not in ran), *suites]),
            checks=_in_order([*(one for one in self.checks if one.name not in ran), *checks]),
        )

    def text(self) -> str:
        """Return it as JSON."""
        made = json.dumps(self.made)
        return (
            f'{{\n "schema": "{SCHEMA}",\n "made": {made},\n'
            f' "suites": {_texts(self.suites)},\n "checks": {_texts(self.checks)}\n}}\n'
        )


class _Kept(Frozen):
    schema_: str
    made: dict[str, str]
    suites: tuple[Figures, ...]
    checks: tuple[Figures, ...]


def read_figures(file: Path) -> FigureFile:
    """Return the figures that a file holds; none if there is no file.

    Raises:
        ValueError: It is no file of figures.
    """
    if not file.exists():
        return FigureFile(made={}, suites=())
    content = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or content.pop("schema", None) != SCHEMA:  # pyright: ignore[reportUnknownMemberType]  JSON
        raise ValueError(f"{file} holds no figures of {SCHEMA}")
    kept = _Kept.model_validate({**content, "schema_": SCHEMA})
    return FigureFile(
        made=kept.made,
        suites=tuple(suite for figures in kept.suites for suite in figures.suites()),
        checks=tuple(suite for figures in kept.checks for suite in figures.suites()),
    )


def _in_order(suites: Iterable[Suite]) -> tuple[Suite, ...]:
    return tuple(sorted(suites, key=_shared))  # figures of one kind together; among them the order they came in


def _shared(suite: Suite) -> tuple[str, str, str, str, str, Half]:
    return suite.name, suite.data, suite.unit, suite.fitted, suite.tuned, suite.half


def _texts(suites: Sequence[Suite]) -> str:
    groups = (
        Figures(
            name=name,
            data=data,
            unit=unit,
            fitted=fitted,
            tuned=tuned,
            half=half,
            rows=tuple(_row(one) for one in group),
        )
        for (name, data, unit, fitted, tuned, half), group in groupby(suites, key=_shared)
    )
    text = ",\n  ".join(figures.text() for figures in groups)
    return f"[\n  {text}\n ]" if text else "[]"


def _row(suite: Suite) -> tuple[str, str, float, int, float | None, float | None, float | None]:
    low, high = (None, None) if suite.interval is None else (suite.interval.low, suite.interval.high)
    if suite.value is None:
        raise ValueError(f"{suite.name} was not measured: what has no value is not kept")
    return suite.metric, suite.measure, suite.value, suite.n, low, high, suite.chance
