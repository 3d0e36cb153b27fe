"""Validity figures on a terminal."""

from agents_eval_cli.views.page import page
from agents_eval_cli.views.validity import validity_view
from agents_eval_core.score import Range
from agents_eval_core.validity import Suite


def test_a_figure_has_its_interval_and_number_and_an_absent_one_its_reason() -> None:
    figure = Suite(
        name="s",
        metric="output_similarity",
        measure="own against other",
        value=0.912,
        interval=Range(low=0.87, high=0.95),
        n=300,
        unit="AUC",
        data="iclr_2017",
    )
    absent = Suite(name="other", metric="", measure="", value=None, n=0, unit="", data="", reason="no labelled data")
    text = page(validity_view([figure, absent]))
    words = " ".join(text.split())
    assert "0.870 to 0.950" in words
    assert "0.912" in words
    assert "other: no labelled data" in words
    assert max(map(len, text.splitlines())) <= 80


def test_a_figure_says_on_what_it_was_tuned_and_on_which_half_it_was_tested() -> None:
    figure = Suite(
        name="s", metric="m", measure="AUC", value=0.5, n=3, unit="", data="tau", tuned="the other", half="test half"
    )
    words = " ".join(page(validity_view([figure])).split())
    assert "test half" in words
    assert "tuned" in words


def test_no_validation_is_said_to_be_none() -> None:
    assert page(validity_view([])) == "No validation is installed.\n"
