from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as some

from agents_eval_core.case import Case
from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.review import HumanReview
from agents_eval_core.run import Run
from agents_eval_core.score import Score
from agents_eval_evaluators.text.aspects import ASPECTS, divergence
from agents_eval_evaluators.text.review_focus import ReviewFocus

CONTEXT = EvaluationContext()
EXPERIMENTS = "The experiments are limited. More data sets should be evaluated. An ablation is missing."
WRITING = "The notation is not clear. Please fix the typos. The abstract is confusing."
NOVELTY = "The novelty is limited. The idea is incremental."
SHARES = some.lists(some.floats(0, 1), min_size=7, max_size=7).filter(lambda values: sum(values) > 0)


def _runs(a_run: Callable[..., Run], case: Case, text: str, humans: tuple[str, ...], papers: int = 6) -> list[Run]:
    references = tuple(HumanReview(id=str(place), text=human) for place, human in enumerate(humans))
    cases = [case.changed(id=f"p{number}", references=references) for number in range(papers)]
    return [a_run(case=each, text=text, id=each.id) for each in cases]


async def _score(runs: list[Run]) -> Score:
    (score,) = (await ReviewFocus().evaluate_group(runs, CONTEXT)).scores
    return score


async def test_reviews_that_look_where_humans_look_lie_above_those_that_do_not(
    a_run: Callable[..., Run], case: Case
) -> None:
    alike = await _score(_runs(a_run, case, EXPERIMENTS, (EXPERIMENTS, EXPERIMENTS)))
    mixed = await _score(_runs(a_run, case, f"{EXPERIMENTS} {WRITING}", (EXPERIMENTS, EXPERIMENTS)))
    apart = await _score(_runs(a_run, case, WRITING, (EXPERIMENTS, EXPERIMENTS)))
    assert alike.value == 1
    assert alike.value > (mixed.value or 0) > (apart.value or 0) == 0


async def test_the_divergence_among_humans_stands_beside_it(a_run: Callable[..., Run], case: Case) -> None:
    score = await _score(_runs(a_run, case, EXPERIMENTS, (EXPERIMENTS, NOVELTY)))
    measures = {measure.name: measure.value for measure in score.measures}
    assert measures["focus_divergence_of_humans"] == 1
    assert measures["largest_gap"] == "originality (-0.50)"
    assert {f"share_{aspect}" for aspect in ASPECTS} < set(measures)


async def test_too_few_papers_or_no_aspects_are_no_number(a_run: Callable[..., Run], case: Case) -> None:
    for runs in (
        _runs(a_run, case, EXPERIMENTS, (EXPERIMENTS,), papers=4),
        _runs(a_run, case, "They train a parser.", (EXPERIMENTS,)),
        _runs(a_run, case, EXPERIMENTS, ()),
    ):
        assert (await _score(runs)).reason == "not_measured"
    assert (await _score([])).reason == "not_applicable"


@given(SHARES, SHARES)
def test_divergence_is_symmetric_and_lies_between_none_and_one_bit(first: list[float], second: list[float]) -> None:
    ours, theirs = (
        {aspect: value / sum(values) for aspect, value in zip(ASPECTS, values, strict=True)}
        for values in (first, second)
    )
    apart = divergence(ours, theirs)
    assert 0 <= apart <= 1
    assert apart == pytest.approx(divergence(theirs, ours))
    assert divergence(ours, ours) == 0
