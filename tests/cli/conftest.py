"""The program as tests call it, in this process or as a process of its own, and a data root with runs in it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from agents_eval_cli.app import run

OURS = ("AGENTS_EVAL_", "JUDGE_")


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Callable[..., CompletedProcess[str]]:
    """Return the program as a function of its arguments, run in this process."""

    def call(*arguments: str | Path) -> CompletedProcess[str]:
        capsys.readouterr()
        line = [str(argument) for argument in arguments]
        code = run(line)
        out, err = capsys.readouterr()
        return CompletedProcess(line, code, out, err)

    return call


@pytest.fixture(scope="session")
def command() -> tuple[str, ...]:
    """Return what starts the program as a process of its own."""
    return (sys.executable, "-m", "agents_eval_cli")


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Return the environment for a process of its own, without the settings of whoever runs the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | {"PYTHONUTF8": "1"}


@pytest.fixture
def process(command: tuple[str, ...], environment: dict[str, str]) -> Callable[..., CompletedProcess[str]]:
    """Return the program as a function of its arguments, run as a process of its own."""

    def call(*arguments: str | Path, **more: str) -> CompletedProcess[str]:
        line = [*command, *map(str, arguments)]
        return subprocess.run(
            line, capture_output=True, encoding="utf-8", env=environment | more, check=False, timeout=120
        )

    return call


@pytest.fixture(scope="session")
def quickstart(
    tmp_path_factory: pytest.TempPathFactory, command: tuple[str, ...], environment: dict[str, str]
) -> CompletedProcess[str]:
    """Return how one quickstart ended, in a folder of its own."""
    place = tmp_path_factory.mktemp("quickstart")
    line = [*command, "quickstart", "--json", "--home", str(place / "root")]
    return subprocess.run(
        line, capture_output=True, cwd=place, encoding="utf-8", env=environment, check=False, timeout=300
    )


@pytest.fixture(scope="session")
def home(quickstart: CompletedProcess[str]) -> Path:
    """Return a data root with six runs of sample papers, which tests only read."""
    assert quickstart.returncode == 0, quickstart.stderr
    return Path(quickstart.args[-1])
