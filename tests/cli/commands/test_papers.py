"""`agents-eval papers`."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Program = Callable[..., CompletedProcess[str]]


def test_the_sample_papers_are_listed(program: Program) -> None:
    found = json.loads(program("papers", "list", "--dataset", "sample", "--json").stdout)
    assert found["schema"] == "agents-eval/papers/1"
    assert found["total"] == len(found["papers"]) >= 8
    assert {"id", "venue", "split", "title", "usable_references", "has_full_text"} == set(found["papers"][0])


def test_real_papers_are_listed_by_venue_and_within_80_columns(program: Program, peerread: Path) -> None:
    done = program("papers", "list", "--data-dir", peerread, "--venue", "iclr_2017", "--limit", "4")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert sum(" iclr_2017 " in line for line in lines) == 4
    assert "The first 4 are shown" in lines[-1]
    assert max(map(len, lines)) <= 80


def test_a_paper_is_shown_without_the_words_of_its_reviews(program: Program) -> None:
    done = program("papers", "show", "sparse-gates", "--dataset", "sample")
    assert done.returncode == 0
    assert "Abstract" in done.stdout
    assert "human reviews" in done.stdout
    found = json.loads(program("papers", "show", "sparse-gates", "--dataset", "sample", "--json").stdout)
    assert found["schema"] == "agents-eval/paper/1"
    assert found["usable_references"] == len(found["ratings"]) == 3
    assert found["paper"]["id"] == "sparse-gates"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["list"], "--data-dir"),
        (["list", "--data-dir", "nowhere"], "there is no folder nowhere"),
        (["list", "--dataset", "peered"], "did you mean 'peerread'?"),
        (["show", "sparse-gate", "--dataset", "sample"], "did you mean 'sparse-gates'?"),
    ],
)
def test_papers_that_are_not_there_are_one_sentence(arguments: list[str], words: str, program: Program) -> None:
    done = program("papers", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
