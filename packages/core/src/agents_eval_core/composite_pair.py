"""The composites of two runs of the same case, over the metrics measured on both sides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

from agents_eval_core.composite import EQUAL_WEIGHTS, applicable_weights, weighted_mean
from agents_eval_core.score import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositePair:
    """Two composites by the same weights, and the metrics they are made of."""

    first: float
    second: float
    metrics: tuple[str, ...]


def comparable_values(first: Score | None, second: Score | None) -> tuple[float, float] | None:
    """Return both values if both are measured, and by the same version of the same evaluator; else None.

    >>> old = Score(name="m", value=0.5, evaluator="m", version="1", tier=1)
    >>> comparable_values(old, old), comparable_values(old, old.changed(version="2"))
    ((0.5, 0.5), None)
    """
    if first is None or second is None or first.value is None or second.value is None:
        return None
    same = (first.evaluator, first.version) == (second.evaluator, second.version)
    return (first.value, second.value) if same else None


def composite_pair(
    first: Iterable[Score], second: Iterable[Score], *, weights: Mapping[str, float] = EQUAL_WEIGHTS
) -> CompositePair | None:
    """Return the composites of two runs over the weighted metrics that are comparable, or None where none is.

    A metric that does not apply to one of the runs leaves both, and its weight is shared equally by the others, as in
    a composite. Where both runs have measured all that applies to both, these are the composites of their scorecards.

    >>> score = Score(name="task_success", value=0.5, evaluator="t", version="1", tier=1)
    >>> composite_pair([score, score.changed(name="time_taken")], [score.changed(value=1.0)])
    CompositePair(first=0.5, second=1.0, metrics=('task_success',))
    """
    one, other = ({score.name: score for score in scores} for scores in (first, second))
    leaving = {name: score for name, score in other.items() if score.reason == "not_applicable"}
    applicable = applicable_weights({**one, **leaving}, weights)
    values = {name: both for name in applicable if (both := comparable_values(one.get(name), other.get(name)))}
    covered = fsum(applicable[name] for name in values)
    if not covered:
        return None
    used = {name: applicable[name] / covered for name in values}
    return CompositePair(
        first=weighted_mean(used, {name: value for name, (value, _) in values.items()}),
        second=weighted_mean(used, {name: value for name, (_, value) in values.items()}),
        metrics=tuple(values),
    )
