"""`agents-eval providers`: what can be used, and what the others lack."""

import json
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

Program = Callable[..., CompletedProcess[str]]


def test_each_provider_says_what_it_lacks(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TOGETHER_API_KEY", "made-up")
    monkeypatch.setenv("TOGETHER_BASE_URL", "http://models.example.org/v1")
    done = program("providers")
    shown = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "offline offline-baseline can be used (no language model)" in shown
    for lack in (
        "openai gpt-6-luna no key; set OPENAI_API_KEY",
        "google (gemini) gemini-3.8-flash no key; set GOOGLE_API_KEY or GEMINI_API_KEY",
        "nothing answers at http://127.0.0.1:9/v1; start the server, or set OLLAMA_BASE_URL",
        "nobody said where it is; set OPENAI_COMPATIBLE_BASE_URL",
        "TOGETHER_BASE_URL would send the key unencrypted; give an https address",
        "GitHub Models ended on 30 July 2026",
        "can be used now.",
    ):
        assert lack in shown


def test_a_key_or_a_server_that_answers_makes_one_usable(
    program: Program, reached: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up-key")
    reached("ollama")
    monkeypatch.delenv("OLLAMA_API_KEY")
    done = program("providers", "--json")
    found = {each["name"]: each["unavailable_because"] for each in json.loads(done.stdout)["providers"]}
    usable = {name for name, why in found.items() if why is None} - {"claude-code"}
    assert usable == {"offline", "replay", "anthropic", "ollama"}
    assert "made-up-key" not in done.stdout
