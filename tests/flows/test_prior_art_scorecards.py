"""Scorecards as a user gets them, where those of the program before went wrong."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from agents_eval import evaluate_trace_sync, run_review_sync
from agents_eval_core import registry
from agents_eval_core.ports.trace_format import WritableFormat
from agents_eval_core.review import HumanReview
from agents_eval_core.score import VERDICTS, Scorecard
from agents_eval_core.settings import load_settings
from agents_eval_core.trace import Agent, Source, Span, Status, ToolUse, Trace
from agents_eval_core.use_cases.evaluate_trace import EvaluatedRun
from agents_eval_core.use_cases.judging_packet import accept_verdict, judging_packet
from scripted_server.judge import answers

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def scorecard(done: EvaluatedRun) -> Scorecard:
    assert done.scorecard is not None
    return done.scorecard


def test_an_empty_review_gets_nothing_for_being_like_an_empty_human_one() -> None:
    done = run_review_sync("sparse-gates", dataset="sample", composition="manager")
    assert done.directory is not None
    kept = json.loads((done.directory / "review.json").read_text(encoding="utf-8"))
    points = {name: list[str]() for name in ("strengths", "weaknesses", "questions", "suggestions")}
    empty = {**kept, "summary": " ", **points, "rating": None, "confidence": None, "recommendation": None}
    (done.directory / "review.json").write_text(json.dumps(empty), encoding="utf-8")
    case = done.run.case.changed(references=(HumanReview(id="1", text=" "), HumanReview(id="2", text="")))
    card = scorecard(evaluate_trace_sync(done.directory, case=case))
    values = {score.name: score.value for score in card.scores}
    assert not values["output_similarity"]
    assert not values["task_success"]
    assert ("empty", "critical") in {(finding.name, finding.severity) for finding in card.findings}
    assert card.verdict in (None, "reject", "weak_reject")


@pytest.mark.parametrize("paper", ["sparse-gates", "alloy-cracks"])
def test_the_same_review_without_human_ones_to_hold_it_against_gets_no_better_verdict(paper: str) -> None:
    done = run_review_sync(paper, dataset="sample", composition="full")
    assert done.directory is not None
    against, against_none = (
        scorecard(evaluate_trace_sync(done.directory, case=case))
        for case in (done.run.case, done.run.case.changed(references=()))
    )
    assert against.verdict is not None
    assert against_none.verdict is not None
    assert VERDICTS.index(against_none.verdict) <= VERDICTS.index(against.verdict)
    assert against.bounds is not None
    assert against_none.bounds is not None
    assert against_none.bounds.low < against.bounds.low
    assert against_none.coverage < against.coverage


def test_a_good_run_that_is_as_near_the_human_reviews_as_they_are_to_one_another_is_accepted() -> None:
    done = run_review_sync("sparse-gates", dataset="sample", composition="full")
    similarity = scorecard(done).score("output_similarity")
    assert similarity is not None
    assert similarity.value is not None
    assert 0.4 < similarity.value < 0.7
    settings = load_settings(None)
    packet = asyncio.run(judging_packet(done.run.id, settings=settings))
    verdicts = {
        level: asyncio.run(
            accept_verdict(
                done.run.id,
                {question.key: answers(question.instructions, level) for question in packet.questions},
                settings=settings,
            )
        )
        for level in (1, 5)
    }
    assert scorecard(verdicts[5]).verdict == "accept"
    assert scorecard(verdicts[1]).verdict != "accept"


@pytest.fixture
def score_of_trace(tmp_path: Path) -> Callable[..., float | None]:
    """Write a trace to a file, evaluate that, and return a score."""

    def evaluated(metric: str, *spans: Span) -> float | None:
        writer = registry.trace_format("native")
        assert isinstance(writer, WritableFormat)
        agents = (Agent(id="a", name="a"),)
        trace = Trace(id="t", source=Source(format="native"), clock="wall", agents=agents, spans=spans)
        file = tmp_path / "trace.jsonl"
        file.write_bytes(writer.write(trace))
        score = scorecard(evaluate_trace_sync(file)).score(metric)
        assert score is not None
        return score.value

    return evaluated


def step(number: int, tool: str, result: str, status: Status = "ok", *, seconds: int = 1) -> Span:
    return Span(
        id=f"s{number}",
        seq=number,
        operation="execute_tool",
        name=tool,
        agent_id="a",
        status=status,
        text="Done.",
        tool=ToolUse(name=tool, arguments={"page": 1}, result=result),
        started_at=NOON + timedelta(seconds=number),
        ended_at=NOON + timedelta(seconds=number + seconds),
    )


def test_the_time_of_a_run_is_that_between_its_first_and_last_step(score_of_trace: Callable[..., float | None]) -> None:
    said = Span(id="s1", seq=1, operation="chat", name="chat", agent_id="a", text="Done.", started_at=NOON)
    quick, slow = (replace(said, ended_at=NOON + timedelta(seconds=seconds)) for seconds in (20, 180))
    assert [score_of_trace("time_taken", one) for one in (quick, slow)] == [0.75, 0.25]


def test_ninety_nine_failures_of_a_tool_do_not_hide_behind_another(score_of_trace: Callable[..., float | None]) -> None:
    failures = [step(number, "fetch", f"refused {number}", "error") for number in range(99)]
    assert score_of_trace("tool_efficiency", *failures, step(99, "look", "found")) == pytest.approx(0.01)


def test_going_round_a_hundred_times_is_not_going_once(score_of_trace: Callable[..., float | None]) -> None:
    tools = ("list", "read", "search")
    once, often = (
        [step(number, tools[number % 3], f"the same of {tools[number % 3]}") for number in range(3 * rounds)]
        for rounds in (1, 100)
    )
    assert score_of_trace("tool_efficiency", *once) == 1.0
    assert score_of_trace("tool_efficiency", *often) == pytest.approx(0.01)


def test_a_larger_team_that_works_together_loses_nothing_by_its_size() -> None:
    found = [
        scorecard(run_review_sync("sparse-gates", dataset="sample", composition=composition)).score(
            "coordination_quality"
        )
        for composition in ("manager+researcher", "full")
    ]
    assert [score.value if score else None for score in found] == [1.0, 1.0]


def test_who_judges_the_planning_is_shown_the_steps_in_their_order() -> None:
    done = run_review_sync("sparse-gates", dataset="sample", composition="full")
    packet = asyncio.run(judging_packet(done.run.id, settings=load_settings(None)))
    (material,) = [question.material for question in packet.questions if "planning_rationality" in question.rubric]
    steps = [material.find(f"manager hands to {name}") for name in ("researcher", "analyst", "synthesizer")]
    assert -1 < steps[0] < steps[1] < steps[2]
