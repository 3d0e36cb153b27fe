"""Copies of prompts and rubrics: kept apart from the shipped ones, refused where they could not be used."""

from pathlib import Path

import pytest

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.errors import AgentsEvalError, UnknownNameError, UsageError
from agents_eval_core.use_cases.prompt_copies import copy_folder, keep_prompt, prompt_copies, prompt_diff, prompt_text


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return DataRoot(path=tmp_path)


def test_a_copy_takes_the_place_of_the_shipped_text_where_it_is_named(root: DataRoot) -> None:
    keep_prompt("prompts", "terse", "manager.md", "Be brief.\n", root)
    assert prompt_copies("prompts", root) == ("terse",)
    assert prompt_text("prompts", "terse", "manager.md", root) == "Be brief.\n"
    shipped = registry.prompt_set("prompts").texts()
    assert prompt_text("prompts", None, "manager.md", root) == shipped["manager.md"]
    assert prompt_text("prompts", "terse", "analyst.md", root) == shipped["analyst.md"]


@pytest.mark.parametrize(
    ("prompt_set", "file", "text"), [("prompts", "manager.md", " "), ("rubrics", "review_quality.toml", "name = ")]
)
def test_what_could_not_be_used_is_refused_and_nothing_is_kept(
    root: DataRoot, prompt_set: str, file: str, text: str
) -> None:
    with pytest.raises(AgentsEvalError):
        keep_prompt(prompt_set, "mine", file, text, root)
    assert prompt_copies(prompt_set, root) == ()


def test_no_name_leads_out_of_the_folder(root: DataRoot) -> None:
    with pytest.raises(UsageError, match="letters, digits"):
        copy_folder("prompts", "../x", root)
    with pytest.raises(UnknownNameError):
        keep_prompt("prompts", "mine", "../manager.md", "x", root)


def test_a_difference_is_shown_line_by_line() -> None:
    text = registry.prompt_set("rubrics").texts()["tool_use.toml"]
    assert prompt_diff("rubrics", "tool_use.toml", text) == ""
    changed = prompt_diff("rubrics", "tool_use.toml", text + "# mine\n")
    assert "+# mine" in changed.splitlines()
