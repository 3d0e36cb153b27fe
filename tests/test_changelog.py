"""Notes of changes: each is a sentence for the user, in a file named by its kind, and no verb is left unmentioned."""

import re
from pathlib import Path

import pytest

from agents_eval_cli.verbs import VERBS

ROOT = Path(__file__).parents[1]
NOTES = sorted((ROOT / "changelog.d").iterdir())
KINDS = ("added", "changed", "fixed", "removed")


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.name)
def test_a_note_is_one_sentence_in_a_file_named_by_its_kind(note: Path) -> None:
    assert re.fullmatch(rf"[a-z0-9-]+\.(?:{'|'.join(KINDS)})\.md", note.name)
    text = note.read_text(encoding="utf-8")
    assert text.count("\n") == 1
    assert text.endswith(".\n")
    assert text[0].isupper() or text[0] == "`"
    assert len(text) < 600


@pytest.mark.parametrize("verb", [*VERBS, "mcp", "dashboard"])
def test_every_verb_of_the_command_line_was_told_to_the_user(verb: str) -> None:
    told = "".join(file.read_text(encoding="utf-8") for file in (*NOTES, ROOT / "CHANGELOG.md"))
    assert f"agents-eval {verb}" in told
