"""The command `agents-eval dashboard`, which the command line offers when this package is installed."""

import os
import subprocess
import sys
from pathlib import Path

from agents_eval_core.settings import load_settings


def command(port: int = 8501) -> None:
    """Open the runs of the data root in the browser, on this machine only."""
    home = load_settings(Path.cwd()).home.resolve()
    raise SystemExit(subprocess.call(server_arguments(port), env={**os.environ, "AGENTS_EVAL_HOME": str(home)}))  # noqa: S603


def server_arguments(port: int) -> list[str]:
    """Return the command that serves the dashboard: loopback only, nothing sent anywhere.

    >>> server_arguments(8600)[1:4]
    ['-m', 'streamlit', 'run']
    """
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(Path(__file__).with_name("app.py")),
        f"--server.port={port}",
        "--server.address=127.0.0.1",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
    ]
