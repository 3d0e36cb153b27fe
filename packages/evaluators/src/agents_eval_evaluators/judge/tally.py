"""The answers of one or several judges, asked once or several times, put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from agents_eval_core.statistics.reliability import flip_rate, krippendorff_alpha, majority_share
from agents_eval_evaluators.judge.questioning import Answer
from agents_eval_evaluators.judge.rubric import Rubric


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a rubric comes to.

    Attributes:
        shares: By criterion, from 0 (lowest answer) to 1 (highest); None where it does not apply.
        value: The weighted mean of the shares.
        alignment: The share of the criteria that apply which are satisfied.
        flip_rate: How often a judge asked again gave another level than its usual one; None where none was.
        majority_share: The share of the judges that gave the commonest level; None for one judge.
        alpha: Krippendorff's alpha of the judges over the criteria; None for one judge, or where nothing varies.
    """

    shares: Mapping[str, float | None]
    value: float
    alignment: float
    flip_rate: float | None
    majority_share: float | None
    alpha: float | None


def tally(rubric: Rubric, answers: Sequence[Answer]) -> Tally:
    """Return what the answers come to: each judge counts the same, however often it was asked.

    Args:
        rubric: What was asked.
        answers: At least one; several of the same judge are its repeats.
    """
    by_judge: dict[str, list[Answer]] = {}
    for answer in answers:
        by_judge.setdefault(answer.judge.name, []).append(answer)
    rows = {judge: _shares(rubric, given) for judge, given in by_judge.items()}
    shares = {one.id: _mean([row[one.id] for row in rows.values()]) for one in rubric.criteria}
    weights = {one.id: one.weight for one in rubric.criteria if shares[one.id] is not None}
    satisfied = [(shares[one.id] or 0.0) >= one.satisfied_share for one in rubric.criteria if one.id in weights]
    ratings = [[row[one.id] for row in rows.values()] for one in rubric.criteria]
    levels = [_levels(given, one.id) for given in by_judge.values() for one in rubric.criteria]
    is_panel = len(rows) > 1
    return Tally(
        shares=shares,
        value=fsum(weight * (shares[name] or 0.0) for name, weight in weights.items()) / fsum(weights.values()),
        alignment=sum(satisfied) / len(satisfied),
        flip_rate=flip_rate([one for one in levels if len(one) > 1]),
        majority_share=majority_share([one for row in ratings if len(one := _known(row)) > 1]) if is_panel else None,
        alpha=krippendorff_alpha(ratings) if is_panel else None,
    )


def _shares(rubric: Rubric, answers: Sequence[Answer]) -> dict[str, float | None]:
    return {one.id: _mean([one.share(level) for level in _levels(answers, one.id)]) for one in rubric.criteria}


def _levels(answers: Sequence[Answer], criterion: str) -> list[int]:
    given = (answer.answers[criterion].level for answer in answers)
    return [level for level in given if level is not None]


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(values: Sequence[float | None]) -> float | None:
    known = _known(values)
    return fsum(known) / len(known) if known else None
