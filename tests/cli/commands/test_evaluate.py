"""`agents-eval evaluate`."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Program = Callable[..., CompletedProcess[str]]


@pytest.fixture
def run_directory(home: Path, clean_place: Path) -> Path:
    """Return a copy of a run directory, outside of any data root."""
    kept = min((home / "runs").iterdir())
    return Path(shutil.copytree(kept, clean_place / "copied"))


def test_a_run_directory_is_scored_from_itself_alone(program: Program, run_directory: Path) -> None:
    before = json.loads((run_directory / "scorecard.json").read_text())
    (run_directory / "scorecard.json").unlink()
    done = program("evaluate", run_directory, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "agents-eval/evaluate/1"
    assert found["scorecard"]["composite"] == pytest.approx(before.get("scorecard", before)["composite"])
    assert (run_directory / "scorecard.json").is_file()


def test_only_the_tiers_asked_for_are_measured(program: Program, run_directory: Path) -> None:
    done = program("evaluate", run_directory, "--tiers", "3", "--json")
    scores = json.loads(done.stdout)["scorecard"]["scores"]
    assert {score["tier"] for score in scores if score["value"] is not None} == {3}
    assert all("not asked for" in score["explanation"] for score in scores if score["tier"] != 3)


def test_a_trace_file_is_scored_and_nothing_is_kept(program: Program, run_directory: Path, clean_place: Path) -> None:
    done = program("evaluate", run_directory / "trace.otlp.jsonl", "--format", "otlp")
    assert done.returncode == 0, done.stderr
    assert "nothing is kept" in done.stdout
    assert "tool_efficiency" in done.stdout
    assert not list(clean_place.glob("_Agents-eval/runs/*"))


def test_a_trace_is_held_against_the_calls_of_a_case(program: Program, run_directory: Path, clean_place: Path) -> None:
    (clean_place / "case.yaml").write_text("expected_calls:\n- name: teleport\n")
    done = program("evaluate", run_directory / "trace.otlp.jsonl", "--case", "case.yaml", "--json")
    scores = {score["name"]: score["value"] for score in json.loads(done.stdout)["scorecard"]["scores"]}
    assert (scores["call_recall"], scores["exact_match"]) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], ["nowhere"]),
        (["."], ["has no run.json", "no trace format that is known"]),
        (["text.txt"], ["text.txt is in no trace format that is known"]),
        (["damaged"], ["run.json"]),
        (["text.txt", "--format", "otpl"], ["no format named 'otpl'", "did you mean 'otlp'?"]),
        (["text.txt", "--tiers", "1,4"], ["no tier '4'"]),
        (["text.txt", "--judge", "nobody"], ["no provider named 'nobody'"]),
        (["text.txt", "--case", "none.yaml"], ["the case none.yaml cannot be read"]),
        (["text.txt", "--case", "text.txt"], ["holds str, not fields"]),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(
    arguments: list[str], words: list[str], program: Program, clean_place: Path
) -> None:
    (clean_place / "text.txt").write_text("no trace")
    (clean_place / "damaged").mkdir()
    (clean_place / "damaged" / "run.json").write_text('{"schema": ')
    done = program("evaluate", *arguments, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words)


def test_several_runs_of_a_task_are_held_against_one_another(program: Program, home: Path) -> None:
    first, second = sorted((home / "runs").iterdir())[:2]
    done = program("evaluate", first / "trace.otlp.jsonl", second / "trace.otlp.jsonl", "--same-task", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "agents-eval/evaluate-groups/1"
    assert len(found["groups"][0]["runs"]) == 2
    scores = {score["name"]: score for score in found["groups"][0]["scores"]}
    assert 0 <= scores["path_similarity"]["value"] <= 1
    assert scores["pass_at_1"]["reason"] == "not_measured"
    shown = program("evaluate", first / "trace.otlp.jsonl", second / "trace.otlp.jsonl", "--same-task").stdout
    assert "2 runs of task one task" in shown
