"""The benchmark on real models, against the server on this machine."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from scripted_server.server import ScriptedServer

LIVE = Path(__file__).parents[2] / "benchmarks" / "live.py"


def live(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(LIVE), *arguments],
        capture_output=True,
        encoding="utf-8",
        env=dict(os.environ),
        check=False,
        timeout=120,
    )


def test_it_estimates_runs_and_reports(
    scripted_server: ScriptedServer, reached: Callable[[str], str], clean_place: Path
) -> None:
    done = live(reached("openai"), "5")
    assert done.returncode == 0, done.stderr
    first, path = done.stdout.strip().splitlines()
    assert first.startswith("openai:gpt-6-luna: about ")
    report = (clean_place / path).read_text(encoding="utf-8")
    assert report.count("| complete |") == 6
    assert "- openai:gpt-6-luna: 0 of 6 reviews are near a human's of the same paper" in report
    assert "- humans: 0 of 6 reviews are near a human's of the same paper" in report


def test_an_estimate_above_the_budget_asks_nobody(
    scripted_server: ScriptedServer, reached: Callable[[str], str]
) -> None:
    done = live(reached("openai"), "0.001")
    assert done.returncode == 2
    assert "above the budget of 0.001 USD" in done.stderr
    assert scripted_server.asked == []
