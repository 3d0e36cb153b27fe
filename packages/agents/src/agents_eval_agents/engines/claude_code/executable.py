"""The `claude` command of this machine."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.errors import UsageError

COMMAND: Final = "claude"
VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
SECONDS: Final = 20.0
ABSENT: Final = (
    "the command 'claude' is not on the PATH; install Claude Code (npm install -g @anthropic-ai/claude-code) and sign "
    "in, or give a run made earlier with --from"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Executable:
    """The command and its version; the version is None where it does not say."""

    path: Path
    version: str | None


def claude_executable() -> Executable:
    """Return the command as it is found on the PATH.

    Raises:
        UsageError: It is not there, or it does not start.
    """
    found = shutil.which(COMMAND)
    if found is None:
        raise UsageError(ABSENT)
    try:
        told = subprocess.run(  # noqa: S603  the command that the user has on the PATH
            [found, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise UsageError(
            f"'{COMMAND} --version' does not work ({problem}); mend the installation of Claude Code"
        ) from problem
    version = VERSION.search(told.stdout)
    return Executable(path=Path(found), version=version[0] if version else None)


def claude_absence() -> str | None:
    """Return why Claude Code cannot be started, or None."""
    try:
        claude_executable()
    except UsageError as problem:
        return str(problem)
    return None
