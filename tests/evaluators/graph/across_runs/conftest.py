"""Builders of several runs of one task."""

from collections.abc import Awaitable, Callable, Sequence

import pytest

from agents_eval_core.case import Case
from agents_eval_core.ports.evaluator import EvaluationContext, GroupEvaluator
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation
from agents_eval_core.trace import Outcome, Span, Trace

Trial = Callable[..., Run]
Across = Callable[..., Awaitable[Evaluation]]


@pytest.fixture
def trial(a_run: Callable[..., Run], a_trace: Callable[..., Trace]) -> Trial:
    """Build one of several runs: `trial("b", *spans, success=False, text="30")`."""

    def build(name: str, *spans: Span, success: bool | None = True, text: str = "", **changes: object) -> Run:
        trace = a_trace(*spans, outcome=Outcome(success=success), **changes)
        return a_run(id=name, trace=trace, text=text, output=None, case=Case(id="c", task="sums"))

    return build


@pytest.fixture
def across() -> Across:
    """Ask a metric across runs."""

    async def evaluate(evaluator: GroupEvaluator, *runs: Run) -> Evaluation:
        return await evaluator.evaluate_group(runs, EvaluationContext())

    return evaluate


@pytest.fixture
def says() -> Callable[..., Span]:
    """Build something that an agent says."""

    def build(text: str, agent: str = "manager") -> Span:
        return Span(id="", seq=0, operation="message", name="message", agent_id=agent, text=text)

    return build


@pytest.fixture
def figures() -> Callable[[Evaluation], dict[str, object]]:
    """Return scores and measures by name; a reason where there is no value."""

    def by_name(evaluation: Evaluation) -> dict[str, object]:
        found: Sequence[tuple[str, object]] = [
            (one.name, one.value if one.reason is None else one.reason)
            for one in (*evaluation.scores, *evaluation.measures)
        ]
        return dict(found)

    return by_name
