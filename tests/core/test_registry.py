"""Plug-ins are found by name; one that is broken is reported and harms no other."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents_eval_core import registry
from agents_eval_core.errors import UnknownNameError

MODULE = """
class Whole:
    name = "whole"

class Torn:
    def __init__(self):
        raise RuntimeError("torn apart")
"""
ENTRY_POINTS = """
[agents_eval.group_evaluators]
whole = their_metric:Whole
torn = their_metric:Torn
absent = no_such_module:Thing
vanished = their_metric:Vanished
"""
QUESTIONS = """
import json
from agents_eval_core import registry
from agents_eval_core.errors import UsageError

answers = {}
answers["loaded"] = [
    f"broken {found.plugin.name}: {found.problem}" if isinstance(found, registry.BrokenPlugin) else found.name
    for found in registry.load_all("group_evaluators")
]
answers["declared"] = [
    [plugin.name, plugin.target, plugin.distribution, plugin.version]
    for plugin in registry.plugins("group_evaluators") if plugin.distribution == "their-package"
]
try:
    registry.load("group_evaluators", "torn")
except UsageError as problem:
    answers["asked"] = str(problem)
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Install somebody's package, by laying its files on the path, and ask a fresh interpreter about it."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "their_metric.py").write_text(MODULE)
    metadata = folder / "their_package-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.2\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", QUESTIONS], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_somebody_elses_plugin_is_found_by_its_entry_point(answers: dict[str, Any]) -> None:
    assert "whole" in answers["loaded"]
    assert ["whole", "their_metric:Whole", "their-package", "1.2"] in answers["declared"]


def test_broken_plugins_are_reported_and_the_others_go_on(answers: dict[str, Any]) -> None:
    broken = sorted(line for line in answers["loaded"] if line.startswith("broken"))
    assert [line.split(":")[0] for line in broken] == ["broken absent", "broken torn", "broken vanished"]
    assert "ModuleNotFoundError" in broken[0]
    assert "RuntimeError: torn apart" in broken[1]
    assert "AttributeError" in broken[2]
    assert any(not line.startswith("broken") for line in answers["loaded"])


def test_a_broken_plugin_asked_for_by_name_says_whose_it_is_and_what_to_do(answers: dict[str, Any]) -> None:
    assert answers["asked"] == (
        "group_evaluator 'torn' of their-package cannot be loaded: RuntimeError: torn apart; "
        "reinstall or remove that package"
    )


def test_an_unknown_name_is_answered_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="no engine named 'maas'; did you mean 'mas'"):
        registry.engine("maas")


@pytest.mark.parametrize(
    "group", ["datasets", "formats", "engines", "providers", "validations", "calibrations", "views"]
)
def test_an_unknown_name_is_refused_in_every_group(group: str) -> None:
    with pytest.raises(UnknownNameError, match="'agents-eval plugins' lists all"):
        registry.load(group, "nothing like it")


def test_an_unknown_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="no store named 'sqlight'; did you mean 'sqlite'"):
        registry.store("sqlight", tmp_path)


def test_listing_plugins_loads_none_of_them() -> None:
    listing = "from agents_eval_core import registry; [registry.plugins(group) for group in registry.GROUPS]"
    question = f"import sys; {listing}; print([m for m in sys.modules if m.startswith('agents_eval_evaluators')])"
    done = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert any(registry.names(group) for group in registry.GROUPS)
