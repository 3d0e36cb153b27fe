"""Figures about metrics: kept as they were measured, and what they allow to say."""

from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.figure_file import FigureFile, read_figures
from agents_eval_core.score import Range
from agents_eval_core.validity import Suite, figures_of, published_figures, worth


def suite(name: str = "v", value: float = 0.1 + 0.2, low: float | None = None) -> Suite:
    return Suite(
        name=name,
        metric="m",
        measure="AUC",
        value=value,
        interval=None if low is None else Range(low=low, high=1),
        n=9,
        unit="runs",
        data="d",
        half="test half",
        chance=0.5,
    )


def test_a_file_of_figures_keeps_every_digit_and_reads_back_the_same(clean_place: Path) -> None:
    file = clean_place / "figures.json"
    kept = FigureFile(made={"v": "2026-01-02"}, suites=(suite(low=0.1),), checks=(suite(),))
    file.write_text(kept.text())
    assert read_figures(file) == kept
    assert "0.30000000000000004" in file.read_text()


def test_no_file_holds_no_figures_and_another_file_is_refused(clean_place: Path) -> None:
    assert read_figures(clean_place / "none.json") == FigureFile(made={}, suites=())
    (clean_place / "other.json").write_text('{"schema": "something/1"}')
    with pytest.raises(ValueError, match="no figures"):
        read_figures(clean_place / "other.json")


def test_validations_that_were_not_run_keep_their_figures() -> None:
    kept = FigureFile(
        made={"a": "2026-01-02", "b": "2026-01-02"}, suites=(suite("a"), suite("b")), checks=(suite("b"),)
    )
    after = kept.replaced("2026-02-03", [suite("b", value=0.9)], [])
    assert after.made == {"a": "2026-01-02", "b": "2026-02-03"}
    assert [(one.name, one.value) for one in after.suites] == [("a", 0.1 + 0.2), ("b", 0.9)]
    assert after.checks == ()


def test_a_metric_without_an_interval_is_not_held_against_labels() -> None:
    assert worth([suite()]) == "not held against labels"
    assert worth([suite(low=0.5)]) == "diagnostic, not predictive"


def test_the_figures_of_a_metric_come_from_whoever_publishes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Theirs:
        def suites(self) -> tuple[Suite, ...]:
            return (suite(), suite().changed(metric="other"))

    def load_all(_: str) -> tuple[Theirs, ...]:
        return (Theirs(),)

    monkeypatch.setattr(registry, "load_all", load_all)
    published_figures.cache_clear()
    assert figures_of("m") == (suite(),)
    published_figures.cache_clear()
