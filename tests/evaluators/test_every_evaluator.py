"""What is true of every evaluator of this package, whatever it is given."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_eval_core import registry
from agents_eval_core.case import Case
from agents_eval_core.ports.evaluator import Evaluator
from agents_eval_core.registry import BrokenPlugin
from agents_eval_core.review import Point, Review
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Span, ToolUse, Trace

ALL: tuple[Evaluator, ...] = tuple(
    found
    for found in registry.evaluators()
    if not isinstance(found, BrokenPlugin) and type(found).__module__.startswith("agents_eval_evaluators.")
)
AGENTS = st.sampled_from(["manager", "researcher", "analyst"])
TEXTS = st.text(alphabet='abE1 .?!\n"\u201c\u201d*\u2019-', max_size=80) | st.sampled_from(
    ["Dropout of attention is unclear.", "Table 1"]
)
SPANS = st.builds(
    Span,
    id=st.text(alphabet="0123456789", min_size=1, max_size=2),
    seq=st.integers(0, 20),
    operation=st.sampled_from(["execute_tool", "chat", "handoff", "invoke_agent", "message", "other"]),
    name=st.just("x"),
    parent_id=st.none() | st.text(alphabet="0123456789", min_size=1, max_size=2),
    agent_id=st.none() | AGENTS,
    to_agent_id=st.none() | AGENTS,
    status=st.sampled_from(["ok", "error", "unknown"]),
    tool=st.none()
    | st.builds(
        ToolUse,
        name=st.sampled_from(["read", "write", ""]),
        arguments=st.none() | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2) | TEXTS,
        result=st.none() | TEXTS,
    ),
    text=st.none() | TEXTS,
)
REVIEWS = st.builds(
    Review,
    summary=TEXTS,
    weaknesses=st.lists(st.builds(Point, text=TEXTS, anchor=st.none() | TEXTS), max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    spans=st.lists(SPANS, max_size=8),
    review=st.none() | REVIEWS,
    text=st.none() | TEXTS,
    agents=st.lists(AGENTS, max_size=3, unique=True),
)
async def test_scores_lie_between_zero_and_one_and_are_the_same_twice(
    *,
    spans: list[Span],
    review: Review | None,
    text: str | None,
    agents: list[str],
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    run = a_run(trace=a_trace(*spans), output=review, output_text=text, agents=agents)
    for evaluator in ALL:
        first, second = await ask(evaluator, run), await ask(evaluator, run)
        assert first == second
        assert tuple(score.name for score in first.scores) == evaluator.metrics
        assert all(score.value is None or 0 <= score.value <= 1 for score in first.scores)


@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
@pytest.mark.parametrize("task", ["peer_review", "book_flight"])
@pytest.mark.parametrize("missing", [{"trace": None}, {"output": None, "output_text": None}, {"agents": ()}])
async def test_what_is_missing_is_survived_and_gives_every_declared_score(
    *,
    evaluator: Evaluator,
    task: str,
    missing: dict[str, Any],
    case: Case,
    a_run: Callable[..., Run],
    a_trace: Callable[..., Trace],
    ask: Callable[..., Awaitable[Evaluation]],
) -> None:
    bare = Case(id="bare", task=task)
    for held in (case.changed(task=task), bare):
        evaluation = await ask(evaluator, a_run(**({"trace": a_trace(), "case": held} | missing)))
        assert tuple(score.name for score in evaluation.scores) == evaluator.metrics


@pytest.mark.parametrize("evaluator", ALL, ids=lambda evaluator: evaluator.name)
async def test_every_score_explains_itself(
    evaluator: Evaluator, a_run: Callable[..., Run], ask: Callable[..., Awaitable[Evaluation]]
) -> None:
    for score in (await ask(evaluator, a_run())).scores:
        assert score.explanation
        assert (score.evaluator, score.version, score.tier) == (evaluator.name, evaluator.version, evaluator.tier)


def test_no_two_evaluators_give_a_score_of_the_same_name() -> None:
    names = [metric for evaluator in ALL for metric in evaluator.metrics]
    assert len(names) == len(set(names))
