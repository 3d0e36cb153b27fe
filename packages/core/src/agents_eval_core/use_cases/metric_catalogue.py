"""The catalogue of metrics: what each is, who gives it, and how far it can be trusted."""

from collections.abc import Iterator
from inspect import getdoc
from itertools import chain

from agents_eval_core import registry
from agents_eval_core.composite import SIX
from agents_eval_core.frozen import Frozen
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.score import Tier
from agents_eval_core.validity import Suite, Worth, figures_of, worth


class CatalogueEntry(Frozen):
    """One metric.

    Attributes:
        definition: What it measures, in a sentence; empty where its maker says nothing.
        is_of_several_runs: Whether it is about runs together rather than about each.
        figures: What was published about its validity.
    """

    name: str
    tier: Tier
    evaluator: str
    version: str
    definition: str
    in_composite: bool
    is_of_several_runs: bool
    worth: Worth
    figures: tuple[Suite, ...]

    @property
    def figure(self) -> str:
        """The figure that matters most, in words; empty where there is none.

        A figure beside chance counts before one without, one of a test half before one of a development half.
        """
        known = [suite for suite in self.figures if suite.value is not None]
        ranked = sorted(known, key=lambda suite: (suite.chance is None, suite.half == "development half"))
        return figure_words(ranked[0]) if ranked else ""


def metric_catalogue() -> tuple[CatalogueEntry, ...]:
    """Return all metrics of all installed evaluators, those of the composite first, then by tier and name."""
    entries = chain(_entries(is_of_several_runs=False), _entries(is_of_several_runs=True))
    return tuple(sorted(entries, key=lambda entry: (not entry.in_composite, entry.tier, entry.name)))


def worth_sentence(metric: str) -> str:
    """Return what may be said of a score or measure, for a tooltip, with the figure that nothing was chosen on.

    >>> worth_sentence("no such metric")
    'Not held against labels.'
    """
    figures = figures_of(metric)
    verdict = worth(figures)
    said = f"{verdict[0].upper()}{verdict[1:]}"
    tested = [suite for suite in figures if suite.beats_chance is not None and suite.half != "development half"]
    if not tested:
        return f"{said}."
    return f"{said}: {figure_words(max(tested, key=lambda suite: suite.interval.low if suite.interval else 0.0))}."


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


def _entries(*, is_of_several_runs: bool) -> Iterator[CatalogueEntry]:
    groups = (
        (registry.group_evaluators(), registry.set_evaluators()) if is_of_several_runs else (registry.evaluators(),)
    )
    for evaluator in chain(*groups):
        if isinstance(evaluator, BrokenPlugin):
            continue
        for name in evaluator.metrics:
            figures = figures_of(name)
            yield CatalogueEntry(
                name=name,
                tier=evaluator.tier,
                evaluator=evaluator.name,
                version=evaluator.version,
                definition=(getdoc(type(evaluator)) or "").split("\n\n")[0].replace("\n", " "),
                in_composite=name in SIX,
                is_of_several_runs=is_of_several_runs,
                worth=worth(figures),
                figures=figures,
            )
