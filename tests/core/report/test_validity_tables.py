"""The marked blocks of a page are written from figures, and nothing else of it is touched."""

from agents_eval_core.report.validity_tables import blocks, renewed
from agents_eval_core.score import Range
from agents_eval_core.validity import Suite

PAGE = """# Title

<!-- figures: v m -->
old
<!-- end of figures -->

between

<!-- figures: v as matrix -->
<!-- end of figures -->

<!-- figures: absent -->
as it was
<!-- end of figures -->

<!-- figures: worth -->
<!-- end of figures -->
end
"""


def suite(metric: str, measure: str = "AUC", value: float = 0.75) -> Suite:
    return Suite(
        name="v",
        metric=metric,
        measure=measure,
        value=value,
        interval=Range(low=0.6, high=0.8),
        n=40,
        unit="runs",
        data="tau",
        tuned="the other half",
        chance=0.5,
    )


FIGURES = [suite("m"), suite("m", "loop found", 0.99), suite("k", "loop found", 0.01)]


def test_blocks_are_written_and_the_rest_is_left() -> None:
    page = renewed(PAGE, FIGURES, {"v": "2026-01-02"})
    assert "| `m` | AUC | 0.750 | 0.600 to 0.800 | 0.500 | 40 runs |" in page
    assert "`agents-eval validate v`, 2026-01-02. Tested on tau; fitted on nothing; tuned on the other half." in page
    assert "| `k` |  | 0.010 (40) |" in page
    assert "| `m` | predictive | AUC; tau | 0.750 | 0.600 to 0.800 | 0.500 |" in page
    assert "as it was" in page
    assert "old" not in page
    assert "\nbetween\n" in page
    assert page.endswith("-->\nend\n")


def test_writing_twice_changes_nothing() -> None:
    once = renewed(PAGE, FIGURES, {})
    assert renewed(once, FIGURES, {}) == once
    assert blocks(once) == ("v m", "v as matrix", "absent", "worth")


def test_columns_are_shown_only_where_they_differ() -> None:
    halves = [suite("m"), suite("m").changed(data="AG2", half="test half")]
    page = renewed(PAGE, halves, {})
    assert "| tested on |" in page
    assert "| AG2, test half |" in page
    assert "| fitted on |" not in page


def test_other_forms_put_test_sets_beside_one_another_or_show_the_largest_value() -> None:
    halves = [suite("m"), suite("k", value=0.9).changed(data="AG2", half="test half")]
    wide = renewed("<!-- figures: v m k as wide -->\n<!-- end of figures -->", halves, {})
    assert "| metric | measure | tau | AG2, test half |" in wide
    assert "| `m` | AUC | 0.75 [0.60, 0.80] (40) |  |" in wide
    largest = renewed("<!-- figures: v,w as largest -->\n<!-- end of figures -->", halves, {})
    assert "| AUC | 2 | 0.900 | 40 runs | `k` |" in largest
