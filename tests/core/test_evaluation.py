"""From a run to its scorecard: what fails, what is late, what is missing, and what is left."""

import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from agents_eval_core.case import Case
from agents_eval_core.errors import UnknownNameError
from agents_eval_core.evaluation import Installed, evaluate, installed
from agents_eval_core.ports.evaluator import EvaluationContext, Evaluator
from agents_eval_core.run import Run, System
from agents_eval_core.score import Evaluation, Score, Tier
from agents_eval_core.settings import Settings, load_settings


@dataclass(frozen=True, kw_only=True)
class Made:
    """An evaluator made for a test."""

    name: str
    answer: Callable[[], Awaitable[float]]
    tier: Tier = 1
    version: str = "1"

    @property
    def metrics(self) -> tuple[str, ...]:
        return (self.name,)

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port
        value = await self.answer()
        score = Score(name=self.name, value=value, evaluator=self.name, version=self.version, tier=self.tier)
        return Evaluation(scores=(score,))


async def half() -> float:
    return 0.5


async def endless() -> float:
    while True:
        pass


async def failing() -> float:
    raise ConnectionError("the line is dead")


async def beyond() -> float:
    return 1.5


@pytest.fixture
def run() -> Run:
    return Run(
        id="r", status="complete", case=Case(id="c"), system=System(engine="mas"), created_at=datetime.now(UTC),
        output_text="a text",
    )  # fmt: skip


def at_hand(*evaluators: Evaluator) -> Installed:
    return Installed(evaluators=evaluators)


async def test_an_endless_metric_fails_by_timeout_and_leaves_no_thread(run: Run) -> None:
    settings = Settings.model_validate({"JUDGE_TIER1_MAX_SECONDS": 0.1})
    tiers = at_hand(
        Made(name="task_success", answer=half), Made(name="endless", answer=endless), Made(name="late", answer=half),
        Made(name="tool_efficiency", answer=half, tier=3),
    )  # fmt: skip
    card = await evaluate(run, settings=settings, context=EvaluationContext(), at_hand=tiers)
    told = {score.name: (score.value, score.reason, score.error_type) for score in card.scores}
    assert told["endless"] == told["late"] == (None, "failed", "timeout")
    assert told["task_success"] == told["tool_efficiency"] == (0.5, None, None)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("agents-eval tier")]


async def test_the_total_limit_ends_what_the_tiers_would_still_allow(run: Run) -> None:
    settings = Settings.model_validate({"JUDGE_TOTAL_MAX_SECONDS": 0.1, "JUDGE_TIER3_MAX_SECONDS": 60})
    card = await evaluate(
        run, settings=settings, context=EvaluationContext(), at_hand=at_hand(Made(name="slow", answer=endless, tier=3))
    )
    assert card.scores[0].error_type == "timeout"


@pytest.mark.parametrize(("answer", "error_type"), [(failing, "ConnectionError"), (beyond, "ValidationError")])
async def test_a_failing_metric_costs_its_own_score_only(
    run: Run, answer: Callable[[], Awaitable[float]], error_type: str
) -> None:
    tiers = at_hand(Made(name="task_success", answer=half), Made(name="tool_efficiency", answer=answer, tier=3))
    card = await evaluate(run, settings=Settings(), context=EvaluationContext(), at_hand=tiers)
    score = card.score("tool_efficiency")
    assert score is not None
    assert (score.value, score.reason, score.error_type) == (None, "failed", error_type)
    assert card.composite == 0.5


async def test_a_tier_that_was_not_asked_for_is_not_measured_and_says_so(run: Run) -> None:
    tiers = at_hand(Made(name="task_success", answer=half), Made(name="tool_efficiency", answer=half, tier=3))
    for asked in (
        await evaluate(run, settings=Settings(), context=EvaluationContext(), at_hand=tiers, tiers=[1]),
        await evaluate(
            run,
            settings=load_settings(None, environment={"JUDGE_TIERS_ENABLED": "1,2"}),
            context=EvaluationContext(),
            at_hand=tiers,
        ),
    ):
        score = asked.score("tool_efficiency")
        assert score is not None
        assert score.reason == "not_measured"
        assert "not asked for" in score.explanation


async def test_a_metric_given_twice_counts_once_and_is_a_finding(run: Run) -> None:
    tiers = at_hand(Made(name="task_success", answer=half), Made(name="task_success", answer=beyond, version="2"))
    card = await evaluate(run, settings=Settings(), context=EvaluationContext(), at_hand=tiers)
    assert [score.value for score in card.scores] == [0.5]
    assert [finding.name for finding in card.findings] == ["doubled_metric"]


async def test_a_weight_puts_any_metric_into_the_composite(run: Run) -> None:
    tiers = at_hand(Made(name="task_success", answer=half), Made(name="clarity", answer=failing))
    weighted = load_settings(None, environment={"JUDGE_WEIGHT_CLARITY": "6"})
    card = await evaluate(run, settings=weighted, context=EvaluationContext(), at_hand=tiers)
    assert card.coverage == pytest.approx(1 / 12)
    misspelt = load_settings(None, environment={"JUDGE_WEIGHT_CLARTY": "6"})
    with pytest.raises(UnknownNameError, match="did you mean 'clarity'"):
        await evaluate(run, settings=misspelt, context=EvaluationContext(), at_hand=tiers)


async def test_the_installed_evaluators_survive_a_run_that_left_nothing(run: Run) -> None:
    bare = run.changed(output_text=None)
    card = await evaluate(bare, settings=Settings(), context=EvaluationContext())
    assert not installed().broken
    assert {score.name for score in card.scores} >= {"task_success", "tool_efficiency", "planning_rationality"}
    assert card.verdict in (None, "reject")
    assert not [score for score in card.scores if score.reason == "failed"]
