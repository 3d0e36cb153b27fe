"""A stand-in for the command `claude`: a program that prints what a test wants, or behaves badly."""

import json
import os
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Install = Callable[[str], None]
SESSION = "5e551011-0000-4000-8000-000000000001"


@pytest.fixture
def install(clean_place: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a `claude` on the PATH whose body is the given Python text; `argv` and `ENV` are at hand in it."""

    def put(body: str) -> None:
        folder = clean_place / "bin"
        folder.mkdir(exist_ok=True)
        file = folder / "claude"
        head = (
            f"#!{sys.executable}\nimport json, os, sys, time\nargv = sys.argv[1:]\n"
            "if argv == ['--version']:\n    print('9.9.9 (Claude Code)'); sys.exit()\n"
        )
        file.write_text(head + body)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(clean_place / "claude"))

    return put


@pytest.fixture
def printed() -> Callable[[Sequence[dict[str, Any]]], str]:
    """Makes the body of a `claude` that prints events."""

    def body(events: Sequence[dict[str, Any]]) -> str:
        lines = [json.dumps({"session_id": SESSION, "uuid": str(place), **event}) for place, event in enumerate(events)]
        return f"for line in {lines!r}:\n    print(line, flush=True)\n"

    return body
