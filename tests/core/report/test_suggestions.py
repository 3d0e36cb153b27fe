"""Suggestions come from what the scorecard says, ranked, each with its reason."""

from agents_eval_core.composite import SIX
from agents_eval_core.report.advice import LOW, MISSING
from agents_eval_core.report.run_report import MEANINGS
from agents_eval_core.report.suggestions import suggestions
from agents_eval_core.score import Score, Scorecard


def test_the_gravest_comes_first_then_what_could_raise_the_composite_most(scorecard: Scorecard) -> None:
    assert [(one.severity, one.source) for one in suggestions(scorecard)] == [
        ("critical", "copied"),
        ("warning", "output_similarity"),
        ("warning", "tool_efficiency"),
        ("warning", "repeated"),
        ("info", "planning_rationality"),
    ]


def test_each_says_what_it_rests_on_and_quotes_it(scorecard: Scorecard) -> None:
    by_source = {one.source: one for one in suggestions(scorecard)}
    assert by_source["copied"].evidence.span_ids == ("s3",)
    assert by_source["output_similarity"].evidence.quotes == ("a missed point",)
    assert by_source["planning_rationality"].because == "no value: no judge configured"


def test_a_metric_within_the_human_range_gives_no_advice(scorecard: Scorecard) -> None:
    good = Score(name="output_similarity", value=0.3, explanation="x", evaluator="e", version="1", tier=1)
    better = scorecard.changed(scores=(good,), findings=())
    assert suggestions(better) == ()


def test_every_metric_of_the_composite_has_its_words() -> None:
    assert set(LOW) == set(MISSING) == set(MEANINGS) == set(SIX)
