"""The official conformance suite over HTTP, against a stated baseline."""

import subprocess
from collections.abc import Callable
from pathlib import Path

Program = Callable[..., subprocess.CompletedProcess[str]]
BASELINE = Path(__file__).parent / "conformance-baseline.yml"


def test_exactly_the_scenarios_of_the_baseline_fail(program: Program, conformance_url: str) -> None:
    done = program("conformance", "server", "--url", conformance_url, "--expected-failures", str(BASELINE))
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
