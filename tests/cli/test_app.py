"""The program as a whole: what it says of itself, how fast it starts, and how it ends when something is wrong."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agents_eval_cli import app as app_module
from agents_eval_cli.app import run

HEAVY = {
    "pydantic",
    "pydantic_ai",
    "sklearn",
    "networkx",
    "numpy",
    "scipy",
    "mcp",
    "logfire",
    "streamlit",
    "dask",
    "rich",
}
START = """
import sys
from agents_eval_cli.app import main
try:
    main()
except SystemExit as ended:
    loaded = {name.partition(".")[0] for name in sys.modules}
    sys.stderr.write(f"{ended.code} " + " ".join(sorted(loaded)))
"""

Program = Callable[..., CompletedProcess[str]]


@pytest.fixture
def loaded(environment: dict[str, str]) -> Callable[..., set[str]]:
    """Return what a call of the program has loaded when it ends well, by top-level name."""

    def call(*arguments: str) -> set[str]:
        line = [sys.executable, "-c", START, *arguments]
        done = subprocess.run(line, capture_output=True, encoding="utf-8", env=environment, check=True)
        code, *names = done.stderr.split()
        assert code == "0"
        return set(names)

    return call


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_starting_up_loads_nothing_heavy(option: str, loaded: Callable[..., set[str]]) -> None:
    names = loaded(option)
    assert "typer" in names
    assert not HEAVY & names


def test_the_help_of_a_verb_loads_no_agent_and_no_metric(loaded: Callable[..., set[str]]) -> None:
    assert not {"pydantic_ai", "sklearn", "mcp", "streamlit", "logfire"} & loaded("review", "--help")


def test_no_model_drags_in_a_plug_in_of_logfire(loaded: Callable[..., set[str]]) -> None:
    names = loaded("papers", "list", "--dataset", "sample")
    assert "pydantic" in names
    assert "logfire" not in names


def test_the_version_is_that_of_the_package(program: Program) -> None:
    done = program("--version")
    assert (done.returncode, done.stdout) == (0, f"agents-eval {version('agents-eval-cli')}\n")


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_the_help_lists_the_verbs_and_documents_the_exit_codes(arguments: list[str], program: Program) -> None:
    done = program(*arguments)
    words = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "0 done, 1 a gate was missed, 2 used wrongly, 3 a run failed, 130 interrupted" in words
    assert all(verb in words for verb in ("quickstart", "review", "evaluate", "compare", "doctor", "dashboard", "mcp"))
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["revew"], "Did you mean 'review'?"),
        (["review", "--compositon", "full"], "--composition"),
        (["review", "--paper"], "requires an argument"),
        (["evaluate"], "Missing argument"),
        (["papers"], "Missing command"),
        (["runs", "--limit", "many"], "--limit"),
    ],
)
def test_a_call_that_makes_no_sense_is_one_sentence_with_advice(
    arguments: list[str], advice: str, program: Program
) -> None:
    done = program(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert advice in done.stderr
    assert "--help' shows what there is" in done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_an_unexpected_error_is_a_sentence_and_a_traceback_only_with_debug(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("agents_eval_core.registry.dataset", broken)
    plain = program("papers", "list", "--dataset", "sample")
    assert plain.returncode == 3
    assert (
        plain.stderr == "error: unexpected ZeroDivisionError: division by zero; run again with --debug to see where\n"
    )
    assert "Traceback" in program("papers", "list", "--dataset", "sample", "--debug").stderr


@pytest.mark.parametrize("before", [True, False])
def test_common_options_may_stand_before_or_after_the_verb(before: bool, program: Program) -> None:
    common = ["--json", "--home", "elsewhere", "--quiet", "--debug"]
    done = program(*common, "runs") if before else program("runs", *common)
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"schema": "agents-eval/runs/1", "runs": []}


def test_a_reader_that_goes_away_is_no_error(command: tuple[str, ...], environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [*command, "papers", "list", "--dataset", "sample"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_result_that_finds_no_room_is_an_error(command: tuple[str, ...], environment: dict[str, str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "plugins"], stdout=full, stderr=subprocess.PIPE, encoding="utf-8", env=environment, check=False
        )
    assert done.returncode == 3
    assert done.stderr == (
        "error: the result could not be written to standard output: No space left on device; "
        "send it to where there is room\n"
    )


def test_an_interrupt_outside_a_run_is_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("agents_eval_core.registry.plugins", stopped)
    assert run(["plugins"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_the_program_ends_with_the_code_of_the_call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["agents-eval", "evaluate", "nowhere"])
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "__all__")
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as ended:
        app_module.main()
    signal.signal(signal.SIGINT, before)
    assert ended.value.code == 2
    assert "nowhere" in capsys.readouterr().err
    assert os.environ["PYDANTIC_DISABLE_PLUGINS"] == "__all__"
