"""Compare sets of runs of the same cases: better, worse, equivalent, or not enough data."""

import asyncio
from collections.abc import Sequence
from itertools import combinations

from agents_eval_core.comparison import Comparison
from agents_eval_core.composition import composition_name
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import UnknownNameError, UsageError
from agents_eval_core.run import RunRecord
from agents_eval_core.settings import Settings
from agents_eval_core.use_cases.contrast import Question, contrasts
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide, evaluated_side, metrics_of
from agents_eval_core.use_cases.group_means import with_group_means
from agents_eval_core.use_cases.paired_series import COMPOSITE
from agents_eval_core.use_cases.selection import compositions_of, select_runs
from agents_eval_core.use_cases.standings import standings, winner
from agents_eval_core.use_cases.worth import worth_of_agents

IDS_SHOWN = 3
LEAST_CONFIDENCE = 0.5  # below, twice the error that is allowed exceeds 1 and no interval is left


async def compare_runs(
    selectors: Sequence[str],
    *,
    settings: Settings,
    metrics: Sequence[str] | None = None,
    margin: float | None = None,
    paired: bool = True,
    confidence: float = 0.95,
) -> Comparison:
    """Return how sets of runs compare: of each two, the one named first is the baseline, the other the candidate.

    Runs are paired by dataset, paper and repetition. Each metric is compared over the pairs in which both runs measured
    it, and the composite over the metrics that both runs of a pair measured. Output similarity is compared on its raw
    scale where all runs have that, time in log seconds. What has no partner, no scorecard or no value is listed and
    counted.

    Args:
        selectors: At least two sets without a run in common; `SWEEP:*` stands for each composition of a sweep.
        settings: Data root and weights.
        metrics: What is claimed, and all that is looked at beside the composite. By default the composite is claimed
            and every metric is looked at.
        margin: The smallest difference of a score that matters; without it nothing is called equivalent.
        paired: False compares sets of different papers.
        confidence: Of the intervals and conclusions, between 0.5 and 1, both excluded.

    Raises:
        UsageError: A selector finds nothing, the same run is on both sides, or the confidence or margin is impossible.
        UnknownNameError: No compared run has a score of that name.
    """
    if not LEAST_CONFIDENCE < confidence < 1:
        raise UsageError(f"a confidence lies between 0.5 and 1, such as 0.95, not {confidence}")
    if margin is not None and not 0 < margin < 1:
        raise UsageError(f"a margin is a difference of scores between 0 and 1, such as 0.05, not {margin}")
    sides = await asyncio.to_thread(_sides, selectors, settings)
    sides = [await with_group_means(side, settings) for side in sides]
    claims, looked_at = _asked(metrics, metrics_of(sides))
    question = Question(
        metrics=looked_at,
        claims=claims,
        weights=settings.weights,
        confidence=confidence,
        margin=margin,
        is_paired=paired,
    )
    return await asyncio.to_thread(_compare, sides, question)


def _sides(selectors: Sequence[str], settings: Settings) -> list[EvaluatedSide]:
    root = DataRoot(path=settings.home)
    named = [each for selector in selectors for each in compositions_of(selector, root)]
    if len(named) < 2:  # noqa: PLR2004  a comparison takes two
        raise UsageError(f"a comparison needs two selectors or more, not {len(named)}; 'agents-eval runs' lists runs")
    chosen = [select_runs(selector, root) for selector in named]
    for one, other in combinations(zip(named, chosen, strict=True), 2):
        _refuse_overlap(one, other)
    return [evaluated_side(*each, root) for each in zip(named, _labels(named, chosen), chosen, strict=True)]


def _compare(sides: Sequence[EvaluatedSide], question: Question) -> Comparison:
    found = contrasts(sides, question)
    placed = standings(sides, question.weights, question.confidence)
    first, sentence = winner(found, placed)
    return Comparison(
        confidence=question.confidence,
        margin=question.margin,
        claims=question.claims,
        contrasts=found,
        standings=placed,
        winner=first,
        winner_sentence=sentence,
        worth=worth_of_agents(sides, question),
    )


def _refuse_overlap(first: tuple[str, Sequence[RunRecord]], second: tuple[str, Sequence[RunRecord]]) -> None:
    shared = sorted({record.id for record in first[1]} & {record.id for record in second[1]})
    if shared:
        listed = ", ".join(shared[:IDS_SHOWN]) + (", …" if len(shared) > IDS_SHOWN else "")
        raise UsageError(
            f"{first[0]!r} and {second[0]!r} have runs in common ({listed}); a run cannot be compared with itself, "
            "so choose selectors that share none"
        )


def _labels(selectors: Sequence[str], chosen: Sequence[Sequence[RunRecord]]) -> list[str]:
    for trait in ("composition", "engine", "model", "sweep"):
        values = [{getattr(record, trait) for record in records} for records in chosen]
        labels = [composition_name(str(next(iter(each)))) for each in values if len(each) == 1 and all(each)]
        if len(set(labels)) == len(chosen):
            return labels
    return list(selectors)


def _asked(metrics: Sequence[str] | None, known: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is claimed, and what is looked at beside the composite."""
    if not metrics:
        return (COMPOSITE,), tuple(known)
    for metric in metrics:
        if metric not in (COMPOSITE, *known):
            raise UnknownNameError("metric", metric, (COMPOSITE, *known))
    claims = tuple(dict.fromkeys(metrics))
    return claims, tuple(metric for metric in claims if metric != COMPOSITE)
