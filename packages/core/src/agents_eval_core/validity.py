"""How much a metric is worth, as it was measured, kept and published."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, cast

from pydantic import TypeAdapter

from agents_eval_core import registry
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports import Half, ValidityFigure
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.score import Range

SCHEMA: Final = "agents-eval/figures/1"
Worth = Literal["predictive", "diagnostic, not predictive", "not held against labels"]


class Suite(Frozen):
    """One figure of a validation: how well a metric does what it is for.

    Attributes:
        name: The validation.
        measure: What was measured about the metric (`AUC`, `share of planted defects found`).
        value: None where the validation could not run.
        interval: None where there is none.
        n: How many `unit`s the figure rests on.
        data: On what it was tested.
        fitted: On what its tables or weights were fitted.
        tuned: On what its rules and thresholds were chosen.
        half: Which half of the data it was tested on, where rules were developed on the other.
        chance: The value that a metric without any worth would have; None where that is no question.
        reason: Why there is no value.
    """

    name: str
    metric: str
    measure: str
    value: float | None
    interval: Range | None = None
    n: int
    unit: str
    data: str
    fitted: str = "nothing"
    tuned: str = "nothing"
    half: Half = ""
    chance: float | None = None
    reason: str | None = None

    @property
    def beats_chance(self) -> bool | None:
        """Whether the whole interval lies above chance; None where that is no question or there is no interval."""
        if self.chance is None or self.interval is None:
            return None
        return self.interval.low > self.chance


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
        """Return it as JSON, a figure a line, so that a change shows as the line it is."""
        made = json.dumps(self.made)
        return (
            f'{{\n  "schema": "{SCHEMA}",\n  "made": {made},\n'
            f'  "suites": {_lines(self.suites)},\n  "checks": {_lines(self.checks)}\n}}\n'
        )


def read_figures(file: Path) -> FigureFile:
    """Return the figures that a file holds; none if there is no file.

    Raises:
        ValueError: It is no file of figures.
    """
    if not file.exists():
        return FigureFile(made={}, suites=())
    content = cast("dict[str, object]", json.loads(file.read_text(encoding="utf-8")))
    if content.pop("schema", None) != SCHEMA:
        raise ValueError(f"{file} holds no figures of {SCHEMA}")
    return TypeAdapter(FigureFile).validate_python(content)


def suite_of(name: str, figure: ValidityFigure) -> Suite:
    """Return a validation's figure as it is kept and shown."""
    return Suite(
        name=name,
        metric=figure.metric,
        measure=figure.measure,
        value=figure.value,
        interval=Range(low=figure.interval[0], high=figure.interval[1]) if figure.interval else None,
        n=figure.n,
        unit=figure.unit,
        data=figure.data,
        fitted=figure.fitted,
        tuned=figure.tuned,
        half=figure.half,
        chance=figure.chance,
    )


@cache
def published_figures() -> tuple[Suite, ...]:
    """Return what the installed packages publish about the worth of their metrics."""
    found: list[Suite] = []
    for plugin in registry.load_all("figures"):
        if not isinstance(plugin, BrokenPlugin):
            found += plugin.suites()
    return tuple(found)


def figures_of(metric: str) -> tuple[Suite, ...]:
    """Return the published figures about a metric, in the order in which they were measured."""
    return tuple(suite for suite in published_figures() if suite.metric == metric)


def worth(suites: Iterable[Suite]) -> Worth:
    """Return what the figures about a metric allow to say of it.

    It is `predictive` where the whole interval lies above chance: on both halves of the data where it was halved, so
    that a lucky figure among many has to come twice and none counts on data that its rules were chosen on.

    >>> def auc(low: float, half: Half = "test half") -> Suite:
    ...     return Suite(name="v", metric="m", measure="AUC", value=0.7, interval=Range(low=low, high=0.8), n=9,
    ...         unit="runs", data="d", chance=0.5, half=half)
    >>> worth([auc(0.6), auc(0.6, "development half")]), worth([auc(0.6), auc(0.4, "development half")]), worth([])
    ('predictive', 'diagnostic, not predictive', 'not held against labels')
    """
    asked: dict[tuple[str, str, str], dict[Half, bool]] = {}
    for suite in suites:
        if suite.beats_chance is not None:
            asked.setdefault((suite.name, suite.measure, suite.data), {})[suite.half] = suite.beats_chance
    if any(halves.get("") or (halves.get("test half") and halves.get("development half")) for halves in asked.values()):
        return "predictive"
    return "diagnostic, not predictive" if asked else "not held against labels"


def _in_order(suites: Iterable[Suite]) -> tuple[Suite, ...]:
    return tuple(sorted(suites, key=lambda suite: suite.name))


def _lines(suites: Iterable[Suite]) -> str:
    lines = (
        json.dumps(suite.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, allow_nan=False)
        for suite in suites
    )
    text = ",\n    ".join(lines)
    return f"[\n    {text}\n  ]" if text else "[]"
