"""All conclusions at a glance: each pair from both sides, and the pairs themselves folded."""

from itertools import combinations

import pytest

from agents_eval_core.comparison import Comparison, Conclusion, Contrast, MetricComparison, Side
from agents_eval_core.report.comparison_html import comparison_html
from agents_eval_core.report.conclusion_matrix import conclusion_matrix

LABELS = ("manager", "manager+analyst", "full", "full+critic")


def a_comparison(labels: tuple[str, ...], first: Conclusion) -> Comparison:
    """Return a comparison of sides in which only the first pair came to a conclusion."""
    sides = [Side(selector=f"night:{label}", label=label, runs=("1",)) for label in labels]
    contrasts = [
        Contrast(
            baseline=one,
            candidate=other,
            metrics=(_composite(first if not place else "not enough data"),),
            conclusion=first if not place else "not enough data",
            sentence="not enough data: too few papers",
        )
        for place, (one, other) in enumerate(combinations(sides, 2))
    ]
    return Comparison(confidence=0.95, claims=("composite",), contrasts=tuple(contrasts))


def _composite(conclusion: Conclusion) -> MetricComparison:
    return MetricComparison(
        metric="composite",
        claimed=True,
        pairs=6,
        papers=6,
        baseline_mean=0.5,
        candidate_mean=0.5,
        difference=0.0,
        interval=None,
        p=None,
        adjusted_p=None,
        conclusion=conclusion,
        reason="",
    )


@pytest.mark.parametrize(("conclusion", "mirrored"), [("better", "worse"), ("worse", "better"), ("equivalent",) * 2])
def test_a_pair_is_seen_from_both_sides(conclusion: Conclusion, mirrored: Conclusion) -> None:
    matrix = conclusion_matrix(a_comparison(LABELS, conclusion))
    assert [label for label, _ in matrix] == list(LABELS)
    assert matrix[1][1][0] == conclusion  # the candidate against the baseline
    assert matrix[0][1][1] == mirrored
    assert [cells[place] for place, (_, cells) in enumerate(matrix)] == [None] * 4


def test_many_pairs_are_a_matrix_and_folded_and_few_are_neither() -> None:
    many, few = (comparison_html(a_comparison(LABELS[:number], "better")) for number in (4, 3))
    assert many.count("<details><summary>") == 6
    assert "Of 6 pairs: 1 better, 5 not enough data." in many
    assert '▲<span class="skip"> better</span>' in many
    assert "<details><summary>" not in few
    assert "manager+analyst against manager: <strong>better</strong>" in few
