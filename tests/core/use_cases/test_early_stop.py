"""A sweep that may stop early: papers count in their order, once whole, and the error is kept."""

import random
from datetime import UTC, datetime

import pytest

from agents_eval_core.run import System
from agents_eval_core.sweep import SweepOrder, SweepPlan
from agents_eval_core.use_cases.early_stop import EarlyStop

METRIC = "task_success"


def an_order(*candidates: str, papers: int = 200, repetitions: int = 1, margin: float | None = None) -> SweepOrder:
    return SweepOrder(
        plan=SweepPlan(name="s", repetitions=repetitions, stop_when_decided=METRIC, margin=margin),
        papers=tuple(f"p{number}" for number in range(papers)),
        systems=tuple(System(engine="mas", composition=name) for name in ("manager", *candidates)),
        begun_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def papers_until(stop: EarlyStop, order: SweepOrder, **scores: float) -> int:
    """Return after how many papers it is decided, each system always scoring the same."""
    for number, paper in enumerate(order.papers, start=1):
        for name, score in scores.items():
            stop.add(paper, ("mas", name), {METRIC: score})
        if stop.answer():
            return number
    return 0


def test_it_stops_when_it_is_decided_and_says_who_differs_and_after_how_many_papers() -> None:
    order = an_order("full")
    stop = EarlyStop(order, METRIC)
    number = papers_until(stop, order, manager=0.2, full=0.9)
    assert 3 < number < 30
    assert stop.answer().startswith("full is better than manager in task_success [+0.")
    assert stop.answer().endswith(f"after {number} papers")


def test_systems_that_never_differ_are_equivalent_only_within_a_margin() -> None:
    assert papers_until(EarlyStop(an_order("full"), METRIC), an_order("full"), manager=0.5, full=0.5) == 0
    order = an_order("full", margin=0.2)
    assert 5 < papers_until(EarlyStop(order, METRIC), order, manager=0.5, full=0.5) < 100


def test_it_goes_on_until_every_candidate_is_decided_and_more_candidates_share_the_error() -> None:
    one, two = an_order("full"), an_order("full", "manager+analyst")
    alone = papers_until(EarlyStop(one, METRIC), one, manager=0.2, full=0.6)
    both = papers_until(EarlyStop(two, METRIC), two, **{"manager": 0.2, "full": 0.6, "manager+analyst": 0.6})
    assert 0 < alone < both
    undecided = EarlyStop(two, METRIC)
    assert papers_until(undecided, two, **{"manager": 0.2, "full": 0.9, "manager+analyst": 0.2}) == 0


def test_papers_count_in_the_order_of_the_sweep_whichever_ends_first() -> None:
    order = an_order("full", papers=40)
    stop = EarlyStop(order, METRIC)
    for paper in reversed(order.papers[1:]):
        stop.add(paper, ("mas", "manager"), {METRIC: 0.1})
        stop.add(paper, ("mas", "full"), {METRIC: 0.9})
    assert stop.answer() == ""  # the first paper is still under way
    stop.add("p0", ("mas", "manager"), {METRIC: 0.1})
    stop.add("p0", ("mas", "full"), {METRIC: 0.9})
    assert "full is better than manager" in stop.answer()
    assert int(stop.answer().split()[-2]) < 40  # what came after the conclusion counts for nothing


def test_a_paper_waits_for_all_its_repetitions_and_one_without_a_value_is_passed_over() -> None:
    order = an_order("full", papers=1, repetitions=2, margin=0.999)
    stop = EarlyStop(order, METRIC)
    for _ in range(2):
        stop.add("p0", ("mas", "manager"), {METRIC: 0.5})
    stop.add("p0", ("mas", "full"), {})
    assert stop.answer() == ""
    failed = EarlyStop(an_order("full", papers=60), METRIC)
    for paper in an_order(papers=60).papers:
        failed.add(paper, ("mas", "manager"), {METRIC: 0.1})
        failed.add(paper, ("mas", "full"), {})
    assert failed.answer() == ""


@pytest.mark.parametrize("confidence_of", [1, 4])
def test_equal_systems_are_seldom_told_apart_however_often_one_looks(confidence_of: int) -> None:
    chance, false = random.Random(7), 0  # noqa: S311
    names = [f"c{number}" for number in range(confidence_of)]
    for _ in range(60):
        order = an_order(*names, papers=60)
        stop, seen = EarlyStop(order, METRIC), False
        for paper in order.papers:
            for name in ("manager", *names):
                stop.add(paper, ("mas", name), {METRIC: chance.random()})
            seen = seen or "than" in stop.answer()
        false += seen
    assert false <= 3  # 5 % of 60
