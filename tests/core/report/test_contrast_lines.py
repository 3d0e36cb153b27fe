"""What the views say of a contrast: what never differs is named and takes no row."""

from agents_eval_core.comparison import (
    Beside,
    Comparison,
    Contrast,
    MetricComparison,
    MetricWorth,
    PartWorth,
    Side,
    Spread,
)
from agents_eval_core.report.comparison_markdown import comparison_markdown
from agents_eval_core.report.contrast_lines import contrast_lines
from agents_eval_core.score import Range

WIDE = Range(low=-0.14, high=0.14)


def a_metric(name: str, difference: float = 0.0, *, claimed: bool = False, spread: float = 0.0) -> MetricComparison:
    return MetricComparison(
        metric=name,
        claimed=claimed,
        pairs=20,
        papers=20,
        baseline_mean=0.5,
        candidate_mean=0.5 + difference,
        difference=difference,
        interval=WIDE,
        p=1.0,
        adjusted_p=1.0,
        conclusion="not enough data",
        reason="",
        beside=Beside(superiority=0.5),
        spread=Spread(papers=spread),
    )


def a_contrast(*metrics: MetricComparison, candidate: str = "b") -> Contrast:
    return Contrast(
        baseline=Side(selector="a", label="a", runs=("1",)),
        candidate=Side(selector=candidate, label=candidate, runs=("2",)),
        metrics=metrics,
        conclusion="not enough data",
        sentence="not enough data: too few",
    )


def test_what_is_the_same_on_every_paper_is_named_and_takes_no_row_unless_it_is_claimed_or_the_composite() -> None:
    of_it = contrast_lines(
        a_contrast(
            a_metric("composite"),
            a_metric("bleu"),
            a_metric("recovery", claimed=True),
            a_metric("jaccard", 0.01),
            a_metric("rouge_1", spread=0.2),
        ),
        0.95,
    )
    assert [row.metric for row in of_it.rows] == ["composite", "recovery", "jaccard", "rouge_1"]
    assert of_it.level == ("bleu",)
    assert of_it.beside == ()  # of a claim that never differs there is nothing to say beside it


def test_only_some_metrics_are_told_of_where_only_some_are_asked_for() -> None:
    contrast = a_contrast(a_metric("composite"), a_metric("bleu", 0.1), a_metric("chrf", 0.1))
    assert [row.metric for row in contrast_lines(contrast, 0.95, ("bleu",)).rows] == ["bleu"]


def test_of_many_pairs_a_page_says_first_how_many_came_out_how() -> None:
    decided = a_contrast(a_metric("composite", 0.2, claimed=True)).changed(conclusion="better")
    undecided = a_contrast(a_metric("composite", claimed=True), candidate="c")
    page = comparison_markdown(Comparison(confidence=0.95, claims=("composite",), contrasts=(decided, undecided)))
    assert "Of 2 pairs: 1 better, 1 not enough data." in page
    assert "| c | a | composite | +0.00 | -0.14 to +0.14 | 1 | 20 | **not enough data** |" in page


def test_agents_without_any_effect_are_a_sentence_and_no_table_of_zeros() -> None:
    part = PartWorth(of=("analyst",), kind="shapley", value=0.0, interval=WIDE, conclusion="not enough data")
    worth = MetricWorth(metric="task_success", papers=20, parts=(part,))
    comparison = Comparison(
        confidence=0.95, contrasts=(a_contrast(a_metric("composite", claimed=True)),), worth=(worth,)
    )
    assert "On 20 papers no composition differs from another: every effect is 0." in comparison_markdown(comparison)
    small = part.changed(value=0.0000676, interval=Range(low=-0.16, high=0.16))
    moved = comparison.changed(worth=(worth.changed(parts=(small,)),))
    assert "| analyst | shapley | +0.00 | -0.16 to +0.16 | not enough data |" in comparison_markdown(moved)
