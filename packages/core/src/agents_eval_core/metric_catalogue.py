"""The metrics that are installed, and how much each is worth: what every door tells about a metric."""

from collections.abc import Iterator

from agents_eval_core import registry
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports import Metered
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.score import Tier
from agents_eval_core.validity import Suite, Worth, figures_of, worth


class MetricEntry(Frozen):
    """A score that an installed evaluator gives.

    Attributes:
        across_runs: Whether it is about several runs of a task together.
        worth: What its published figures allow to say of it.
        figures: Those figures.
    """

    name: str
    evaluator: str
    version: str
    tier: Tier
    across_runs: bool = False
    worth: Worth
    figures: tuple[Suite, ...] = ()

    @property
    def sentence(self) -> str:
        """What it is worth, in a sentence for a tooltip."""
        return worth_sentence(self.name)


def metric_catalogue() -> tuple[MetricEntry, ...]:
    """Return the scores of all installed evaluators, by tier and name."""
    return tuple(sorted(_entries(), key=lambda entry: (entry.tier, entry.name)))


def worth_sentence(metric: str) -> str:
    """Return what may be said of the worth of a score or measure, with the figure that says so.

    >>> worth_sentence("no such metric")
    'Not held against labels.'
    """
    figures = figures_of(metric)
    verdict = worth(figures)
    tested = [suite for suite in figures if suite.beats_chance is not None and suite.half != "development half"]
    said = f"{verdict[0].upper()}{verdict[1:]}"
    if not tested:
        return f"{said}."
    best = max(tested, key=lambda suite: suite.interval.low if suite.interval else 0.0)
    return f"{said}: {_told(best)}."


def _told(suite: Suite) -> str:
    interval = (
        "" if suite.interval is None else f" (95 % interval {suite.interval.low:.2f} to {suite.interval.high:.2f})"
    )
    half = f", {suite.half}" if suite.half else ""
    rests_on = f"{suite.n} {suite.unit} of {suite.data}{half}"
    return f"{suite.measure} {suite.value:.2f}{interval}, chance {suite.chance:.2f}, {rests_on}"


def _entries() -> Iterator[MetricEntry]:
    for group in ("evaluators", "group_evaluators"):
        for plugin in registry.load_all(group):
            if not isinstance(plugin, BrokenPlugin):
                yield from _of(plugin, across_runs=group == "group_evaluators")


def _of(evaluator: Metered, *, across_runs: bool) -> Iterator[MetricEntry]:
    for metric in evaluator.metrics:
        figures = figures_of(metric)
        yield MetricEntry(
            name=metric,
            evaluator=evaluator.name,
            version=evaluator.version,
            tier=evaluator.tier,
            across_runs=across_runs,
            worth=worth(figures),
            figures=figures,
        )
