"""The command `agents-eval dashboard`, which the command line offers when this package is installed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from agents_eval_core.settings import load_settings
from agents_eval_dashboard.themes import Theme, theme_arguments

LOOPBACK: Final = "127.0.0.1"


def command(port: int = 8501, address: str = LOOPBACK, theme: Theme = Theme.system) -> None:
    """Open the runs of the data root in the browser, on this machine only unless an address is given.

    Whoever can reach the address can read every run and start new ones: there is no password.
    """
    home = load_settings(Path.cwd()).home.resolve()
    arguments = server_arguments(port, address=address, theme=theme)
    raise SystemExit(subprocess.call(arguments, env=server_environment() | {"AGENTS_EVAL_HOME": str(home)}))  # noqa: S603


def server_environment() -> dict[str, str]:
    """Return the environment of the server: that of this process, without the plug-in that logfire has for pydantic.

    It is of no use here, and the first page of a server would wait 0.8 s for it.
    """
    return {"PYDANTIC_DISABLE_PLUGINS": "logfire-plugin"} | os.environ


def server_arguments(port: int, *, address: str = LOOPBACK, theme: Theme = Theme.system) -> list[str]:
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
        f"--server.address={address}",
        "--server.headless=true",
        "--server.fileWatcherType=none",
        "--browser.gatherUsageStats=false",
        "--client.toolbarMode=viewer",
        "--client.showErrorDetails=none",
        *theme_arguments(theme),
    ]
