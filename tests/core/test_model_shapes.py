"""The shape of what is written and sent: a change here is a change for everybody who reads it."""

from inline_snapshot import snapshot

from agents_eval_core.composite import compose
from agents_eval_core.review import Point, Rating, Review, Scale
from agents_eval_core.score import Finding, Score, Scorecard


def test_a_scorecard_as_json() -> None:
    scores = (
        Score(
            name="task_success", value=0.75, explanation="of 5 duties 1 is missing", evaluator="t", version="1", tier=1
        ),
        Score(name="tool_efficiency", value=1.0, evaluator="t", version="1", tier=3),
        Score(
            name="planning_rationality",
            reason="not_measured",
            explanation="no judge",
            evaluator="p",
            version="0",
            tier=2,
        ),
    )
    findings = (Finding(name="quotes", severity="warning", sentence="a quarter is quoted"),)
    card = Scorecard(**dict(compose(scores, findings=findings)), run_id="r", scores=scores, findings=findings)
    assert card.model_dump(mode="json", exclude_defaults=True) == snapshot(
        {
            "composite": 0.875,
            "coverage": 0.333333333333,
            "bounds": {"low": 0.291666666667, "high": 0.958333333333},
            "verdict": "reject",
            "verdict_range": {"low": "reject", "high": "accept"},
            "weights_used": {"task_success": 0.5, "tool_efficiency": 0.5},
            "tier_scores": {"1": 0.75, "2": None, "3": 1.0},
            "run_id": "r",
            "scores": [
                {
                    "name": "task_success",
                    "value": 0.75,
                    "explanation": "of 5 duties 1 is missing",
                    "evaluator": "t",
                    "version": "1",
                    "tier": 1,
                },
                {"name": "tool_efficiency", "value": 1.0, "evaluator": "t", "version": "1", "tier": 3},
                {
                    "name": "planning_rationality",
                    "reason": "not_measured",
                    "explanation": "no judge",
                    "evaluator": "p",
                    "version": "0",
                    "tier": 2,
                },
            ],
            "findings": [{"name": "quotes", "severity": "warning", "sentence": "a quarter is quoted"}],
        }
    )


def test_a_review_as_json() -> None:
    review = Review(
        summary="It gates layers.",
        weaknesses=(Point(text="No seeds.", anchor="Table 1"),),
        rating=Rating(value=5, scale=Scale(lowest=1, highest=10)),
        recommendation="weak_reject",
    )
    assert review.model_dump(mode="json") == snapshot(
        {
            "summary": "It gates layers.",
            "strengths": [],
            "weaknesses": [{"text": "No seeds.", "anchor": "Table 1"}],
            "questions": [],
            "suggestions": [],
            "rating": {"value": 5.0, "scale": {"lowest": 1.0, "highest": 10.0}},
            "confidence": None,
            "recommendation": "weak_reject",
            "flags": [],
            "reading": "",
        }
    )
