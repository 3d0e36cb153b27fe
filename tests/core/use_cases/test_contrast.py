"""What two sets of evaluated runs say about each other."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import log
from typing import Any

import pytest

from agents_eval_core.comparison import Contrast, MetricComparison, Side
from agents_eval_core.composite import EQUAL_WEIGHTS, compose
from agents_eval_core.run import RunRecord
from agents_eval_core.score import Finding, Measure, Score, Scorecard
from agents_eval_core.use_cases.contrast import Question, contrasts
from agents_eval_core.use_cases.evaluated_side import EvaluatedSide, metrics_of

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


def contrasted(candidate: EvaluatedSide, baseline: EvaluatedSide, **more: Any) -> Contrast:
    settings: dict[str, Any] = {"weights": EQUAL_WEIGHTS, "claims": ("composite",)}
    settings["metrics"] = metrics_of([baseline, candidate])
    (found,) = contrasts([baseline, candidate], Question(**{**settings, **more}))
    return found


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
    assert result.sentence == (
        "not enough data: 3 papers cannot decide; at least 6 are needed; "
        "3 more papers would settle it (80 % power at the difference seen); over task_success"
    )


def test_the_composite_is_made_over_the_metrics_measured_on_both_sides() -> None:
    first = [[a_score("task_success", 0.5), a_score("tool_efficiency", 1.0)] for _ in range(8)]
    second = [[a_score("task_success", 0.5), a_score("tool_efficiency", None)] for _ in range(8)]
    result = contrasted(a_side("a", first), a_side("b", second))
    whole = row(result, "composite")
    assert whole.baseline_mean == whole.candidate_mean == 0.5
    assert whole.reason.endswith("over task_success")
    efficiency = row(result, "tool_efficiency")
    assert (efficiency.pairs, efficiency.difference, efficiency.conclusion) == (0, None, "not enough data")
    assert "left out in 8 pairs: not_measured: no judge configured" in efficiency.reason


def test_weights_decide_what_the_composite_compares_but_no_winner_that_others_would_turn_round() -> None:
    first = [[a_score("task_success", 0.8 + x), a_score("tool_efficiency", 0.2)] for x in SPREAD]
    second = [[a_score("task_success", 0.2), a_score("tool_efficiency", 0.8)] for _ in SPREAD]
    sides = a_side("a", first), a_side("b", second)
    for weights, sign, favoured in (((1.0, 9.0), -1, "b"), ((9.0, 1.0), 1, "a")):
        named = dict(zip(("task_success", "tool_efficiency"), weights, strict=True))
        result = contrasted(*sides, weights=named)
        assert (row(result, "composite").difference or 0) * sign > 0.3
        assert result.flips == pytest.approx(0.5, abs=0.02)
        assert result.conclusion == "not enough data"
        assert f"favours {favoured} by its weights, and under 50 % of random weights the other side" in result.sentence
    assert contrasted(*sides, claims=("task_success",)).conclusion == "better"


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
    assert len(result.unmatched_candidate) == len(result.unmatched_baseline) == 12
    assert result.sentence == (
        "not enough data: no paper has it measured on both sides; "
        "12 runs of b without a partner; 12 runs of a without a partner"
    )


def test_runs_without_a_scorecard_are_listed_with_the_reason_and_so_are_their_partners() -> None:
    result = contrasted(
        a_side("a", successes(0.7), missing={"a3": "it was not evaluated"}), a_side("b", successes(0.6))
    )
    assert result.unmatched_candidate == ("a3",)
    assert result.unmatched_baseline == ("b3",)
    assert result.unmatched_reasons["a3"] == "it was not evaluated"
    assert result.unmatched_reasons["b3"] == "its partner a3 has no scorecard (not evaluated)"
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


def test_a_difference_within_the_stated_margin_is_equivalent_and_without_a_margin_undecided() -> None:
    sides = a_side("a", successes(0.6)), a_side("b", successes(0.6, spread=SPREAD[::-1]))
    assert contrasted(*sides).conclusion == "not enough data"
    result = contrasted(*sides, margin=0.05)
    assert result.conclusion == "equivalent"
    assert result.sentence.startswith("a and b are equivalent within 0.05: a minus b is ")


def test_what_is_not_better_may_still_be_shown_not_to_be_worse_by_the_margin() -> None:
    spread = tuple(4 * each for each in SPREAD)
    sides = a_side("a", successes(0.64, spread=spread)), a_side("b", successes(0.6, spread=spread[::-1]))
    result = contrasted(*sides, margin=0.06)
    assert (result.conclusion, row(result, "composite").non_inferior) == ("not enough data", True)
    assert "at least a is not worse by 0.06 or more (non-inferior)" in result.sentence
    assert row(contrasted(*reversed(sides), margin=0.06), "composite").non_inferior is False
    assert row(contrasted(*sides), "composite").non_inferior is None


def test_several_claims_are_corrected_by_holm_and_what_is_only_looked_at_is_not_among_them() -> None:
    names = [f"m{index}" for index in range(8)]
    noise = [0.02, 0.01, 0.03, 0.02, -0.01, 0.02, 0.01, 0.02]

    def sides() -> tuple[EvaluatedSide, EvaluatedSide]:
        ahead = [[a_score(name, 0.5 + each) for name in names] for each in noise]
        return a_side("a", ahead), a_side("b", [[a_score(name, 0.5) for name in names] for _ in noise])

    alone = row(contrasted(*sides(), claims=("m0",)), "m0")
    among = row(contrasted(*sides(), claims=tuple(names)), "m0")
    assert (alone.conclusion, among.conclusion) == ("better", "not enough data")
    assert alone.adjusted_p == alone.p
    assert among.adjusted_p == pytest.approx(min(1.0, 8 * (among.p or 0)))
    assert "at least 9 are needed for 8 claims" in among.reason
    screened = [each for each in contrasted(*sides(), claims=("m0",)).metrics if each.metric.startswith("m")]
    assert [each.claimed for each in screened] == [True] + [False] * 7


def test_one_claim_that_is_worse_makes_the_candidate_worse_whatever_the_others_are() -> None:
    up = [[a_score("m", 0.7 + x), a_score("n", 0.4 - x)] for x in SPREAD]
    sides = a_side("a", up), a_side("b", [[a_score("m", 0.5), a_score("n", 0.6)] for _ in SPREAD])
    result = contrasted(*sides, claims=("m", "n"))
    assert result.conclusion == "worse"
    assert result.sentence == "worse: in n; better in m"
    assert row(result, "m").reason.startswith("a is better than b by ")


def with_failures(side: EvaluatedSide, failed: int) -> EvaluatedSide:
    records = tuple(
        record.changed(status="failed") if index < failed else record for index, record in enumerate(side.records)
    )
    gone = {record.id: "failed" for record in records[:failed]}
    kept = tuple(record.id for record in records[failed:])
    cards = {run: card for run, card in side.scorecards.items() if run not in gone}
    return EvaluatedSide(side=side.side.changed(runs=kept, excluded=gone), records=records, scorecards=cards)


def test_failed_runs_are_missing_values_with_bounds_and_not_forgotten() -> None:
    sides = with_failures(a_side("a", successes(0.6)), 2), a_side("b", successes(0.6, spread=SPREAD[::-1]))
    found = row(contrasted(*sides), "task_success")
    assert (found.pairs, found.missing.candidate, found.missing.baseline) == (10, {"run failed": 2}, {})
    assert found.missing.bounds is not None
    assert found.missing.bounds.low == pytest.approx(-2 * 0.6 / 12, abs=0.01)
    assert found.missing.bounds.high == pytest.approx(2 * 0.4 / 12, abs=0.01)


def test_a_side_that_is_ahead_only_where_it_did_not_fail_is_not_called_the_better_one() -> None:
    good, plain = a_side("a", successes(0.65)), a_side("b", successes(0.6, spread=SPREAD[::-1]))
    assert contrasted(good, plain).conclusion == "better"
    failing = contrasted(with_failures(good, 4), plain)
    assert failing.conclusion == "not enough data"
    assert "a is ahead only where it did not fail: 4 failures against 0" in failing.sentence
    turned = contrasted(plain, with_failures(good, 4))
    assert turned.conclusion == "not enough data"
    assert contrasted(good, with_failures(plain, 4)).conclusion == "better"


def repeated(side: EvaluatedSide, papers: int, *, identical: bool) -> EvaluatedSide:
    """Return a side whose runs are repetitions of a few papers, the same word for word or not."""
    records = tuple(
        record.changed(paper=f"p{index % papers}", repetition=index // papers)
        for index, record in enumerate(side.records)
    )
    marks = {record.id: "same" if identical else record.id for record in records}
    return EvaluatedSide(side=side.side, records=records, scorecards=side.scorecards, fingerprints=marks)


def test_repetitions_that_are_the_same_word_for_word_count_once_and_others_in_full() -> None:
    same = [[a_score("task_success", 0.6 + SPREAD[index % 4])] for index in range(12)]
    for identical, pairs in ((True, 4), (False, 12)):
        sides = [repeated(a_side(name, same), 4, identical=identical) for name in ("a", "b")]
        found = row(contrasted(sides[0], sides[1]), "task_success")
        assert (found.pairs, found.papers) == (pairs, 4)
        assert found.spread is not None
        assert (found.spread.repetitions is None) == identical


def test_time_is_compared_in_log_seconds_and_less_is_better() -> None:
    def timed(name: str, seconds: Sequence[float]) -> EvaluatedSide:
        cards = [
            [a_score("time_taken", 60 / (60 + each), measures=(Measure(name="elapsed_seconds", value=each),))]
            for each in seconds
        ]
        return a_side(name, cards)

    slow, fast = timed("slow", [10 * (1 + x) for x in SPREAD]), timed("fast", [5 * (1 - x) for x in SPREAD])
    found = row(contrasted(fast, slow, margin=0.05), "time_taken")
    assert (found.unit, found.higher_is_better, found.conclusion) == ("log s", False, "better")
    assert found.difference == pytest.approx(-0.69, abs=0.03)
    assert found.reason.startswith("fast is better than slow: 0.50 times the s [")
    assert found.missing.bounds is None


def test_sides_of_different_papers_are_compared_unpaired_and_it_is_said() -> None:
    a, b = a_side("a", successes(0.7)), a_side("b", successes(0.6), dataset="peerread")
    assert contrasted(a, b).conclusion == "not enough data"
    result = contrasted(a, b, is_paired=False)
    assert (result.conclusion, result.paired) == ("better", False)
    assert "unpaired" in result.sentence
    assert not result.unmatched_candidate
    assert row(result, "task_success").papers == 12


def test_a_time_that_is_many_times_as_long_has_an_interval_around_it_unpaired_too() -> None:
    def taken(seconds: float) -> list[list[Score]]:
        times = (Measure(name="elapsed_seconds", value=seconds * (1 + each)) for each in SPREAD)
        return [[a_score("time_taken", 0.5, measures=(each,))] for each in times]

    fast, slow = a_side("a", taken(1.0)), a_side("b", taken(100.0), dataset="peerread")
    found = row(contrasted(slow, fast, is_paired=False), "time_taken")
    assert found.interval is not None
    assert found.difference == pytest.approx(log(100))
    assert found.interval.low < log(100) < found.interval.high


def test_of_more_than_two_sides_all_pairs_are_compared_and_corrected_together() -> None:
    turns = ((SPREAD, 0.5), (SPREAD[::-1], 0.6), (SPREAD[3:] + SPREAD[:3], 0.7))
    sides = [a_side(name, successes(base, spread=each)) for name, (each, base) in zip("abc", turns, strict=True)]
    found = contrasts(sides, Question(metrics=("task_success",), claims=("composite",), weights=EQUAL_WEIGHTS))
    assert [(each.baseline.label, each.candidate.label) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [each.conclusion for each in found] == ["better"] * 3
    assert row(found[0], "composite").adjusted_p == pytest.approx(3 * (row(found[0], "composite").p or 0), rel=0.01)
