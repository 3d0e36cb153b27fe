"""A run's head and files on a terminal."""

import json
from datetime import UTC, datetime
from pathlib import Path

from agents_eval_cli.views.json_object import json_object
from agents_eval_cli.views.page import page
from agents_eval_cli.views.run import files_view, run_object, run_view
from agents_eval_cli.views.run_list import run_list_view
from agents_eval_core.run import Run, RunRecord


def test_a_run_without_a_language_model_says_so(failed_run: Run) -> None:
    assert "offline-baseline (no language model)" in page(run_view(failed_run))


def test_only_agents_that_acted_are_named(failed_run: Run) -> None:
    assert run_object(failed_run, None)["agents"] == ("manager",)
    assert run_object(failed_run.changed(trace=None), None)["agents"] == ("manager", "researcher")


def test_a_title_is_shown_as_it_is(failed_run: Run) -> None:
    assert page(run_view(failed_run)).startswith("On [red]brackets[/red]\n")


def test_what_went_wrong_is_shown(failed_run: Run) -> None:
    text = page(run_view(failed_run))
    assert "(failed)" in text
    assert "ModelHTTPError: the model answered 429" in text
    assert "the Researcher failed, and the run went on" in text


def test_the_json_object_names_the_run_and_keeps_paths_and_problems(failed_run: Run) -> None:
    found = json.loads(json_object("review", {"run": run_object(failed_run, Path("runs/x"))}))
    assert found["schema"] == "agents-eval/review/1"
    assert found["run"]["dir"] == "runs/x"
    assert (found["run"]["paper"], found["run"]["case"]) == ("x", "sample/x")
    assert found["run"]["has_language_model"] is False
    assert found["run"]["problem"]["error_type"] == "ModelHTTPError"


def test_files_are_shown_as_one_would_type_them_here(clean_place: Path) -> None:
    below = page(files_view([clean_place / "a" / "run.json", clean_place / "a" / "review.md"]))
    assert below.splitlines() == ["", "Files in", "a", "  run.json", "  review.md"]
    outside = clean_place.parent / ("far" * 40)
    assert str(outside) in page(files_view([outside / "run.json"])).splitlines()


def a_record(**changes: object) -> RunRecord:
    record = RunRecord(
        id="20261120T093048-abcdef01",
        directory="runs/x",
        status="complete",
        engine="mas",
        composition="manager+researcher+analyst+synthesizer",
        provider="offline",
        model="offline-baseline",
        paper="sample/sparse-gates",
        created_at=datetime(2026, 11, 20, tzinfo=UTC),
        composite=0.5,
    )
    return record.changed(**changes)


def test_the_list_of_runs_keeps_ids_whole_and_fits_80_columns() -> None:
    text = page(run_list_view([a_record(), a_record(status="interrupted"), a_record(provider="openai", model="m")]))
    first, second, third = (line for line in text.splitlines() if line.startswith("20261120T093048-abcdef01 "))
    assert "no language" in first
    assert first.rstrip().endswith(" 0.50")
    assert second.rstrip().endswith(" interrupted")
    assert "no language" not in third
    assert max(map(len, text.splitlines())) <= 80


def test_a_replay_is_listed_with_the_model_that_it_plays_back() -> None:
    text = page(run_list_view([a_record(), a_record(provider="replay", model="recorded-1")]))
    assert "recorded-1" in text
    assert text.count("no language") == 1


def test_a_model_that_all_runs_have_in_common_is_said_once() -> None:
    text = page(run_list_view([a_record(), a_record()]))
    assert text.count("no language model") == 1
    assert text.count("sample/sparse-gates") == 2


def test_an_empty_list_of_runs_says_how_to_get_some() -> None:
    assert "quickstart" in page(run_list_view([]))
