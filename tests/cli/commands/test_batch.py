"""`agents-eval batch`, as it is typed."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Program = Callable[..., CompletedProcess[str]]


@pytest.fixture
def traces(clean_place: Path) -> Path:
    file = clean_place / "traces.jsonl"
    said = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "Because."}]
    file.write_text("".join(f"{json.dumps({'messages': said, 'id': number})}\n" for number in range(3)))
    return file


def given(done: CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_traces_are_evaluated_and_summed_up(program: Program, traces: Path) -> None:
    how = ("--tier", "1", "--tier", "3", "--scheduler", "asyncio", "--concurrency", "1", "--format", "openai_messages")
    done = program("batch", "evaluate", traces, "--name", "b", *how)
    assert done.returncode == 0, done.stderr
    assert "3 of 3" in done.stdout
    assert "b: 3 of 3 cells" in done.stderr
    report = given(program("batch", "report", "--json"))
    assert [(group["sweep"], group["status"], group["runs"]) for group in report["groups"]] == [("b", "complete", 3)]
    reasons = {line["metric"]: (line["reason"], line["scores"]) for line in report["not_measured"]}
    assert reasons["planning_rationality"] == ("not_measured", 3)
    shown = " ".join(program("batch", "report").stdout.split())
    assert "b openai_messages complete 3" in shown
    assert "planning_rationality: 3 not measured" in shown
    assert "Batches batch cells done failed left b 3 3 0 0" in shown
    assert [(batch["name"], batch["left"]) for batch in report["batches"]] == [("b", 0)]


def test_a_batch_goes_on_and_a_name_is_taken_once(program: Program, traces: Path) -> None:
    program("batch", "evaluate", traces, "--name", "b", "--scheduler", "asyncio")
    assert program("batch", "evaluate", traces, "--name", "b").returncode == 2
    again = program("batch", "resume", "b", "--retry-failed", "--json")
    assert given(again)["batch"]["cells"]["done"] == 3


def test_what_fails_is_exit_code_3_with_the_reason(program: Program, traces: Path) -> None:
    program("batch", "evaluate", traces, "--name", "a", "--scheduler", "asyncio", "--quiet")
    next(Path("_Agents-eval/runs").glob("*/run.json")).write_text("{")
    done = program("batch", "evaluate", "_Agents-eval/runs", "--name", "b", "--scheduler", "asyncio")
    assert done.returncode == 3
    assert "is not valid JSON" in " ".join(done.stdout.split())


def test_a_judge_that_is_not_there_is_refused_first(program: Program, traces: Path) -> None:
    done = program("batch", "evaluate", traces, "--judge", "nobody")
    assert (done.returncode, Path("_Agents-eval").exists()) == (2, False)
    assert "no provider named 'nobody'" in done.stderr


def test_an_empty_store_has_nothing_to_sum_up(program: Program) -> None:
    assert "No run is kept here yet" in program("batch", "report").stdout
