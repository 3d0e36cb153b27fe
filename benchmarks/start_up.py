"""What it costs to start: CPU time of whole processes, beside that of an empty Python, in one run."""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from agents_eval import run_review_sync

ROUNDS = 7
CLI = [sys.executable, "-m", "agents_eval_cli"]


def cpu_ms(command: Sequence[str], folder: Path) -> float:
    """Return the median CPU time of a process, in milliseconds."""
    times: list[float] = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)  # noqa: S603
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    return median(times)


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        done = run_review_sync("sparse-gates", dataset="sample")
        empty = cpu_ms([sys.executable, "-c", "pass"], folder)
        print(f"python -c pass                    {empty:7.0f} ms")
        for label, limit, arguments in (
            ("agents-eval --help", 150, ["--help"]),
            ("agents-eval review --help", None, ["review", "--help"]),
            ("agents-eval evaluate RUN_DIR", 1200, ["evaluate", str(done.directory), "--json"]),
            (
                "agents-eval review (offline)",
                None,
                ["review", "--dataset", "sample", "--paper", "sparse-gates", "--json"],
            ),
        ):
            took = cpu_ms([*CLI, *arguments], folder)
            goal = f"  (goal {limit} ms)" if limit else ""
            print(f"{label:33} {took:7.0f} ms  {took / empty:5.1f} x empty{goal}")


if __name__ == "__main__":
    main()
