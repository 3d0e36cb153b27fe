"""Scorecards and runs as the views are handed them."""

from datetime import UTC, datetime

import pytest

from agents_eval_core.case import Case
from agents_eval_core.composite import compose
from agents_eval_core.paper import Paper
from agents_eval_core.run import Problem, Resources, Run, System
from agents_eval_core.score import Finding, Measure, Quartiles, Score, Scorecard
from agents_eval_core.trace import Agent, Source, Span, Trace


@pytest.fixture
def scorecard() -> Scorecard:
    """Return a scorecard with every kind of thing in it."""
    scores = (
        Score(name="output_similarity", value=0.41, explanation="As alike as …", evaluator="a", version="1", tier=1),
        Score(name="time_taken", reason="not_applicable", explanation="offline", evaluator="b", version="1", tier=1),
        Score(
            name="planning_rationality",
            reason="not_measured",
            explanation="no judge configured",
            evaluator="c",
            version="1",
            tier=2,
        ),
        Score(name="tool_efficiency", value=0.9, explanation="9 of 10 calls", evaluator="d", version="1", tier=3),
        Score(
            name="coordination_quality",
            reason="failed",
            error_type="timeout",
            explanation="the time limit of 15 s was reached",
            evaluator="e",
            version="1",
            tier=3,
        ),
    )
    findings = (Finding(name="copied", severity="critical", sentence="Half of it is [copied] from the paper."),)
    return Scorecard(
        **dict(compose(scores, findings=findings)),
        run_id="r",
        scores=scores,
        findings=findings,
        measures=(Measure(name="tool_calls", value=10), Measure(name="cost_usd", value=None)),
        humans={"output_similarity": Quartiles(lower=0.25, median=0.5, upper=0.75, n=99, venue="iclr_2017")},
        resources=Resources(model_requests=7),
    )


@pytest.fixture
def failed_run() -> Run:
    """Return a run of two declared agents, of which one acted, that failed."""
    paper = Paper(id="x", dataset="sample", title="On [red]brackets[/red]")
    trace = Trace(
        id="t",
        source=Source(format="otlp"),
        agents=(Agent(id="1", name="manager"), Agent(id="2", name="researcher"), Agent(id="3", name="me", role="user")),
        spans=(
            Span(id="a", seq=0, operation="invoke_agent", name="invoke_agent", agent_id="1"),
            Span(id="b", seq=1, operation="message", name="message", agent_id="3"),
        ),
    )
    return Run(
        id="20261120T093048-abcdef01",
        status="failed",
        case=Case(id="sample/x", dataset="sample", paper=paper),
        system=System(
            engine="mas",
            composition="manager+researcher",
            agents=("manager", "researcher"),
            provider="offline",
            model="offline-baseline",
            has_language_model=False,
        ),
        trace=trace,
        created_at=datetime(2026, 11, 20, tzinfo=UTC),
        problem=Problem(error_type="ModelHTTPError", message="the model answered 429"),
        notes=("the Researcher failed, and the run went on",),
    )
