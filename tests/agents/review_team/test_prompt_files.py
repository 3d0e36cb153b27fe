from pathlib import Path

import pytest

from agents_eval_agents.review_team.prompt_files import Prompts
from agents_eval_core.errors import UsageError


def test_a_file_replaces_the_prompt_of_the_same_name_and_changes_the_digest(tmp_path: Path) -> None:
    (tmp_path / "analyst.md").write_text("Weigh {everything} \\frac{a}{b}.", "utf-8")
    own, built_in = Prompts.load(tmp_path), Prompts.load()
    assert own.texts["analyst"] == "Weigh {everything} \\frac{a}{b}."
    assert own.texts["manager"] == built_in.texts["manager"]
    assert own.digest != built_in.digest
    assert built_in.digest == Prompts.load().digest


def test_a_prompt_that_no_agent_has_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "analist.md").write_text("x", "utf-8")
    with pytest.raises(UsageError, match=r"did you mean 'analyst\.md'"):
        Prompts.load(tmp_path)


def test_a_missing_or_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        Prompts.load(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="holds no prompt"):
        Prompts.load(tmp_path)


@pytest.mark.parametrize("content", [b"", b"  \n", b"\xff\xfe", b"x" * 300_000])
def test_a_prompt_that_cannot_be_used_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "critic.md").write_bytes(content)
    with pytest.raises(UsageError, match=r"critic\.md"):
        Prompts.load(tmp_path)


def test_the_same_words_under_other_names_are_other_prompts() -> None:
    assert Prompts(texts={"a": "bc"}).digest != Prompts(texts={"ab": "c"}).digest
