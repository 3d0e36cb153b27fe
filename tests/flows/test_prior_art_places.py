"""Tests keep to themselves: what they run writes nothing into the repository, and no setting from outside counts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THIS = "tests/flows/test_prior_art_places.py"
WRITING = (  # whole reviews with the default data root, through Python, the command line and a doctest
    f"{THIS}::test_a_test_begins_in_an_empty_folder_of_its_own_without_settings",
    "tests/flows/test_settings_take_effect.py::test_the_verdict_classes_are_the_users",
    "tests/cli/commands/test_review.py::test_a_review_ends_with_its_scorecard_and_the_files_written",
    "src/agents_eval/__init__.py",
)
OF_TOOLS = {".git", ".venv", ".uv", ".hypothesis", ".ruff_cache", ".import_linter_cache", "__pycache__", "node_modules"}
OF_PEOPLE = {".py", ".md", ".toml", ".lock"}  # somebody may be editing while the suite runs


def files_of_programs() -> set[Path]:
    """Return all files below the repository but those that people edit and tools keep."""
    found: set[Path] = set()
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if name not in OF_TOOLS]
        found |= {Path(folder, file) for file in files if Path(file).suffix not in OF_PEOPLE}
    return {file for file in found if not file.name.startswith(".coverage")}


def test_a_test_begins_in_an_empty_folder_of_its_own_without_settings(tmp_path: Path) -> None:
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert not tmp_path.is_relative_to(ROOT)
    assert [name for name in os.environ if name.startswith(("AGENTS_EVAL_", "JUDGE_"))] == []


def test_runs_under_pytest_leave_the_repository_and_the_users_data_root_as_they_were(tmp_path: Path) -> None:
    users = tmp_path / "users"
    before = files_of_programs()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"--basetemp={tmp_path / 'inner'}", *WRITING],
        cwd=ROOT,
        env=os.environ | {"AGENTS_EVAL_HOME": str(users), "JUDGE_TIERS_ENABLED": "2"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout
    assert list((tmp_path / "inner").glob("**/run.json")), "nothing was run that could have written"
    assert not users.exists()
    assert sorted(files_of_programs() - before) == []


@pytest.mark.parametrize("folder", ["_Agents-eval", "results", "logs"])
def test_no_results_of_runs_lie_in_the_repository(folder: str) -> None:
    assert not (ROOT / folder).exists()
