"""A run of two agents with a failed call, hostile words in all its texts, and its scorecard."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from agents_eval_core.case import Case
from agents_eval_core.review import HumanReview, Point, Review
from agents_eval_core.run import Run, System
from agents_eval_core.score import (
    Evidence,
    Finding,
    Measure,
    Part,
    Quartiles,
    Range,
    Score,
    Scorecard,
    Tier,
    VerdictRange,
)
from agents_eval_core.trace import Agent, Source, Span, ToolUse, Trace

HOSTILE = '<script>alert(1)</script> <img src="http://evil.example/x"> [a](http://evil.example) \x1b[31m'
BEGUN = datetime(2026, 5, 1, tzinfo=UTC)


def _span(seq: int, agent: str, name: str) -> Span:
    at = BEGUN + timedelta(seconds=seq)
    return Span(
        id=f"s{seq}",
        seq=seq,
        operation="execute_tool",
        name=name,
        agent_id=agent,
        status="ok",
        started_at=at,
        ended_at=at,
        tool=ToolUse(name=name, arguments={"text": HOSTILE}, result=HOSTILE),
    )


@pytest.fixture
def trace() -> Trace:
    return Trace(
        id="t",
        source=Source(format="native"),
        agents=(Agent(id="m", name="manager", role="orchestrator"), Agent(id="r", name=HOSTILE)),
        spans=(
            replace(_span(0, "m", "delegate"), to_agent_id="r"),
            _span(1, "r", "read"),
            replace(_span(2, "r", "read"), status="error", error_text=HOSTILE),
            _span(3, "r", f"tool {HOSTILE}"),
            replace(_span(4, "r", ""), operation="handoff", to_agent_id="m", tool=None),
        ),
    )


@pytest.fixture
def run(trace: Trace) -> Run:
    return Run(
        id="run-1",
        status="complete",
        case=Case(id=HOSTILE, task="peer_review", references=(HumanReview(id="h", text=HOSTILE),)),
        system=System(engine="mas", composition="manager+researcher", model="m"),
        trace=trace,
        output=Review(summary=HOSTILE, weaknesses=(Point(text=HOSTILE, anchor=HOSTILE),)),
        notes=(HOSTILE,),
        created_at=BEGUN,
    )


@pytest.fixture
def scorecard() -> Scorecard:
    def score(name: str, tier: Tier, value: float | None, why: str = HOSTILE) -> Score:
        reason = None if value is not None else "not_measured"
        return Score(name=name, value=value, reason=reason, explanation=why, evaluator=name, version="1", tier=tier)

    return Scorecard(
        run_id="run-1",
        composite=0.6,
        coverage=0.75,
        bounds=Range(low=0.45, high=0.7),
        verdict="weak_reject",
        verdict_range=VerdictRange(low="weak_reject", high="weak_accept"),
        weights_used={"output_similarity": 0.5, "tool_efficiency": 0.5},
        scores=(
            score("output_similarity", 1, 0.2),
            score("tool_efficiency", 3, 0.5),
            score("planning_rationality", 2, None, "no judge configured"),
            score("point_coverage", 1, 0.0).changed(parts=(Part(text="a missed point", mark="missed"),)),
        ),
        findings=(
            Finding(name="repeated", severity="warning", sentence="said twice", evidence=Evidence(quotes=(HOSTILE,))),
            Finding(name="copied", severity="critical", sentence="copied", evidence=Evidence(span_ids=("s3",))),
            Finding(name="of a third party", severity="warning", sentence="odd"),
        ),
        measures=(Measure(name="manager.input_tokens", value=120, unit="tokens"),),
        humans={"output_similarity": Quartiles(lower=0.25, median=0.5, upper=0.75, n=90, venue="iclr_2017")},
    )
