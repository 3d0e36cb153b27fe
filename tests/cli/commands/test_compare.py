"""`agents-eval compare`."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

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
    assert "90% interval" in shown
    rows = [line.split()[0] for line in shown.splitlines() if line.endswith("not enough data")]
    assert rows == ["composite", "tool_efficiency"]
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["composition=manager"], "two selectors"),
        (["composition=manager", "composition=manager"], "in common"),
        (["composition=manager", "composition=nobody"], "composition=nobody"),
        (["composition=manager", FULL, "--metric", "tool_eficiency"], "did you mean 'tool_efficiency'?"),
        (["composition=manager", FULL, "--confidence", "95"], "confidence"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    arguments: list[str], words: str, program: Program, home: Path
) -> None:
    done = program("compare", *arguments, "--home", home)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
