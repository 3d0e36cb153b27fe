"""`agents-eval sweep`, as it is typed."""

import csv
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from agents_eval_core import registry

Program = Callable[..., CompletedProcess[str]]
SMALL = ("--dataset", "sample", "--papers", "1", "--compositions", "manager,manager+analyst", "--scheduler", "asyncio")


def given(done: CompletedProcess[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_sweep_is_run_looked_at_and_exported(program: Program) -> None:
    done = program("sweep", "--name", "night", *SMALL, "--repetitions", "2")
    assert done.returncode == 0, done.stderr
    assert "4: 4 done, 0 failed, 0 left" in done.stdout
    assert "night: 4 of 4 cells" in done.stderr
    assert "night      4     4       0     0" in program("sweep", "status").stdout
    status = given(program("sweep", "status", "night", "--json"))
    assert status["schema"] == "agents-eval/sweep/1"
    assert status["sweep"]["cells"] == {"reserved": 0, "running": 0, "done": 4, "failed": 0}
    assert status["order"]["plan"]["repetitions"] == 2
    cells = given(program("sweep", "export", "night", "--json"))["cells"]
    assert [(cell["composition"], cell["repetition"], cell["state"]) for cell in cells] == [
        ("manager", 0, "done"),
        ("manager", 1, "done"),
        ("manager+analyst", 0, "done"),
        ("manager+analyst", 1, "done"),
    ]
    assert cells[0]["missing"]["time_taken"] == "not_applicable"
    lines = list(csv.DictReader(StringIO(program("sweep", "export", "night").stdout)))
    assert [float(line["task_success"]) for line in lines] == [cell["scores"]["task_success"] for cell in cells]
    assert {line["planning_rationality_missing"] for line in lines} == {"not_measured"}


def test_a_cell_of_a_sweep_is_a_run_like_any_other(program: Program) -> None:
    program("sweep", "--name", "night", *SMALL, "--quiet")
    run = given(program("sweep", "export", "night", "--json"))["cells"][0]["run"]
    assert given(program("show", run, "--json"))["run"]["id"] == run


def test_a_file_holds_the_options_and_those_given_win(program: Program, clean_place: Path) -> None:
    file = clean_place / "night.toml"
    file.write_text('name = "night"\ndataset = "sample"\npapers = 1\ncompositions = ["manager"]\nrepetitions = 9\n')
    done = program("sweep", "--config", file, "--scheduler", "asyncio", "--repetitions", "2", "--json")
    assert given(done)["order"]["plan"]["repetitions"] == 2
    assert given(done)["sweep"]["cells"]["done"] == 2
    file.write_text("paperz = 1\n")
    wrong = program("sweep", "--config", file)
    assert (wrong.returncode, "did you mean 'papers'" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--engine", "msa"), "no engine named 'msa'; did you mean 'mas'"),
        (("--provider", "nobody"), "no provider named 'nobody'"),
        (("--model", "gpt"), "no offline model named 'gpt'"),
        (("--judge", "nobody"), "no provider named 'nobody'"),
        (("--data-dir", "nowhere", "--dataset", "peerread"), "nowhere"),
        (("--scheduler", "dusk"), "no executor named 'dusk'"),
        (("--cc-artifacts", "nowhere"), "nowhere is no folder"),
        (("--concurrency", "0"), "concurrency (in the options) is 0"),
        (("--budget-tokens", "0"), "budget_tokens (in the options) is 0"),
        (("--name", "../up"), "name (in the options) is '../up'"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_begun(
    program: Program, options: tuple[str, ...], said: str
) -> None:
    done = program("sweep", *SMALL, *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(Path().glob("_Agents-eval/runs/*"))


def test_critic_and_query_reach_the_agents(program: Program) -> None:
    program("sweep", "--name", "night", *SMALL, "--critic", "--query", "Look at the tables.", "--concurrency", "2")
    cells = given(program("sweep", "export", "night", "--json"))["cells"]
    assert {cell["composition"] for cell in cells} == {"manager+critic", "manager+analyst+critic"}
    trace = Path("_Agents-eval", cells[0]["directory"], "trace.otlp.jsonl").read_text()
    assert "Look at the tables." in trace


def test_a_budget_leaves_the_rest_says_so_and_is_exit_code_3(program: Program) -> None:
    limits = ("--budget-usd", "5", "--budget-seconds", "1")
    done = program("sweep", "--name", "night", *SMALL, "--repetitions", "500", *limits, "--concurrency", "1")
    assert done.returncode == 3
    words = " ".join(done.stdout.split())
    assert "the budget allows no further run" in words
    assert "of 1 s are over" in words
    assert "cells are left" in words


def test_failed_cells_are_done_again_when_asked(program: Program) -> None:
    program("sweep", "--name", "night", *SMALL)
    again = program("sweep", "resume", "night", "--retry-failed", "--json")
    assert given(again)["sweep"]["left"] == 0


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    command: tuple[str, ...], environment: dict[str, str], program: Program
) -> None:
    line = [*command, "sweep", "--name", "night", *SMALL, "--repetitions", "300"]
    with subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, encoding="utf-8") as sweep:
        until = time.monotonic() + 60
        while not list(Path().glob("_Agents-eval/runs/*")) and time.monotonic() < until:
            time.sleep(0.05)
        os.kill(sweep.pid, signal.SIGINT)
        _, err = sweep.communicate(timeout=60)
    assert sweep.returncode == 130
    assert "'agents-eval sweep resume night' goes on" in " ".join(err.split())
    status = given(program("sweep", "status", "night", "--json"))["sweep"]
    assert status["cells"]["running"] == 0
    assert status["cells"]["done"] >= 1
    assert status["left"] > 0


def test_the_report_compares_all_and_says_what_cannot_be_concluded(program: Program) -> None:
    program("sweep", "--name", "night", *SMALL, "--papers", "3", "--repetitions", "2", "--quiet")
    done = program("sweep", "report", "night", "--margin", "0.05")
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert "n = 3 papers of sample, 2 systems, 2 repetitions: 12 cells, 12 done, 0 failed, 0 left." in text
    assert "6 of the 12 runs repeat another of the same system and paper word for word" in text
    assert "**not enough data**: 3 papers cannot decide; at least 6 are needed" in text
    assert "The same on both sides on every paper: task_success, tool_efficiency, output_similarity (raw" in text
    assert "On the Pareto front of quality against time: manager" in text
    assert "| 0 | 0.0000 |" in text
    assert "- command: " in text
    assert "agents-eval-core 0.1.0" in text
    folder = Path("_Agents-eval/sweeps/night")
    assert (folder / "report.md").read_text() == text
    page = program("sweep", "report", "night", "--view", "html").stdout
    assert (folder / "report.html").read_text() == page
    assert "<script" not in page
    assert 'aria-label="quality against seconds a run; on the front: ' in page
    assert program("sweep", "report", "night", "--view", "csv").stdout == program("sweep", "export", "night").stdout
    assert program("sweep", "report", "night", "--view", "pdf").returncode == 2
    told = given(program("sweep", "report", "night", "--json"))["report"]
    assert told["papers"] == 3
    assert [system["identical"] for system in told["systems"]] == [3, 3]


def test_a_sweep_stops_when_it_is_decided_and_there_is_nothing_to_resume(program: Program) -> None:
    plan = (
        "--dataset",
        "sample",
        "--papers",
        "9",
        "--compositions",
        "manager,manager+analyst",
        "--scheduler",
        "asyncio",
    )
    options = ("--concurrency", "1", "--stop-when-decided", "task_success", "--margin", "0.7")
    done = program("sweep", "--name", "night", *plan, *options, "--quiet")
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "Decided: manager+analyst is equivalent to manager in task_success [" in told
    assert "cells were not needed. 'agents-eval sweep report night' is next" in told
    before = given(program("sweep", "status", "night", "--json"))["sweep"]
    assert before["left"] > 0
    assert "equivalent to manager" in before["decided"]
    assert given(program("sweep", "resume", "night", "--json"))["sweep"]["cells"] == before["cells"]
    assert "Decided, with a look after every paper: " in program("sweep", "report", "night").stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--stop-when-decided", "task_succes"), "did you mean 'task_success'"),
        (("--stop-when-decided", "task_success", "--compositions", "manager"), "needs two systems or more"),
        (("--margin", "0.1"), "name the metric too"),
    ],
)
def test_what_cannot_be_decided_is_refused_before_anything_begins(
    program: Program, options: tuple[str, ...], said: str
) -> None:
    done = program("sweep", "--name", "night", "--dataset", "sample", "--papers", "1", *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert not Path("_Agents-eval/sweeps/night").exists()


def test_a_report_counts_what_failed_and_averages_over_nothing_in_silence(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = type(registry.engine("mas"))
    run = engine.run

    async def failing(self: Any, case: Any, options: Any) -> Any:
        if options.composition == "manager" and case.paper.id == papers[0]:
            raise RuntimeError("<b>the line</b> is | dead")
        return await run(self, case, options)

    papers = [case["id"] for case in given(program("papers", "list", "--dataset", "sample", "--json"))["papers"]]
    monkeypatch.setattr(engine, "run", failing)
    assert program("sweep", "--name", "night", *SMALL, "--papers", "2").returncode == 3
    text = program("sweep", "report", "night").stdout
    assert "4 cells, 3 done, 1 failed, 0 left" in text
    assert "| manager | 1 | 1 | 1 RuntimeError | 0 |" in text
    assert "RuntimeError: " in text
    assert "the line" in text
    page = program("sweep", "report", "night", "--view", "html").stdout
    assert "&lt;b&gt;the line&lt;/b&gt; is | dead" in page
    lines = list(csv.DictReader(StringIO(program("sweep", "export", "night").stdout)))
    failed = [line for line in lines if line["state"] == "failed"]
    assert [(line["composition"], line["error_type"], line["composite"]) for line in failed] == [
        ("manager", "RuntimeError", "")
    ]
