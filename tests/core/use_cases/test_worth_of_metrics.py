"""Every door can tell what a metric is worth."""

import re
from collections.abc import Iterator

import pytest

from agents_eval_core import validity
from agents_eval_core.score import Range
from agents_eval_core.use_cases import metric_catalogue
from agents_eval_core.validity import Suite, worth_sentence


@pytest.fixture(autouse=True)
def forgotten_sentences() -> Iterator[None]:
    """Let each test ask anew: sentences are kept for the whole process."""
    worth_sentence.cache_clear()
    yield
    worth_sentence.cache_clear()


def auc(half: str, low: float, value: float = 0.7) -> Suite:
    return Suite.model_validate(
        {
            "name": "v",
            "metric": "m",
            "measure": "AUC",
            "value": value,
            "interval": Range(low=low, high=0.9),
            "n": 30,
            "unit": "runs",
            "data": "tau",
            "half": half,
            "chance": 0.5,
        }
    )


def test_every_installed_score_is_listed_once_with_its_worth() -> None:
    entries = metric_catalogue.metric_catalogue()
    names = [entry.name for entry in entries]
    assert len(set(names)) == len(names)
    by_name = {entry.name: entry for entry in entries}
    assert {"tool_efficiency", "output_similarity", "answer_agreement"} <= by_name.keys()
    assert by_name["answer_agreement"].is_of_several_runs
    assert by_name["tool_efficiency"].worth == "diagnostic, not predictive"
    assert {suite.metric for suite in by_name["tool_efficiency"].figures} == {"tool_efficiency"}
    assert worth_sentence("tool_efficiency").startswith("Diagnostic, not predictive: above chance in ")
    assert "AUC for success within task" in worth_sentence("tool_efficiency")


def test_a_definition_says_more_than_the_name_of_its_metric() -> None:
    entries = metric_catalogue.metric_catalogue()
    assert [entry.name for entry in entries if re.fullmatch(r"Scores an? \w+ by `\w+`\.", entry.definition)] == []
    assert next(e.definition for e in entries if e.name == "tool_efficiency").startswith("The share of calls that are")


def test_the_sentence_shows_the_figure_that_nothing_was_chosen_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def figures_of(_: str) -> tuple[Suite, ...]:
        return (auc("development half", 0.65, 0.9), auc("test half", 0.6))

    monkeypatch.setattr(validity, "figures_of", figures_of)
    assert worth_sentence("m") == ("Predictive: AUC 0.7 [0.6, 0.9], chance 0.5 (30 runs, tau, test half).")


def test_figures_on_the_development_half_alone_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def figures_of(_: str) -> tuple[Suite, ...]:
        return (auc("development half", 0.65),)

    monkeypatch.setattr(validity, "figures_of", figures_of)
    assert worth_sentence("m") == "Diagnostic, not predictive."
