"""What two sets of evaluated runs say about each other."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from agents_eval_core.comparison import Contrast, MetricComparison, Side
from agents_eval_core.composite import EQUAL_WEIGHTS, compose
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Finding, Measure, Score, Scorecard
from agents_eval_core.use_cases.contrast import EvaluatedSide, contrast, metrics_of

SPREAD = (0.02, -0.01, 0.0, 0.03, -0.02, 0.01, -0.03, 0.02, 0.01, -0.01, 0.0, 0.02)
COPIED = Finding(name="copied", severity="critical", sentence="It is the paper's own text.")


def a_score(name: str, value: float | None, **more: Any) -> Score:
    why: dict[str, Any] = {} if value is not None else {"reason": "not_measured", "explanation": "no judge configured"}
    about: dict[str, Any] = {"name": name, "value": value, "evaluator": name, "version": "1", "tier": 3}
    return Score.model_validate({**about, **why, **more})


def a_card(run_id: str, scores: Sequence[Score], findings: Sequence[Finding] = ()) -> Scorecard:
    composite = compose(scores, findings=findings)
    return Scorecard.model_validate(
        {**composite.model_dump(), "run_id": run_id, "scores": tuple(scores), "findings": tuple(findings)}
    )


def a_side(
    label: str,
    scores: Sequence[Sequence[Score]],
    *,
    findings: Sequence[Finding] = (),
    missing: Mapping[str, str] | None = None,
    dataset: str = "sample",
) -> EvaluatedSide:
    records = tuple(
        RunRecord(
            id=f"{label}{index}",
            directory=f"runs/{label}{index}",
            status="complete",
            engine="mas",
            composition=label,
            dataset=dataset,
            paper=f"p{index}",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for index in range(len(scores))
    )
    cards = {
        r.id: a_card(r.id, each, findings)
        for r, each in zip(records, scores, strict=True)
        if r.id not in (missing or {})
    }
    side = Side(selector=label, label=label, runs=tuple(record.id for record in records))
    return EvaluatedSide(side=side, records=records, scorecards=cards, missing=missing or {})


def successes(base: float, papers: int = 12, spread: Sequence[float] = SPREAD) -> list[list[Score]]:
    return [[a_score("task_success", base + spread[index])] for index in range(papers)]


def contrasted(first: EvaluatedSide, second: EvaluatedSide, **more: Any) -> Contrast:
    settings: dict[str, Any] = {"weights": EQUAL_WEIGHTS, "confidence": 0.95, "metrics": metrics_of([first, second])}
    return contrast(first, second, **{**settings, **more})


def row(result: Contrast, metric: str) -> MetricComparison:
    return next(each for each in result.metrics if each.metric == metric)


def test_a_clear_difference_over_enough_papers_is_concluded() -> None:
    result = contrasted(a_side("full", successes(0.7)), a_side("manager", successes(0.6, spread=SPREAD[::-1])))
    assert result.conclusion == "better"
    assert result.sentence.startswith("full is better than manager by 0.10 [")
    assert "(95 %, 12 papers)" in result.sentence
    whole = row(result, "composite")
    assert whole.difference == pytest.approx(0.1)
    assert whole.interval is not None
    assert whole.interval.low > 0
    assert (whole.pairs, whole.papers) == (12, 12)


def test_the_other_way_round_it_is_worse_by_the_same() -> None:
    sides = a_side("full", successes(0.7)), a_side("manager", successes(0.6, spread=SPREAD[::-1]))
    there, back = contrasted(*sides), contrasted(*reversed(sides))
    assert (there.conclusion, back.conclusion) == ("better", "worse")
    assert row(there, "composite").difference == pytest.approx(-(row(back, "composite").difference or 0))


def test_three_papers_decide_nothing_and_the_sentence_says_so() -> None:
    result = contrasted(a_side("full", successes(0.9, papers=3)), a_side("manager", successes(0.1, papers=3)))
    assert result.conclusion == "not enough data"
    assert result.sentence == "not enough data: 3 papers cannot decide; at least 6 are needed; over task_success"


def test_the_composite_is_made_over_the_metrics_measured_on_both_sides() -> None:
    first = [[a_score("task_success", 0.5), a_score("tool_efficiency", 1.0)] for _ in range(8)]
    second = [[a_score("task_success", 0.5), a_score("tool_efficiency", None)] for _ in range(8)]
    result = contrasted(a_side("a", first), a_side("b", second))
    whole = row(result, "composite")
    assert whole.first_mean == whole.second_mean == 0.5
    assert whole.reason.endswith("over task_success")
    efficiency = row(result, "tool_efficiency")
    assert (efficiency.pairs, efficiency.difference, efficiency.conclusion) == (0, None, "not enough data")
    assert "left out in 8 pairs: not_measured: no judge configured" in efficiency.reason


def test_weights_decide_what_the_composite_compares() -> None:
    first = [[a_score("task_success", 0.8 + x), a_score("tool_efficiency", 0.2)] for x in SPREAD]
    second = [[a_score("task_success", 0.2), a_score("tool_efficiency", 0.8)] for _ in SPREAD]
    sides = a_side("a", first), a_side("b", second)
    tools = {"task_success": 1.0, "tool_efficiency": 9.0}
    success = {"task_success": 9.0, "tool_efficiency": 1.0}
    assert [contrasted(*sides, weights=each).conclusion for each in (tools, success)] == ["worse", "better"]


def test_output_similarity_is_compared_on_its_raw_scale_where_all_have_it() -> None:
    def similar(percentile: float, raw: float | None) -> Score:
        measures = (Measure(name="raw_similarity", value=raw),) if raw is not None else ()
        return a_score("output_similarity", percentile, tier=1, measures=measures)

    first = [[similar(0.9, 0.30 + x)] for x in SPREAD]
    result = contrasted(a_side("a", first), a_side("b", [[similar(0.2, 0.25)] for _ in SPREAD]))
    raw = row(result, "output_similarity")
    assert raw.unit == "raw similarity"
    assert raw.difference == pytest.approx(0.05, abs=0.01)
    assert "in raw similarity" in raw.reason
    for lacking in (12, 1):
        partly = [[similar(0.2, None if index < lacking else 0.25)] for index, _ in enumerate(SPREAD)]
        mixed = row(contrasted(a_side("a", first), a_side("b", partly)), "output_similarity")
        assert (mixed.unit, mixed.pairs) == ("", 12)
        assert mixed.difference == pytest.approx(0.7)


def test_runs_of_another_dataset_do_not_pair() -> None:
    result = contrasted(a_side("a", successes(0.7)), a_side("b", successes(0.6), dataset="peerread"))
    assert result.conclusion == "not enough data"
    assert len(result.unmatched_first) == len(result.unmatched_second) == 12
    assert result.sentence == (
        "not enough data: no paper has it measured on both sides; "
        "12 runs of a without a partner; 12 runs of b without a partner"
    )


def test_runs_without_a_scorecard_are_listed_with_the_reason_and_so_are_their_partners() -> None:
    result = contrasted(
        a_side("a", successes(0.7), missing={"a3": "it was not evaluated"}), a_side("b", successes(0.6))
    )
    assert result.unmatched_first == ("a3",)
    assert result.unmatched_second == ("b3",)
    assert result.unmatched_reasons["a3"] == "it was not evaluated"
    assert "no run left of sample p3" in result.unmatched_reasons["b3"]
    assert row(result, "composite").pairs == 11


def test_runs_that_failed_are_counted_in_the_sentence() -> None:
    side = a_side("a", successes(0.7))
    failing = EvaluatedSide(
        side=side.side.changed(excluded={"x": "failed", "y": "failed", "z": "unfinished"}),
        records=side.records,
        scorecards=side.scorecards,
        missing={},
    )
    sentence = contrasted(failing, a_side("b", successes(0.6))).sentence
    assert sentence.endswith("2 runs of a left out: failed; 1 run of a left out: unfinished")


def test_scores_of_different_versions_are_not_compared() -> None:
    first = [[a_score("task_success", 0.9, version="2")] for _ in SPREAD]
    task = row(contrasted(a_side("a", first), a_side("b", successes(0.1))), "task_success")
    assert task.pairs == 0
    assert "different versions" in task.reason


def test_a_side_with_more_critical_faults_is_not_called_the_better_one() -> None:
    cheat = a_side("cheat", successes(0.9), findings=[COPIED])
    honest = a_side("honest", successes(0.6, spread=SPREAD[::-1]))
    for result in (contrasted(cheat, honest), contrasted(honest, cheat)):
        assert result.conclusion == "not enough data"
        assert "favours cheat, but 12 of its 12 outputs have a critical fault, against 0 of honest's" in result.sentence
    assert row(contrasted(cheat, honest), "task_success").conclusion == "better"
    assert (
        contrasted(cheat, a_side("other", successes(0.5, spread=SPREAD[::-1]), findings=[COPIED])).conclusion
        == "better"
    )


def test_the_six_come_first_and_the_others_by_name() -> None:
    side = a_side("a", [[a_score(name, 0.5) for name in ("zeta", "alpha", "tool_efficiency", "task_success")]])
    assert metrics_of([side]) == ("task_success", "tool_efficiency", "alpha", "zeta")


def test_repetitions_of_a_paper_do_not_pass_for_papers() -> None:
    def repeated(label: str, base: float) -> EvaluatedSide:
        side = a_side(label, successes(base))
        records = tuple(
            record.changed(paper=f"p{index % 2}", repetition=index // 2) for index, record in enumerate(side.records)
        )
        return EvaluatedSide(side=side.side, records=records, scorecards=side.scorecards, missing={})

    result = contrasted(repeated("a", 0.9), repeated("b", 0.1))
    assert (row(result, "composite").pairs, row(result, "composite").papers) == (12, 2)
    assert result.conclusion == "not enough data"
