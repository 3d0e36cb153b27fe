"""A comparison on a terminal."""

from math import log

from agents_eval_cli.views.comparison import comparison_view
from agents_eval_cli.views.page import page
from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, Side
from agents_eval_core.score import Range


def a_comparison() -> Comparison:
    metric = MetricComparison(
        metric="coordination_quality",
        pairs=3,
        papers=3,
        baseline_mean=0.5,
        candidate_mean=0.75,
        difference=-0.25,
        interval=Range(low=-0.5, high=0.01),
        adjusted_p=0.3,
        conclusion="not enough data",
        reason="three papers",
    )
    absent = metric.changed(
        pairs=0, baseline_mean=None, candidate_mean=None, difference=None, interval=None, metric="time_taken"
    )
    contrast = Contrast(
        baseline=Side(selector="a", label="full", runs=("1",), excluded={"4": "failed"}),
        candidate=Side(selector="b", label="manager", runs=("2",)),
        unmatched_candidate=("3",),
        unmatched_reasons={"3": "no such paper on the other side"},
        metrics=(metric, absent),
        conclusion="not enough data",
        sentence="three papers decide nothing",
    )
    return Comparison(confidence=0.95, contrasts=(contrast,))


def test_each_metric_has_both_means_their_difference_and_its_interval() -> None:
    lines = page(comparison_view(a_comparison())).splitlines()
    assert "manager (candidate) against full (baseline), 3 papers" in lines
    row = next(line for line in lines if line.startswith("coordination_quality"))
    cells = ["coordination_quality", "0.50", "0.75", "-0.25", "-0.50", "to", "+0.01", "0.3", "not", "enough", "data"]
    assert row.split() == cells
    assert max(map(len, lines)) <= 80


def test_what_no_pair_measured_is_named_and_no_number() -> None:
    text = " ".join(page(comparison_view(a_comparison())).split())
    assert "In no pair measured on both sides: time_taken" in text


def test_a_ratio_is_shown_for_what_is_compared_in_logarithms() -> None:
    comparison = a_comparison()
    contrast = comparison.contrasts[0]
    timed = contrast.metrics[0].changed(
        metric="elapsed_seconds", unit="log s", baseline_mean=0.0, candidate_mean=log(2), difference=log(2),
        interval=Range(low=0.0, high=log(4)), papers=2,
    )  # fmt: skip
    shown = page(comparison_view(comparison.changed(contrasts=(contrast.changed(resources=(timed,)),))))
    row = next(line for line in shown.splitlines() if line.startswith("elapsed_seconds"))
    assert row.split()[:8] == ["elapsed_seconds", "(s)", "(n", "=", "1", "2", "x2.00", "x1.00"]


def test_the_conclusion_and_what_was_left_out_are_said() -> None:
    text = " ".join(page(comparison_view(a_comparison())).split())
    assert "not enough data: three papers decide nothing" in text
    assert "4 of full: it is failed" in text
    assert "3: no such paper on the other side" in text
