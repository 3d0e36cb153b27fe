"""`agents-eval compare`."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree

import pytest

Program = Callable[..., CompletedProcess[str]]
FULL = "composition=manager+researcher+analyst+synthesizer"


def test_two_sets_of_runs_are_compared_paired_by_paper(program: Program, home: Path) -> None:
    done = program("compare", FULL, "composition=manager", "--home", home, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "agents-eval/compare/1"
    contrast = found["comparison"]["contrasts"][0]
    assert contrast["conclusion"] == "not enough data"
    assert {metric["papers"] for metric in contrast["metrics"]} <= {0, 3}


def test_metrics_and_confidence_can_be_chosen(program: Program, home: Path) -> None:
    options = ("--metric", "tool_efficiency", "--confidence", "0.9")
    shown = program("compare", FULL, "composition=manager", "--home", home, *options).stdout
    assert "90 % interval" in shown
    rows = [line.split()[0] for line in shown.splitlines() if line.endswith("not enough data")]
    assert rows == ["composite", "tool_efficiency", "elapsed_seconds"]
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(("gate", "code"), [("worse", 0), ("not-better", 1), ("not-equivalent", 1)])
def test_a_gate_that_is_missed_is_exit_code_1_and_the_result_is_printed_all_the_same(
    gate: str, code: int, program: Program, home: Path
) -> None:
    options = ("--fail-on", gate, "--margin", "0.05")
    done = program("compare", "composition=manager", FULL, "--home", home, *options)
    assert done.returncode == code
    assert "full (candidate) against manager (baseline)" in done.stdout
    missed = f"error: the gate --fail-on {gate} was missed by full against manager: not enough data\n"
    assert done.stderr == (missed if code else "")
    found = json.loads(program("compare", "composition=manager", FULL, "--home", home, *options, "--json").stdout)
    assert (found["gate"], found["missed"]) == (gate, ["full"] if code else [])
    assert found["comparison"]["margin"] == 0.05


def test_a_comparison_is_written_as_markdown_html_or_junit(program: Program, home: Path) -> None:
    def written(view: str, *more: str) -> str:
        return program("compare", "composition=manager", FULL, "--home", home, "--view", view, *more).stdout

    assert "full against manager: **not enough data**" in written("markdown")
    assert written("html").startswith("<!doctype html>")
    assert "<svg" in written("html")
    suites = ElementTree.fromstring(written("junit", "--fail-on", "not-better"))  # noqa: S314  our own
    assert [(each.get("failures"), each.get("skipped")) for each in suites] == [("1", "1")]
    assert "<failure" not in written("junit")


def test_runs_of_different_papers_are_compared_only_if_asked_for(program: Program, home: Path) -> None:
    listed = json.loads(program("runs", "--home", home, "--json").stdout)["runs"]
    papers = sorted({run["paper"] for run in listed})
    sides = [f"paper={papers[0]}", f"paper={papers[1]}"]
    assert "0 papers" in program("compare", *sides, "--home", home).stdout
    shown = program("compare", *sides, "--unpaired", "--home", home).stdout
    assert "unpaired" in shown
    assert any(line.startswith("task_success") for line in shown.splitlines())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["composition=manager"], "two selectors"),
        (["composition=manager", "composition=manager"], "in common"),
        (["composition=manager", "composition=nobody"], "composition=nobody"),
        (["composition=manager", FULL, "--metric", "tool_eficiency"], "did you mean 'tool_efficiency'?"),
        (["composition=manager", FULL, "--confidence", "95"], "confidence"),
        (["composition=manager", FULL, "--margin", "2"], "margin"),
        (["composition=manager", FULL, "--fail-on", "not-equivalent"], "needs --margin"),
        (["composition=manager", FULL, "--fail-on", "bad"], "'bad'"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    arguments: list[str], words: str, program: Program, home: Path
) -> None:
    done = program("compare", *arguments, "--home", home)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
