import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from agents_eval_core.case import Case
from agents_eval_core.paper import Paper, Section
from agents_eval_core.review import Flag, HumanReview, Point, Rating, Review, Scale
from agents_eval_core.run import Run, RunRecord, System
from agents_eval_core.score import Evidence, Finding, Measure, Quartiles, Range, Score, Scorecard, VerdictRange
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace, Usage

BEGUN = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


@pytest.fixture
def a_review() -> Review:
    """Return a review that uses every field."""
    scale = Scale(lowest=1, highest=10)
    return Review(
        summary="It measures café noise.\n\nTwice.",
        strengths=(Point(text="Clear.", anchor="Section 3"), Point(text="Honest.")),
        weaknesses=(Point(text="No baseline.\nNone at all.", anchor="Table 1"),),
        questions=(Point(text="Why?"),),
        suggestions=(Point(text="Add error bars.", anchor='"we report the mean"'),),
        rating=Rating(value=6, scale=scale),
        confidence=Rating(value=2.5, scale=Scale(lowest=1, highest=5)),
        recommendation="weak_accept",
        flags=(Flag(field="confidence", given="not 5, rather 2", problem="no number"),),
    )


@pytest.fixture
def a_run(a_review: Review) -> Callable[..., Run]:
    """Return a builder of runs that are complete and have a review."""

    def build(**changes: Any) -> Run:
        paper = Paper(
            id="p/1",
            dataset="sample",
            title="On noise",
            abstract="We listen.",
            sections=(Section(heading="1", text="x"),),
        )
        given: dict[str, Any] = {
            "id": "20260102T030405-0a1b2c3d",
            "status": "complete",
            "case": Case(id="p/1", dataset="sample", paper=paper, references=(HumanReview(id="r1", text="Fine."),)),
            "system": System(engine="mas", composition="manager+researcher", model="offline-baseline"),
            "output": a_review,
            "created_at": BEGUN,
        }
        return Run(**(given | changes))

    return build


@pytest.fixture
def a_record() -> Callable[..., RunRecord]:
    """Return a builder of records."""

    def build(run_id: str = "r1", **changes: Any) -> RunRecord:
        given: dict[str, Any] = {
            "directory": f"runs/{run_id}",
            "status": "complete",
            "engine": "mas",
            "composition": "manager",
            "paper": "p/1",
            "created_at": BEGUN,
        }
        return RunRecord(id=run_id, **(given | changes))

    return build


@pytest.fixture
def a_trace() -> Callable[..., Trace]:
    """Return a builder of traces with so many spans."""

    def build(spans: int = 3) -> Trace:
        made = tuple(
            Span(
                id=f"s{place}",
                parent_id=f"s{place - 1}" if place else None,
                seq=place,
                operation="execute_tool",
                name=f"execute_tool search {place}",
                agent_id="m",
                started_at=BEGUN,
                ended_at=BEGUN,
                status="ok",
                tool=ToolUse(name="search", arguments={"query": "noise"}, result="a long text " * 20),
                usage=Usage(input_tokens=10, output_tokens=2),
            )
            for place in range(spans)
        )
        return Trace(id="t", source=Source(format="otlp"), spans=made, agents=(Agent(id="m", name="manager"),))

    return build


@pytest.fixture
def a_scorecard() -> Callable[..., Scorecard]:
    """Return a builder of scorecards that use every field."""

    def build(run_id: str = "r1", **changes: Any) -> Scorecard:
        given: dict[str, Any] = {
            "composite": 0.1 + 0.2,
            "coverage": 0.8,
            "bounds": Range(low=0.25, high=0.45),
            "verdict": "weak_reject",
            "verdict_range": VerdictRange(low="weak_reject", high="accept"),
            "weights_used": {"task_success": 1.0},
            "tier_scores": {1: 0.3, 2: None, 3: 0.5},
            "scores": (
                Score(
                    name="task_success",
                    value=0.3,
                    measures=(Measure(name="duties", value=5, unit="duties"),),
                    evidence=Evidence(span_ids=("s1",), quotes=("No baseline.",)),
                    evaluator="task_success",
                    version="1",
                    tier=1,
                ),
                Score(
                    name="planning_rationality",
                    reason="not_measured",
                    explanation="no judge configured",
                    evaluator="judge",
                    version="1",
                    tier=2,
                ),
            ),
            "measures": (Measure(name="tokens", value=12, unit="tokens"), Measure(name="topology", value="star")),
            "findings": (Finding(name="thin", severity="warning", sentence="It is thin."),),
            "humans": {"output_similarity": Quartiles(lower=0.2, median=0.4, upper=0.6, n=9, venue="v")},
        }
        return Scorecard(run_id=run_id, **(given | changes))

    return build


@pytest.fixture
def otlp_lines() -> bytes:
    """Return the spans of a small run as OTLP JSON lines."""
    spans: list[dict[str, Any]] = [
        {
            "traceId": "0" * 31 + "1",
            "spanId": f"{place:016x}",
            "parentSpanId": f"{place - 1:016x}" if place > 1 else "",
            "name": "invoke_agent manager",
            "kind": 1,
            "startTimeUnixNano": str(1767323045000000000 + place),
            "endTimeUnixNano": str(1767323046000000000 + place),
            "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}},
                {"key": "gen_ai.agent.name", "value": {"stringValue": "manager"}},
            ],
            "status": {},
        }
        for place in (1, 2, 3)
    ]
    return b"".join(
        json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode() + b"\n" for span in spans
    )
