"""What all behaviour metrics say of a run, by name: values, or the reasons why there are none."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from agents_eval_core import registry
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_evaluators.validity.predecessor_behaviour import predecessor_scores

Value = float | str | None
TIER: Final = 3
FINDING: Final = "finding: "


@cache
def behaviour_evaluators() -> tuple[Evaluator, ...]:
    """Return the installed evaluators of behaviour."""
    return tuple(one for one in registry.evaluators() if not isinstance(one, BrokenPlugin) and one.tier == TIER)


def readings(run: Run) -> Mapping[str, Value]:
    """Return every score and measure of a run by its name, and the findings by how many spans they point to.

    A reason stands in the place of a value that is not there. The earlier program's formulas stand beside them.
    """
    found: dict[str, Value] = {}
    for evaluation in asyncio.run(_evaluations(run, behaviour_evaluators())):
        for one in (*evaluation.scores, *evaluation.measures):
            found[one.name] = one.reason if one.value is None else _number(one.value)
        for finding in evaluation.findings:
            name = FINDING + finding.name
            found[name] = float(found.get(name) or 0) + (len(finding.evidence.span_ids) or 1)
    if run.trace is not None:
        found.update(predecessor_scores(run.trace))
    return found


async def _evaluations(run: Run, evaluators: Sequence[Evaluator]) -> list[Evaluation]:
    context = EvaluationContext()
    return [await evaluator.evaluate(run, context) for evaluator in evaluators]


def _number(value: float | str | bool) -> float | str:
    return value if isinstance(value, str) else float(value)
