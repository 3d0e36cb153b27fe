"""`agents-eval doctor` and `plugins`: what is there."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.registry import BrokenPlugin, Plugin

Program = Callable[..., CompletedProcess[str]]


def checks(done: CompletedProcess[str]) -> dict[str, tuple[str, str]]:
    found: list[dict[str, Any]] = json.loads(done.stdout)["checks"]
    return {check["name"]: (check["outcome"], check["detail"]) for check in found}


def test_in_a_sound_place_everything_is_there_and_nothing_is_made(program: Program, clean_place: Path) -> None:
    done = program("doctor", "--json")
    assert done.returncode == 0, done.stdout
    found = checks(done)
    assert {outcome for outcome, _ in found.values()} <= {"ok", "note"}
    assert found["provider offline"] == ("ok", "can be used (no language model)")
    assert not list(clean_place.iterdir())
    assert "Everything that is needed is there." in program("doctor").stdout


def test_the_settings_in_force_are_shown_by_name(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TIER1_MAX_SECONDS", "7")
    settings = json.loads(program("doctor", "--home", "here", "--json").stdout)["settings"]
    assert settings["JUDGE_TIER1_MAX_SECONDS"] == "7.0"
    assert settings["AGENTS_EVAL_HOME"] == "here"
    assert settings["JUDGE_TIERS_ENABLED"] == "1,2,3"
    assert settings["JUDGE_WEIGHT_TASK_SUCCESS"] == "1"


def test_the_runs_that_are_kept_are_counted(program: Program, home: Path) -> None:
    assert checks(program("doctor", "--home", home, "--json"))["store"][1].startswith("6 runs")


def test_wrong_settings_are_a_finding_of_the_doctor(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTS_EVAL_HOEM", "x")
    done = program("doctor", "--json")
    assert done.returncode == 1
    assert "did you mean AGENTS_EVAL_HOME?" in checks(done)["settings"][1]


def test_a_data_root_that_cannot_be_one_is_wrong(program: Program, clean_place: Path) -> None:
    (clean_place / "file").touch()
    done = program("doctor", "--home", "file", "--json")
    assert done.returncode == 1
    assert checks(done)["data root"][0] == "wrong"


def test_a_damaged_store_is_wrong(program: Program, clean_place: Path) -> None:
    (clean_place / "_Agents-eval").mkdir()
    (clean_place / "_Agents-eval" / "agents-eval.db").write_text("this is no database" * 100)
    done = program("doctor", "--json")
    assert done.returncode == 1
    assert checks(done)["store"][0] == "wrong"


def test_tracing_that_is_switched_off_is_wrong(command: tuple[str, ...], environment: dict[str, str]) -> None:
    off = environment | {
        "OTEL_SDK_DISABLED": "true"
    }  # of a process of its own: the recorder of this one would stay off
    done = subprocess.run([*command, "doctor", "--json"], env=off, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no run can leave a trace" in checks(done)["OTEL_SDK_DISABLED"][1]


def test_a_provider_that_is_set_but_unknown_is_wrong(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTS_EVAL_PROVIDER", "ofline")
    done = program("doctor", "--json")
    assert done.returncode == 1
    assert checks(done)["provider ofline"][0] == "wrong"


def test_a_broken_plug_in_is_wrong(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = Plugin(group="evaluators", name="bad", target="bad:Bad", distribution="bad", version="1")
    broken = BrokenPlugin(plugin=plugin, problem="evaluator 'bad' of bad cannot be loaded")

    def load_all(group: str) -> tuple[BrokenPlugin, ...]:
        return (broken,) if group == "evaluators" else ()

    monkeypatch.setattr(registry, "load_all", load_all)
    done = program("doctor", "--json")
    assert done.returncode == 1
    assert checks(done)["plug-in bad"] == ("wrong", broken.problem)


def test_plug_ins_are_listed_by_group(program: Program) -> None:
    every = json.loads(program("plugins", "--json").stdout)["plugins"]
    assert {"mas", "offline", "otlp", "peerread", "sample", "sqlite"} <= {plugin["name"] for plugin in every}
    engines = json.loads(program("plugins", "engines", "--json").stdout)["plugins"]
    assert {plugin["group"] for plugin in engines} == {"engines"}
    assert max(map(len, program("plugins").stdout.splitlines())) <= 80


def test_of_evaluators_it_is_said_how_much_their_metrics_are_worth(program: Program) -> None:
    metrics = json.loads(program("plugins", "evaluators", "--json").stdout)["metrics"]
    worth = {metric["name"]: metric["worth"] for metric in metrics}
    assert worth["loop_score"] == "diagnostic, not predictive"
    shown = program("plugins", "evaluators").stdout
    assert "diagnostic, not predictive" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_an_unknown_group_of_plug_ins_is_one_sentence(program: Program) -> None:
    done = program("plugins", "engine")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'engines'?" in done.stderr
