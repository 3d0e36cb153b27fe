"""`agents-eval quickstart`."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Program = Callable[..., CompletedProcess[str]]


def test_three_papers_are_reviewed_in_two_ways_offline(quickstart: CompletedProcess[str]) -> None:
    assert (quickstart.returncode, quickstart.stderr) == (0, "")
    found = json.loads(quickstart.stdout)
    runs = [each["run"] for each in found["runs"]]
    assert len({run["paper"] for run in runs}) == 3
    assert len({(run["paper"], run["composition"]) for run in runs}) == 6
    assert {run["has_language_model"] for run in runs} == {False}
    assert all(Path(run["dir"], "trace.otlp.jsonl").is_file() for run in runs)
    assert all(each["scorecard"]["coverage"] < 1 for each in found["runs"])


def test_it_is_said_that_three_papers_decide_nothing(quickstart: CompletedProcess[str]) -> None:
    found = json.loads(quickstart.stdout)
    assert "3 papers decide nothing" in found["caveat"]
    assert found["comparison"]["contrasts"][0]["conclusion"] == "not enough data"


def test_a_second_quickstart_in_the_same_place_shows_traces_scores_and_what_to_do_next(program: Program) -> None:
    program("quickstart", "--quiet", "--json")
    done = program("quickstart")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("trace.otlp.jsonl") == 6
    assert "no language model" in done.stdout
    assert "3 papers decide nothing" in done.stdout
    next_steps = [
        line for line in done.stdout.partition("\nNext\n")[2].splitlines() if line.startswith("  agents-eval")
    ]
    assert len(next_steps) == 3
    assert program(*next_steps[0].split()[1:]).returncode == 0
    assert program(*next_steps[1].split()[1:]).returncode == 0
