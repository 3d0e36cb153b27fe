"""`agents-eval runs`, `show` and `report`: what is kept."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from scripted_server.server import ScriptedServer

Program = Callable[..., CompletedProcess[str]]


@pytest.fixture
def run_id(home: Path, program: Program) -> str:
    """Return the id of a kept run."""
    return json.loads(program("runs", "--home", home, "--json").stdout)["runs"][0]["id"]


def test_all_runs_are_listed_newest_first(program: Program, home: Path) -> None:
    found = json.loads(program("runs", "--home", home, "--json").stdout)
    assert found["schema"] == "agents-eval/runs/1"
    assert len(found["runs"]) == 6
    moments = [run["created_at"] for run in found["runs"]]
    assert moments == sorted(moments, reverse=True)
    assert all(Path(run["dir"], "run.json").is_file() for run in found["runs"])


def test_runs_can_be_chosen_and_limited(program: Program, home: Path) -> None:
    alone = json.loads(program("runs", "composition=manager", "--home", home, "--json").stdout)["runs"]
    assert {run["composition"] for run in alone} == {"manager"}
    assert len(alone) == 3
    assert len(json.loads(program("runs", "--limit", "2", "--home", home, "--json").stdout)["runs"]) == 2
    assert "no language model" in program("runs", "--home", home).stdout


def test_looking_at_an_empty_place_makes_nothing(program: Program, clean_place: Path) -> None:
    assert "quickstart" in program("runs").stdout
    assert not list(clean_place.iterdir())


def test_a_run_is_shown_with_its_tiers_side_by_side(program: Program, home: Path, run_id: str) -> None:
    done = program("show", run_id, "--home", home)
    assert done.returncode == 0
    assert all(tier in done.stdout for tier in ("1 text", "2 judge", "3 behaviour"))
    assert "Not measured, and why" in done.stdout
    assert "Measured, and what it rests on" in done.stdout
    text = done.stdout.partition("\nFiles in\n")[0]
    assert max(map(len, text.splitlines())) <= 80


def test_what_is_shown_is_what_is_kept(program: Program, home: Path, run_id: str) -> None:
    found = json.loads(program("show", run_id, "--home", home, "--json").stdout)
    assert found["schema"] == "agents-eval/show/1"
    assert found["run"]["id"] == run_id
    by_directory = json.loads(program("show", found["run"]["dir"], "--home", home, "--json").stdout)
    assert by_directory["scorecard"] == found["scorecard"]


def test_the_report_is_the_markdown_that_is_kept(program: Program, home: Path, run_id: str) -> None:
    done = program("report", run_id, "--home", home)
    assert done.returncode == 0
    directory = json.loads(program("show", run_id, "--home", home, "--json").stdout)["run"]["dir"]
    assert done.stdout == Path(directory, "report.md").read_text(encoding="utf-8")
    as_json = json.loads(program("report", run_id, "--view", "markdown", "--home", home, "--json").stdout)
    assert as_json["report"] == done.stdout


@pytest.mark.parametrize("verb", ["show", "report"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("nothing-like-it", "nothing-like-it"), ("composition=manager", "names 3 runs"), (".", "'.'")],
)
def test_what_is_not_one_run_is_one_sentence(verb: str, name: str, words: str, program: Program, home: Path) -> None:
    done = program(verb, name, "--home", home)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_that_was_not_evaluated_is_shown_but_has_no_report(program: Program) -> None:
    made = program(
        "review",
        "--dataset",
        "sample",
        "--paper",
        "sparse-gates",
        "--composition",
        "manager",
        "--no-evaluate",
        "--json",
    )
    run = json.loads(made.stdout)["run"]["id"]
    assert "Not evaluated" in program("show", run).stdout
    report = program("report", run)
    assert report.returncode == 2
    assert f"agents-eval evaluate {run}" in report.stderr


def test_what_models_repeat_of_human_reviews_stands_beside_what_humans_do(
    program: Program, home: Path, scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    assert "No kept run of a language model" in program("memorisation", "--home", home).stdout
    for paper in ("alloy-cracks", "sparse-gates"):
        sample = ("review", "--dataset", "sample", "--paper", paper, "--engine", "direct")
        done = program(*sample, "--provider", reached("openai"), "--model", "scripted-1")
        assert done.returncode == 0, done.stderr
        assert "reviewer: writes the review: weaknesses (" in done.stderr
    assert len(scripted_server.asked) == 2
    said = program("memorisation").stdout
    assert "openai:scripted-1" in said
    assert "humans" in said
    found = json.loads(program("memorisation", "engine=direct", "--json").stdout)["memorisation"]
    assert [(row["author"], row["reviews"], row["near"]) for row in found["models"]] == [("openai:scripted-1", 2, 0)]
    assert (found["humans"]["reviews"], found["humans"]["papers"]) == (6, 2)
