"""The catalogue of metrics: what each is, who gives it, and how far it can be trusted."""

from collections.abc import Iterator
from inspect import getdoc, getmodule, isfunction
from itertools import chain

from agents_eval_core import registry
from agents_eval_core.composite import SIX
from agents_eval_core.frozen import Frozen
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.score import Tier
from agents_eval_core.validity import Suite, Worth, figure_words, figures_of, worth


class CatalogueEntry(Frozen):
    """One metric.

    Attributes:
        definition: What it measures, in a sentence or two; empty where its maker says nothing.
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
                definition=_definition(type(evaluator), name),
                in_composite=name in SIX,
                is_of_several_runs=is_of_several_runs,
                worth=worth(figures),
                figures=figures,
            )


def _definition(evaluator: type, metric: str) -> str:
    """Return what a metric's function gives, where one stands beside the evaluator, and what that does."""
    function = getattr(getmodule(evaluator), metric, None)
    given = _first_sentence(function).removeprefix("Return ") if isfunction(function) else ""
    return f"{given[:1].upper()}{given[1:]} {_first_sentence(evaluator)}".strip()


def _first_sentence(thing: object) -> str:
    return (getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")
