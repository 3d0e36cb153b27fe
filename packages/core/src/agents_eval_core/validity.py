"""How much a metric is worth, as it was measured and published."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from agents_eval_core import registry
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports.validation import Half, ValidityFigure
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.score import Range

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


@cache
def worth_sentence(metric: str) -> str:
    """Return what may be said of a score or measure, in a sentence: for a tooltip, or the line below a score.

    The figure in it is the one that rests on most; how many of all tested figures lie above chance is said too, so that
    the best of many is not taken for the whole.

    >>> worth_sentence("no such metric")
    'Not held against labels.'
    """
    figures = figures_of(metric)
    verdict = worth(figures)
    said = f"{verdict[0].upper()}{verdict[1:]}"
    tested = [suite for suite in figures if suite.beats_chance is not None and suite.half != "development half"]
    if not tested:
        return f"{said}."
    largest = figure_words(max(tested, key=lambda suite: suite.n))
    if len(tested) == 1:
        return f"{said}: {largest}."
    above = sum(bool(suite.beats_chance) for suite in tested)
    return f"{said}: above chance in {above} of {len(tested)} figures; the largest: {largest}."


def figure_words(suite: Suite) -> str:
    """Return a figure with its interval, chance, n and data.

    >>> figure_words(Suite(name="v", metric="m", measure="AUC", value=0.71, n=40, unit="runs", data="tau-bench"))
    'AUC 0.71 (40 runs, tau-bench)'
    """
    value = "" if suite.value is None else f" {suite.value:.3g}"
    interval = "" if suite.interval is None else f" [{suite.interval.low:.3g}, {suite.interval.high:.3g}]"
    chance = "" if suite.chance is None else f", chance {suite.chance:.3g}"
    half = f", {suite.half}" if suite.half else ""
    return f"{suite.measure}{value}{interval}{chance} ({suite.n} {suite.unit}, {suite.data}{half})"
