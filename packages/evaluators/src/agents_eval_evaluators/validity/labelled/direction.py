"""Which way a reading should point if it is to go with success."""

from collections.abc import Sequence
from typing import Final

from agents_eval_core.errors import UndefinedMetricError
from agents_eval_evaluators.validity.labelled.area_within_tasks import Scored, area_over_all, area_within_tasks
from agents_eval_evaluators.validity.predecessor_behaviour import PREDECESSOR
from agents_eval_evaluators.validity.readings import behaviour_evaluators

CHANCE: Final = 0.5
ACROSS_RUNS: Final = frozenset({"answer_agreement", "path_similarity"})
CHOSEN: Final = "the development half, which way it points"


def tuned_on(metric: str, data: str) -> str:
    """Return on what a metric's rules, or the way it points, were chosen before it was held against a set."""
    if metric == "answer_agreement" and data.startswith("AG2"):
        return "both halves: by what marks an answer is told"
    return "nothing" if is_graded(metric) else CHOSEN


def scores() -> frozenset[str]:
    """Return the names of the behaviour scores, of which more is better by definition."""
    return frozenset(metric for evaluator in behaviour_evaluators() for metric in evaluator.metrics) | ACROSS_RUNS


def is_graded(metric: str) -> bool:
    """Whether more of a reading is meant to be better, so that no data need say which way it points."""
    return metric in scores() or metric.startswith(PREDECESSOR)


def sign(metric: str, developed_on: Sequence[Scored]) -> float:
    """Return 1 where more goes with success and -1 where less does.

    A score means what it says. Of a plain measure (steps, entropy, passes) the development half says it.
    """
    if is_graded(metric):
        return 1.0
    try:
        area = area_within_tasks(developed_on, resamples=0)
    except UndefinedMetricError:
        area = area_over_all(developed_on, resamples=0)
    return 1.0 if area.value >= CHANCE else -1.0
