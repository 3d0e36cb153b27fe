"""All sides in one table: who is first, whether that is firm, and what it costs."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from agents_eval_core.comparison import Side, Standing
from agents_eval_core.composite import EQUAL_WEIGHTS, compose
from agents_eval_core.run import Resources, RunRecord, RunStatus
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.use_cases.contrast import Question, contrasts
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide
from agents_eval_core.use_cases.standings import standings, winner

SPREAD = (0.02, -0.01, 0.0, 0.03, -0.02, 0.01, -0.03, 0.02, 0.01, -0.01, 0.0, 0.02)
Values = Sequence[dict[str, float] | None]


def a_side(
    label: str, values: Values, *, papers: int = 12, seconds: float | None = None, cost: float | None = None
) -> EvaluatedSide:
    """Return a side with a run for each set of scores; None is a run that failed."""
    records = tuple(a_record(f"{label}{index}", index % papers, each) for index, each in enumerate(values))
    took = Resources(elapsed_seconds=seconds, cost_usd=cost)
    cards = {
        record.id: a_card(record.id, each, took)
        for record, each in zip(records, values, strict=True)
        if each is not None
    }
    return EvaluatedSide(side=Side(selector=label, label=label, runs=tuple(cards)), records=records, scorecards=cards)


def a_record(run: str, paper: int, values: dict[str, float] | None) -> RunRecord:
    status: RunStatus = "failed" if values is None else "complete"
    return RunRecord(
        id=run, directory="runs/x", status=status, engine="mas", composition="manager", dataset="sample",
        paper=f"p{paper}", created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def a_card(run_id: str, values: dict[str, float], took: Resources) -> Scorecard:
    scores = tuple(
        Score(name=name, value=value, evaluator=name, version="1", tier=1 if name == "task_success" else 3)
        for name, value in values.items()
    )
    return Scorecard.model_validate(
        {**compose(scores).model_dump(), "run_id": run_id, "scores": scores, "resources": took}
    )


def each(success: float, tools: float, turn: int = 0) -> Values:
    spread = SPREAD[turn:] + SPREAD[:turn]
    return [{"task_success": success + x, "tool_efficiency": tools + x / 2} for x in spread]


def placed(*sides: EvaluatedSide) -> tuple[tuple[Standing, ...], tuple[str | None, str]]:
    question = Question(metrics=(), claims=("composite",), weights=EQUAL_WEIGHTS)
    found = standings(sides, EQUAL_WEIGHTS, 0.95)
    return found, winner(contrasts(sides, question), found)


def test_a_side_that_is_better_than_every_other_whatever_the_weights_is_the_winner() -> None:
    found, (first, sentence) = placed(
        a_side("a", each(0.5, 0.5)), a_side("b", each(0.6, 0.6, 3)), a_side("c", each(0.7, 0.7, 6))
    )
    assert (first, sentence) == ("c", "c is better than every other side")
    assert [round(standing.first_places or 0, 2) for standing in found] == [0, 0, 1]
    assert found[2].composite == pytest.approx(0.7, abs=0.01)


def test_no_winner_is_named_where_other_weights_would_name_another() -> None:
    found, (first, sentence) = placed(a_side("a", each(0.9, 0.3)), a_side("b", each(0.5, 0.5, 3)))
    assert first is None
    assert sentence == "no winner: no side is shown to be better than every other"
    assert [round(standing.first_places or 0, 1) for standing in found] == [0.7, 0.3]


def test_what_others_beat_in_everything_is_not_on_the_front() -> None:
    cheap = a_side("cheap", each(0.5, 0.5), seconds=1.0, cost=0.01)
    good = a_side("good", each(0.7, 0.7, 3), seconds=5.0, cost=0.05)
    waste = a_side("waste", each(0.4, 0.4, 6), seconds=6.0, cost=0.05)
    found, _ = placed(cheap, good, waste)
    assert [standing.on_front for standing in found] == [True, True, False]
    assert (found[1].elapsed_seconds, found[1].cost_usd) == (pytest.approx(5.0), pytest.approx(0.05))


def test_a_cost_that_one_side_does_not_know_is_compared_for_nobody() -> None:
    found, _ = placed(a_side("a", each(0.5, 0.5), cost=0.01, seconds=1.0), a_side("b", each(0.6, 0.6), seconds=0.9))
    assert [standing.cost_usd for standing in found] == [None, None]
    assert [standing.on_front for standing in found] == [False, True]
    unknown, _ = placed(a_side("a", each(0.5, 0.5)), a_side("b", each(0.6, 0.6)))
    assert [standing.on_front for standing in unknown] == [None, None]


def test_quality_leaves_time_out_and_the_papers_are_those_of_all() -> None:
    timed = [{"task_success": 0.5, "time_taken": 0.9} for _ in range(12)]
    found, _ = placed(a_side("a", timed), a_side("b", timed[:7]))
    assert (found[0].composite, found[0].quality) == (pytest.approx(0.7), pytest.approx(0.5))
    assert [standing.papers for standing in found] == [7, 7]


def test_pass_rates_are_given_of_repeated_papers_and_a_failed_run_is_a_try_that_did_not_pass() -> None:
    good, bad = (dict.fromkeys(EQUAL_WEIGHTS, value) for value in (0.9, 0.1))
    values: Values = [good, good, good, good, good, bad, None, None]  # four papers, two tries each
    found, _ = placed(a_side("a", values, papers=4), a_side("b", [good] * 4, papers=4))
    once, twice = found[0].pass_rates
    assert (once.k, once.papers, once.any_passes, once.all_pass) == (1, 4, 0.625, 0.625)
    assert (twice.k, twice.any_passes, twice.all_pass) == (2, 1.0, 0.25)
    assert twice.all_interval.low == 0.0
    assert found[1].pass_rates == ()
