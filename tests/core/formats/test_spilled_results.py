"""Results that were too long for a transcript, in files of the session's folder."""

import json
from pathlib import Path

import pytest

from agents_eval_core.errors import UsageError
from agents_eval_core.formats.claude_code import spilled_results
from agents_eval_core.formats.claude_code_session import ClaudeCodeSessionFormat
from agents_eval_core.trace import Span
from agents_eval_core.trace_source import read_traces

PERSISTED = (
    "<persisted-output>\nOutput too large (50.8KB). Full output saved to: {}\n\nPreview (first 2KB):\nfirst line\n"
)
TOO_MANY_TOKENS = (
    "Error: result (52,013 characters) exceeds maximum allowed tokens. Output has been saved to {}.\nFormat: text\n"
)
PLACE = "/home/somebody/.claude/projects/-p/s/tool-results/{}"
MISSING = {"result in a file that is missing or too large": 1}


def a_session(folder: Path, shown: str, **results: str) -> Path:
    """Write the transcript of one call that shows a text as its result, and files of results."""
    (folder / "s" / "tool-results").mkdir(parents=True)
    for name, text in results.items():
        (folder / "s" / "tool-results" / f"{name}.txt").write_text(text)
    about = {"parentUuid": None, "isSidechain": False, "sessionId": "s"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "cat long.txt"}}
    answer = {"type": "tool_result", "tool_use_id": "toolu_1", "content": shown}
    lines = [
        {"type": "assistant", "uuid": "1", "message": {"id": "m", "content": [call]}, **about},
        {"type": "user", "uuid": "2", "message": {"role": "user", "content": [answer]}, **about},
    ]
    transcript = folder / "s.jsonl"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return transcript


def the_call(
    transcript: Path, root: Path | None = None, longest_text: int | None = None
) -> tuple[Span, dict[str, int]]:
    reader = ClaudeCodeSessionFormat(root=root)
    [trace] = reader.read(transcript, longest_text=longest_text)
    return trace.span_by_id["toolu_1"], dict(trace.unread)


@pytest.mark.parametrize("shown", [PERSISTED, TOO_MANY_TOKENS])
def test_the_whole_result_is_joined_to_its_call_and_what_was_shown_is_kept(shown: str, tmp_path: Path) -> None:
    shown = shown.format(PLACE.format("long.txt"))
    call, unread = the_call(a_session(tmp_path, shown, long="first line\nsecond line\n"))
    assert call.tool is not None
    assert (call.tool.result, call.attributes["result_shown"]) == ("first line\nsecond line\n", shown)
    assert unread == {}


def test_a_sub_agents_long_result_is_found_in_the_folder_of_its_session(tmp_path: Path) -> None:
    transcript = a_session(tmp_path, PERSISTED.format(PLACE.format("long.txt")), long="whole")
    (tmp_path / "s" / "subagents").mkdir()
    alone = transcript.rename(tmp_path / "s" / "subagents" / "agent-a.jsonl")
    alone.write_text(alone.read_text().replace('"isSidechain": false', '"isSidechain": true'))
    call, _ = the_call(tmp_path / "s")
    assert call.tool is not None
    assert call.tool.result == "whole"


@pytest.mark.parametrize(
    ("name", "missed"),
    [
        ("gone.txt", MISSING),
        ("..", MISSING),
        ("out.txt", MISSING),
        ("../../secret.txt", {}),
        ("a/../../secret.txt", {}),
    ],
)
def test_nothing_is_read_outside_of_the_folder_of_results(name: str, missed: dict[str, int], tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    shown = PERSISTED.format(PLACE.format(name))
    transcript = a_session(tmp_path, shown)
    (tmp_path / "s" / "tool-results" / "out.txt").symlink_to(tmp_path / "secret.txt")
    call, unread = the_call(transcript)
    assert call.tool is not None
    assert (call.tool.result, "result_shown" in call.attributes) == (shown, False)
    assert unread == missed


def test_a_file_beyond_the_limit_is_counted_and_the_shown_text_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spilled_results, "LARGEST_BYTES", 9)
    shown = PERSISTED.format(PLACE.format("long.txt"))
    call, unread = the_call(a_session(tmp_path, shown, long="ten bytes."))
    assert (call.tool and call.tool.result, unread) == (shown, MISSING)


def test_a_result_that_only_quotes_such_a_text_is_left_as_it_is(tmp_path: Path) -> None:
    shown = "I saw: " + PERSISTED.format(PLACE.format("long.txt"))
    call, unread = the_call(a_session(tmp_path, shown, long="whole"))
    assert (call.tool and call.tool.result, unread) == (shown, {})


def test_a_long_result_is_cut_as_other_texts_are(tmp_path: Path) -> None:
    call, _ = the_call(a_session(tmp_path, PERSISTED.format(PLACE.format("long.txt")), long="x" * 500), longest_text=10)
    assert call.tool is not None
    assert call.tool.result == "x" * 10
    assert call.attributes["cut"]["result"] == 500


def test_files_of_results_are_parts_of_their_session_and_may_not_lead_out_of_a_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    transcript = a_session(root, PERSISTED.format(PLACE.format("long.txt")), long="whole")
    result = root / "s" / "tool-results" / "long.txt"
    assert result in ClaudeCodeSessionFormat().parts(transcript)
    assert next(read_traces(transcript, root=root)).unread == {}
    result.unlink()
    result.symlink_to("/etc/hostname")
    with pytest.raises(UsageError, match=r"leads out of the root"):
        next(read_traces(transcript, root=root))
