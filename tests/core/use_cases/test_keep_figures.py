"""Figures are written into pages and files of figures, and what is missing leaves what was there."""

from pathlib import Path

import pytest

from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.figure_file import read_figures
from agents_eval_core.use_cases.keep_figures import keep_figures
from agents_eval_core.validity import Suite

PAGE = "<!-- figures: v -->\n<!-- end of figures -->\n<!-- figures: w -->\nkept\n<!-- end of figures -->\n"


def suite(name: str = "v", value: float | None = 0.75, reason: str | None = None) -> Suite:
    return Suite(name=name, metric="m", measure="AUC", value=value, n=4, unit="runs", data="tau", reason=reason)


def no_checks() -> list[Suite]:
    return []


def test_a_page_gets_its_blocks_and_what_was_not_measured_is_told(clean_place: Path) -> None:
    page = clean_place / "metrics.md"
    page.write_text(PAGE)
    told = keep_figures([page], [suite(), suite("w", None, "no data")], no_checks, "2026-01-02")
    assert "| `m` | AUC | 0.750 |  | 4 runs |" in page.read_text()
    assert "\nkept\n" in page.read_text()
    assert told == (
        f"the block 'w' of {page} was left as it was: w was not measured",
        "w was not measured: no data",
    )


def test_a_page_is_written_from_the_file_of_figures_beside_it(clean_place: Path) -> None:
    page, file = clean_place / "metrics.md", clean_place / "figures.json"
    page.write_text(PAGE)
    keep_figures([file], [suite("w", 0.5)], lambda: [suite("w", 0.4), suite("unasked")], "2026-01-01")
    told = keep_figures([page, file], [suite()], no_checks, "2026-01-02")
    assert told == ()
    assert "`agents-eval validate w`, 2026-01-01" in page.read_text()
    assert read_figures(file).made == {"v": "2026-01-02", "w": "2026-01-01"}
    assert [(one.name, one.value) for one in read_figures(file).checks] == [("w", 0.4)]


def test_files_that_cannot_take_figures_are_refused(clean_place: Path) -> None:
    (clean_place / "broken.json").write_text("[")
    for names, error in (
        (["a.txt"], UsageError),
        (["no-page.md"], UsageError),
        (["a.json", "b.json"], UsageError),
        (["broken.json"], UnreadableError),
    ):
        with pytest.raises(error):
            keep_figures([clean_place / name for name in names], [suite()], no_checks, "2026-01-02")
