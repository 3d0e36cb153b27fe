"""A comparison on a terminal."""

from agents_eval_cli.views.comparison import comparison_view
from agents_eval_cli.views.page import page
from agents_eval_core.comparison import Comparison, Contrast, MetricComparison, Side
from agents_eval_core.score import Range


def a_comparison() -> Comparison:
    metric = MetricComparison(
        metric="coordination_quality",
        pairs=3,
        papers=3,
        first_mean=0.5,
        second_mean=0.75,
        difference=-0.25,
        interval=Range(low=-0.5, high=0.01),
        conclusion="not enough data",
        reason="three papers",
    )
    absent = metric.changed(first_mean=None, second_mean=None, difference=None, interval=None, metric="time_taken")
    contrast = Contrast(
        first=Side(selector="a", label="full", runs=("1",), excluded={"4": "failed"}),
        second=Side(selector="b", label="manager", runs=("2",)),
        unmatched_second=("3",),
        unmatched_reasons={"3": "no such paper on the other side"},
        metrics=(metric, absent),
        conclusion="not enough data",
        sentence="three papers decide nothing",
    )
    return Comparison(confidence=0.95, contrasts=(contrast,))


def test_each_metric_has_both_means_their_difference_and_its_interval() -> None:
    lines = page(comparison_view(a_comparison())).splitlines()
    assert "full against manager" in lines
    row = next(line for line in lines if line.startswith("coordination_quality"))
    assert row.split() == [
        "coordination_quality",
        "0.50",
        "0.75",
        "-0.25",
        "-0.50",
        "to",
        "+0.01",
        "3",
        "not",
        "enough",
        "data",
    ]
    assert max(map(len, lines)) <= 80


def test_what_is_unknown_is_no_number() -> None:
    row = next(line for line in page(comparison_view(a_comparison())).splitlines() if line.startswith("time_taken"))
    assert row.split()[1:5] == ["none"] * 4


def test_the_conclusion_and_what_was_left_out_are_said() -> None:
    text = " ".join(page(comparison_view(a_comparison())).split())
    assert "not enough data: three papers decide nothing" in text
    assert "4 of full: it is failed" in text
    assert "3: no such paper on the other side" in text
