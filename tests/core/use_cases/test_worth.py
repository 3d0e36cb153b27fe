"""What agents are worth, found again where it was planted."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from agents_eval_core.comparison import MetricWorth, PartWorth, Side
from agents_eval_core.composite import EQUAL_WEIGHTS, compose
from agents_eval_core.run import Resources, RunRecord
from agents_eval_core.score import Score, Scorecard
from agents_eval_core.use_cases.contrast import Question
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide
from agents_eval_core.use_cases.worth import worth_of_agents

AGENTS = ("researcher", "analyst", "synthesizer")
PLANTED = {"researcher": 0.08, "analyst": 0.05, "synthesizer": 0.0}
TEAMS = [team for size in range(4) for team in combinations(AGENTS, size)]


def sides(
    seed: int, *, papers: int = 20, noise: float = 0.03, together: float = 0.0, teams: Sequence[Any] = TEAMS
) -> list[EvaluatedSide]:
    """Return one side a team; what the agents add is `PLANTED`, and `together` for researcher and analyst at once."""
    generator = np.random.default_rng(seed)
    of_paper = generator.normal(0.5, 0.1, size=papers)
    return [EvaluatedSide(**side(team, of_paper, generator, noise, together)) for team in teams]


def side(team: Sequence[str], of_paper: Any, generator: np.random.Generator, noise: float, together: float) -> Any:
    name = "+".join(["manager", *team])
    added = sum(PLANTED[agent] for agent in team) + together * ({"researcher", "analyst"} <= set(team))
    values = np.clip(of_paper + added + generator.normal(0, noise, size=len(of_paper)), 0, 1)
    records = tuple(a_record(name, paper) for paper in range(len(of_paper)))
    cards = {
        record.id: a_card(record.id, float(value), seconds=10.0 + 5 * len(team))
        for record, value in zip(records, values, strict=True)
    }
    about = Side(selector=name, label=name, runs=tuple(record.id for record in records))
    return {"side": about, "records": records, "scorecards": cards}


def a_record(composition: str, paper: int) -> RunRecord:
    return RunRecord(
        id=f"{composition}-{paper}", directory="runs/x", status="complete", engine="mas", composition=composition,
        dataset="sample", paper=f"p{paper}", created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def a_card(run_id: str, value: float, seconds: float) -> Scorecard:
    scores = (Score(name="task_success", value=value, evaluator="t", version="1", tier=1),)
    took = Resources(elapsed_seconds=seconds)
    return Scorecard.model_validate(
        {**compose(scores).model_dump(), "run_id": run_id, "scores": scores} | {"resources": took}
    )


def worth(found: Sequence[EvaluatedSide], margin: float | None = 0.03) -> tuple[MetricWorth, ...]:
    question = Question(metrics=("task_success",), claims=("composite",), weights=EQUAL_WEIGHTS, margin=margin)
    return worth_of_agents(found, question)


def shapley(found: MetricWorth) -> dict[str, PartWorth]:
    return {part.of[0]: part for part in found.parts if part.kind == "shapley"}


def holds(part: PartWorth, value: float) -> bool:
    return part.interval is not None and part.interval.low <= value <= part.interval.high


def outcomes(rounds: int) -> Iterator[tuple[int, int, int]]:
    """Yield for each experiment: intervals that hold the planted worth, useful agents found, useless one found."""
    for seed in range(rounds):
        parts = shapley(worth(sides(seed))[0])
        held = sum(holds(parts[agent], PLANTED[agent]) for agent in AGENTS)
        useful = sum(parts[agent].conclusion == "adds" for agent in ("researcher", "analyst"))
        yield held, useful, int(parts["synthesizer"].conclusion == "adds nothing")


def shares(rounds: int) -> tuple[float, float, float]:
    found = list(outcomes(rounds))
    held, useful, useless = (sum(each[place] for each in found) for place in range(3))
    return held / (3 * rounds), useful / (2 * rounds), useless / rounds


def test_planted_contributions_are_recovered_and_a_useless_agent_is_found() -> None:
    held, useful, useless = shares(10)
    assert held >= 0.85
    assert useful >= 0.9
    assert useless >= 0.9


@pytest.mark.proof
def test_planted_contributions_are_recovered_over_many_experiments() -> None:
    held, useful, useless = shares(200)
    assert 0.93 <= held <= 0.97
    assert min(useful, useless) >= 0.9


def test_shapley_values_share_out_the_difference_between_the_whole_team_and_the_manager_alone() -> None:
    found = sides(1, noise=0.0)
    quality, seconds = worth(found)
    parts = shapley(quality)
    assert {agent: round(part.value, 6) for agent, part in parts.items()} == PLANTED
    assert quality.papers == 20
    times = shapley(seconds)
    assert (seconds.metric, seconds.unit, seconds.higher_is_better) == ("elapsed_seconds", "s", False)
    assert [round(part.value, 6) for part in times.values()] == [5.0, 5.0, 5.0]


def test_what_two_agents_add_only_together_is_an_interaction() -> None:
    quality = worth(sides(2, noise=0.02, together=0.1))[0]
    interactions = {part.of: part for part in quality.parts if part.kind == "interaction"}
    assert interactions["analyst", "researcher"].conclusion == "adds"
    assert interactions["analyst", "researcher"].value == pytest.approx(0.05, abs=0.02)
    assert interactions["analyst", "synthesizer"].conclusion != "adds"
    assert len(interactions) == 4


def test_without_a_margin_no_agent_is_called_useless() -> None:
    parts = shapley(worth(sides(3), margin=None)[0])
    assert parts["synthesizer"].conclusion == "not enough data"


@pytest.mark.parametrize("teams", [TEAMS[:7], TEAMS[:2], [*TEAMS[:7], TEAMS[0]]])
def test_without_all_compositions_nothing_is_said_of_worth(teams: list[tuple[str, ...]]) -> None:
    assert worth(sides(4, papers=6, teams=teams)) == ()
