"""The verbs: the table of names, and those of other packages."""

import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType
from typing import Any

import pytest
import typer
from typer.main import get_command

from agents_eval_cli.verbs import VERBS
from agents_eval_core import registry
from agents_eval_core.registry import Plugin
from agents_eval_core.settings import load_settings

Program = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize("name", VERBS)
def test_the_line_in_the_table_is_the_first_line_of_the_verbs_own_help(name: str) -> None:
    command = import_module(f"agents_eval_cli.commands.{name}").command
    text = command.info.help if isinstance(command, typer.Typer) else inspect.getdoc(command)
    assert str(text).splitlines()[0] == VERBS[name]


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_explains_itself_and_has_the_common_options(name: str, program: Program) -> None:
    first_of = {"judge": "certify", "papers": "list", "trace": "show", "sweep": "resume", "batch": "evaluate"}
    arguments = [name, first_of[name]] if name in first_of else [name]
    done = program(*arguments, "--help")
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--json", "--home", "--quiet", "--debug"))


def options_of(command: Any) -> Iterator[str]:
    for leaf in getattr(command, "commands", {"": command}).values():
        yield from (option for parameter in leaf.params for option in parameter.opts if option.startswith("--"))


@pytest.mark.parametrize("name", VERBS)
def test_every_documented_option_is_called_by_a_test_of_the_command_line(name: str) -> None:
    body = import_module(f"agents_eval_cli.commands.{name}").command
    if not isinstance(body, typer.Typer):
        single = typer.Typer(add_completion=False)
        single.command(name)(body)
        body = single
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("commands/test_*.py"))
    assert [option for option in options_of(get_command(body)) if f'"{option}"' not in tests] == []


def declare(monkeypatch: pytest.MonkeyPatch, name: str, target: str) -> None:
    plugin = Plugin(group="commands", name=name, target=target, distribution="agents-eval-core", version="1")

    def plugins(group: str) -> tuple[Plugin, ...]:
        return (plugin,) if group == "commands" else ()

    monkeypatch.setattr(registry, "plugins", plugins)


def test_a_command_of_another_package_is_a_verb_and_is_told_the_data_root(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def command(word: str, *, times: int = 1) -> None:
        typer.echo(f"{word * times} {load_settings(None).home}")

    module = ModuleType("a_foreign_package")
    monkeypatch.setattr(module, "command", command, raising=False)
    monkeypatch.setitem(sys.modules, "a_foreign_package", module)
    monkeypatch.setenv("AGENTS_EVAL_HOME", "before")
    declare(monkeypatch, "echo", "a_foreign_package:command")
    assert program("echo", "ab", "--times", "2").stdout == "abab before\n"
    assert program("--home", "asked", "echo", "ab").stdout == "ab asked\n"
    assert program("echo", "ab", "--home", "asked-later").stdout == "ab asked-later\n"


def test_a_broken_command_of_another_package_breaks_nothing_else(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(monkeypatch, "broken", "a_package_that_is_not_there:command")
    assert "broken" in program("--help").stdout
    assert program("runs").returncode == 0
    done = program("broken")
    assert done.returncode == 2
    assert done.stderr.startswith("error: command 'broken' of agents-eval-core cannot be loaded: ModuleNotFoundError")


def test_no_verb_of_another_package_can_take_the_name_of_one_of_ours(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(monkeypatch, "runs", "a_package_that_is_not_there:command")
    assert program("--help").stdout.count("\n  runs ") == 1
    assert program("runs").returncode == 0
    assert not Path("_Agents-eval").exists()
