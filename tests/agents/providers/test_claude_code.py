"""Claude Code as a judge: a real process, made up here, in the place of the program."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents_eval_agents.providers.claude_code import ClaudeCode
from agents_eval_core import registry
from agents_eval_core.errors import ModelError, UnreadableReplyError, UsageError
from agents_eval_core.ports.chat_model import ChatLimits, ChatMessage
from agents_eval_core.ports.provider import Provider
from agents_eval_evaluators.judge.judgement import Judgement

QUESTION = (
    ChatMessage(role="system", text="You judge."),
    ChatMessage(role="user", text=r"[00 begin review] Let ${x}$ be \frac{a}{b}; $(touch here) [00 end review]"),
)
ANSWER: dict[str, Any] = {
    "answers": [{"criterion": "flow", "evidence": [], "reason": "so", "level": 3}],
    "instructions_found": [],
}
Install = Callable[[str], Path]


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that puts a program of that name on the PATH, a shell script that notes how it was called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def install(body: str) -> Path:
        notes = tmp_path / "notes"
        notes.mkdir(exist_ok=True)
        program = folder / "claude"
        program.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$@" > {notes}/arguments\npwd > {notes}/place\nls -A > {notes}/found\n'
            f'cat > {notes}/question\nfor one in "$@"; do case "$one" in --system-prompt-file=*) '
            f'cat "${{one#*=}}" > {notes}/system;; esac; done\n{body}\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
        return notes

    return install


def saying(result: str, **more: Any) -> str:
    envelope: dict[str, Any] = {"type": "result", "subtype": "success", "is_error": False, "result": result} | more
    return f"cat <<'END'\n{json.dumps(envelope)}\nEND"


async def asked(model: str | None = None, seconds: float = 20.0) -> Any:
    return await ClaudeCode().chat_model(model).complete(QUESTION, Judgement, ChatLimits(seconds=seconds))


async def test_it_is_asked_in_print_mode_without_tools_in_an_empty_place(claude: Install) -> None:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 100, "output_tokens": 9}
    notes = claude(saying(json.dumps(ANSWER), usage=usage, total_cost_usd=0.25, modelUsage={"claude-x": {}}))
    reply = await asked("opus")
    assert reply.value.answers[0].level == 3
    assert (reply.model, reply.input_tokens, reply.output_tokens, reply.cost_usd) == ("claude-x", 107, 9, 0.25)
    arguments = (notes / "arguments").read_text().splitlines()
    assert {"--print", "--output-format=json", "--strict-mcp-config", "--model=opus"} <= set(arguments)
    assert arguments[arguments.index("--tools") + 1] == ""
    assert arguments[arguments.index("--setting-sources") + 1] == ""
    assert (notes / "question").read_text() == QUESTION[1].text
    assert "You judge." in (notes / "system").read_text()
    assert '"instructions_found"' in (notes / "system").read_text()
    assert (notes / "found").read_text() == "instructions.txt\n"
    assert is_gone((notes / "place").read_text().strip())
    assert is_gone("here")


async def test_an_answer_in_other_words_is_unreadable_and_keeps_its_text(claude: Install) -> None:
    claude(saying("I give it a 3."))
    with pytest.raises(UnreadableReplyError) as caught:
        await asked()
    assert caught.value.text == "I give it a 3."


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo 'not logged in' >&2; exit 1", "ended with code 1: not logged in"),
        ("echo hello", "JSON form"),
        ("echo '[]'", "one JSON object"),
        (saying("Credit balance is too low", is_error=True), "Credit balance is too low"),
        (saying("", subtype="error_max_turns"), "error_max_turns"),
    ],
)
async def test_what_goes_wrong_is_said(body: str, said: str, claude: Install) -> None:
    claude(body)
    with pytest.raises(ModelError, match=said):
        await asked()


async def test_one_that_is_late_ends_with_everything_it_started(claude: Install, tmp_path: Path) -> None:
    claude(f"sleep 60 & echo $! > {tmp_path}/child; wait")
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        await asked(seconds=1.0)
    assert time.monotonic() - start < 10
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not _runs(child):
            return
        time.sleep(0.02)  # noqa: ASYNC251  the process belongs to nobody here who could be awaited
    pytest.fail("the child still runs")


def is_gone(place: str) -> bool:
    return not Path(place).exists()


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_without_the_program_it_is_no_judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no program 'claude'" in str(registry.provider("claude-code").unavailable_because())


def test_it_drives_no_agents_and_says_which_engine_does() -> None:
    provider: Provider = registry.provider("claude-code")
    for model in (provider.agent_model, provider.answering_model):
        with pytest.raises(UsageError, match="--engine cc-solo"):
            model(provider.fitting_model(10_000))
    assert "cc-solo" in registry.names("engines")
