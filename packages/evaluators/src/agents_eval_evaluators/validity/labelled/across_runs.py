"""What metrics across the runs of a task say of each single run."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from agents_eval_core import registry
from agents_eval_core.ports.evaluator import EvaluationContext, GroupEvaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.run import Run
from agents_eval_core.score import Measure


def said_of_each(runs: Sequence[Run]) -> tuple[Mapping[str, float], ...]:
    """Return for each run of a task what the metrics across runs measure about it alone, such as its agreement."""
    told_apart = [run.changed(id=f"run {place}") for place, run in enumerate(runs)]
    found = [dict[str, float]() for _ in runs]
    places = {run.id: place for place, run in enumerate(told_apart)}
    for measure in asyncio.run(_measures(told_apart)):
        run_id, _, figure = measure.name.partition(".")
        if run_id in places and isinstance(measure.value, (int, float)):
            found[places[run_id]][figure] = float(measure.value)
    return tuple(found)


async def _measures(runs: Sequence[Run]) -> list[Measure]:
    context = EvaluationContext()
    return [
        measure
        for evaluator in _group_evaluators()
        for measure in (await evaluator.evaluate_group(runs, context)).measures
    ]


def _group_evaluators() -> Iterator[GroupEvaluator]:
    for plugin in registry.load_all("group_evaluators"):
        if not isinstance(plugin, BrokenPlugin):
            yield cast("GroupEvaluator", plugin)
