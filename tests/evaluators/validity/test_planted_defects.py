"""Whether a metric moved, had room to move, and moved as it must."""

from pathlib import Path

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.ports.validation import RepeatableValidation
from agents_eval_core.validity import Suite
from agents_eval_evaluators.validity.mutations.catalogue import NEUTRAL
from agents_eval_evaluators.validity.planted_defects import (
    MovedByDefects,
    Mutant,
    NeutralEdits,
    PlantedDefects,
    can_move,
    moved,
    moved_as_it_must,
)
from agents_eval_evaluators.validity.published import Published
from agents_eval_evaluators.validity.readings import Value


def mutant(before: Value, after: Value, metric: str = "m") -> Mutant:
    return Mutant("t", {metric: before}, {metric: after})


@pytest.mark.parametrize(
    ("before", "after", "did_move"),
    [
        (0.5, 0.5 + 1e-15, False),
        (0.5, 0.6, True),
        (0.5, "not_applicable", True),
        ("not_applicable", "not_measured", True),
        ("not_applicable", "not_applicable", False),
    ],
)
def test_another_value_or_reason_is_a_move_and_the_last_digit_is_none(
    before: Value, after: Value, *, did_move: bool
) -> None:
    assert moved(mutant(before, after), "m") is did_move


def test_what_is_at_its_end_has_no_room_to_move() -> None:
    assert not can_move(mutant(0.0, 0.0), "m", "falls")
    assert can_move(mutant(1.0, 1.0), "m", "falls")
    assert not can_move(mutant(1.0, 1.0, "unnecessary_path_ratio"), "unnecessary_path_ratio", "rises")
    assert not can_move(mutant("not_measured", "not_measured"), "m", "falls")
    assert can_move(mutant("not_applicable", 0.0), "m", "falls")


def test_a_value_that_goes_away_did_not_move_as_it_must() -> None:
    assert moved_as_it_must(mutant(1.0, 0.5), "m", "falls")
    assert not moved_as_it_must(mutant(0.5, 1.0), "m", "falls")
    assert not moved_as_it_must(mutant(1.0, "not_measured"), "m", "falls")
    assert moved_as_it_must(mutant(None, 2.0), "m", "rises")
    assert not moved_as_it_must(mutant("not_applicable", 1.0), "m", "falls")


def published(name: str, half: str = "test half") -> list[Suite]:
    return [suite for suite in Published().suites() if suite.name == name and suite.half == half]


def test_by_the_published_figures_every_metric_moves_as_it_must() -> None:
    figures = published("planted_defects")
    assert len(figures) > 20
    assert [(one.metric, one.measure, one.value) for one in figures if one.value is None or one.value < 0.95] == []


def test_by_the_published_figures_no_neutral_edit_moves_a_metric() -> None:
    figures = published("neutral_edits")
    assert {one.measure for one in figures} == set(NEUTRAL)
    assert [(one.metric, one.measure, one.value) for one in figures if one.value is None or one.value >= 0.02] == []


def test_all_metrics_are_repeated_on_some_traces(real_data: Path) -> None:
    (all_at_once,) = {one.metric for one in NeutralEdits().checks([real_data / "traces"])}
    assert all_at_once == "all behaviour metrics"
    repeated = {(one.metric, one.measure) for one in PlantedDefects().checks([real_data / "traces"])}
    assert repeated <= {(one.metric, one.measure) for one in published("planted_defects")}


@pytest.mark.parametrize("validation", [PlantedDefects(), MovedByDefects(), NeutralEdits()])
def test_without_traces_it_says_where_they_were_looked_for(validation: RepeatableValidation, clean_place: Path) -> None:
    with pytest.raises(UsageError, match="--data"):
        list(validation.checks([clean_place]))
