"""A batch whose driver is killed in the midst of its work ends, when it is resumed, as an undisturbed one."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest

from agents_eval_core import registry
from agents_eval_core.data_root import DataRoot
from agents_eval_core.store.run_directory import RunDirectory

PROGRAM: Final = (sys.executable, "-m", "agents_eval_cli")
TRACES: Final = 80
PATIENT: Final = {f"JUDGE_TIER{tier}_MAX_SECONDS": "300" for tier in (1, 3)}  # else a slow machine loses scores


def conversation(number: int) -> dict[str, Any]:
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": f"tool_{number % 3}", "arguments": f'{{"n": {number}}}'},
    }
    return {
        "messages": [
            {"role": "user", "content": f"Question {number}?"},
            {"role": "assistant", "content": None, "tool_calls": [call] * (1 + number % 2)},
            {"role": "tool", "tool_call_id": "c", "content": f"found {number}"},
            {"role": "assistant", "content": f"Answer {number}."},
        ]
    }


def call(*arguments: str | Path) -> None:
    line = [*PROGRAM, *map(str, arguments)]
    done = subprocess.run(
        line, capture_output=True, encoding="utf-8", check=False, timeout=300, env=os.environ | PATIENT
    )
    assert done.returncode == 0, done.stderr


def kept(home: Path) -> dict[str, list[Any]]:
    """Return the scores of each trace, by what it said; each is in the store once, and has one directory."""
    store = registry.store("sqlite", DataRoot(path=home).database)
    records = list(store.records())
    store.close()
    assert len(records) == len(list((home / "runs").iterdir())) == TRACES
    found: dict[str, list[Any]] = {}
    for record in records:
        directory = RunDirectory.open(home / record.directory)
        card = directory.read_scorecard()
        assert card is not None
        found[directory.read_run().text] = [(score.name, score.value, score.reason) for score in card.scores]
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_batch_that_was_killed_is_resumed_to_the_same_end(tmp_path: Path) -> None:
    traces = tmp_path / "traces.jsonl"
    traces.write_text("".join(f"{json.dumps(conversation(number))}\n" for number in range(TRACES)))
    order = ("batch", "evaluate", traces, "--name", "b", "--tier", "1", "--tier", "3", "--concurrency", "1", "--quiet")
    call(*order, "--home", tmp_path / "whole", "--scheduler", "asyncio")
    home = tmp_path / "killed"
    line, environment = [*PROGRAM, *map(str, order), "--home", str(home)], os.environ | PATIENT
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, env=environment) as batch:
        while batch.poll() is None and not any((home / "runs").glob("*")):
            time.sleep(0.002)
        os.kill(batch.pid, signal.SIGKILL)
    assert batch.returncode == -signal.SIGKILL
    before = list((home / "runs").iterdir())
    assert 0 < len(before) < TRACES
    scored = {path.name: (path / "scorecard.json").stat().st_mtime_ns for path in before}
    call("batch", "resume", "b", "--home", home)
    assert kept(home) == kept(tmp_path / "whole")
    assert {name: (home / "runs" / name / "scorecard.json").stat().st_mtime_ns for name in scored} == scored
