import os
from pathlib import Path

import pytest

from agents_eval_core.claude_code_sessions import session_transcript
from agents_eval_core.errors import UsageError

LINE = '{"type":"user","uuid":"1","parentUuid":null,"isSidechain":false,"sessionId":"s","message":{"content":"Hi"}}\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with two projects: two sessions, the second written to later, a sub-agent and an empty transcript."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    projects = tmp_path / ".claude" / "projects"
    for place, (name, text) in enumerate(
        (("-a/1111-aa.jsonl", LINE), ("-b/2222-bb.jsonl", LINE), ("-b/agent-cc.jsonl", LINE), ("-b/2222-dd.jsonl", ""))
    ):
        (projects / name).parent.mkdir(parents=True, exist_ok=True)
        (projects / name).write_text(text)
        os.utime(projects / name, (1000 + place, 1000 + place))
    return tmp_path


def test_the_latest_session_is_the_one_written_to_last_of_all_projects(home: Path) -> None:
    assert session_transcript("claude-code:latest") == home / ".claude" / "projects" / "-b" / "2222-bb.jsonl"


def test_a_session_is_found_by_its_id_or_the_beginning_of_it(home: Path) -> None:
    assert (
        session_transcript("claude-code:1111-aa").name == session_transcript("claude-code:1111").name == "1111-aa.jsonl"
    )


def test_the_users_choice_of_folder_is_followed(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "projects" / "-c").mkdir(parents=True)
    (elsewhere / "projects" / "-c" / "3333.jsonl").write_text(LINE)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(elsewhere))
    assert session_transcript("claude-code:latest").name == "3333.jsonl"


@pytest.mark.parametrize("pointer", ["claude-code:9999", "claude-code:111", "claude-code:", "claude-code:../1111-aa"])
def test_an_unknown_session_is_refused_with_what_there_is(home: Path, pointer: str) -> None:
    with pytest.raises(UsageError, match=r"no such session in .*; the newest are 2222-bb, 1111-aa"):
        session_transcript(pointer)


def test_a_beginning_of_several_ids_is_refused(home: Path) -> None:
    (home / ".claude" / "projects" / "-a" / "2222-ee.jsonl").write_text(LINE)
    with pytest.raises(UsageError, match=r"several sessions \(2222-bb, 2222-ee\)"):
        session_transcript("claude-code:2222")


def test_a_home_without_sessions_says_where_it_looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UsageError, match=r"no session of Claude Code in .*projects"):
        session_transcript("claude-code:latest")
