"""The sessions of Claude Code that lie in the user's own home, by pointers such as `claude-code:latest`."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from agents_eval_core.errors import UsageError

POINTER: Final = "claude-code:"
LATEST: Final = "latest"
SHORTEST: Final = 4
SHOWN: Final = 5


def is_pointer(source: str) -> bool:
    """Whether a source is a pointer to one of the user's sessions, not a path.

    >>> is_pointer("claude-code:latest"), is_pointer("session.jsonl")
    (True, False)
    """
    return source.startswith(POINTER)


def record_of_session(source: str, environment: Mapping[str, str] | None = None) -> Path:
    """Return the file that a session made earlier is kept in: a transcript for a pointer, else the file itself.

    Raises:
        UsageError: There is no such session or file.
    """
    if is_pointer(source):
        return session_transcript(source, environment)
    path = Path(source)
    if not path.is_file():
        raise UsageError(f"{source} is not a file; give what claude -p printed, or {POINTER}{LATEST}")
    return path


def session_transcript(
    pointer: str, environment: Mapping[str, str] | None = None, *, project: str | None = None
) -> Path:
    """Return the transcript that `claude-code:latest` or `claude-code:<session id>` points to.

    Looked at is `projects` in the folder that `CLAUDE_CONFIG_DIR` names, else in `~/.claude`. The latest session is
    the one that was written to last, whichever project it belongs to. The beginning of a session id, from four
    characters, is enough if only one session begins so.

    Args:
        pointer: `claude-code:` and `latest` or a session id.
        project: Only sessions in the folder of this name under `projects`; default is all of them.
        environment: Where `CLAUDE_CONFIG_DIR` and `HOME` are looked up; default is the process's.

    Raises:
        UsageError: There is no such session, or several begin so.
    """
    wanted = pointer.removeprefix(POINTER).strip()
    projects = _configuration(os.environ if environment is None else environment) / "projects"
    sessions = sorted(_sessions(projects, project or "*"))
    if not sessions:
        raise UsageError(f"{pointer}: no session of Claude Code in {projects}; set CLAUDE_CONFIG_DIR or give its file")
    if wanted == LATEST:
        return max(sessions)[1]
    found = [path for _, path in sessions if path.stem == wanted]
    if not found and len(wanted) >= SHORTEST:
        found = [path for _, path in sessions if path.stem.startswith(wanted)]
    if len({path.stem for path in found}) > 1:
        listed = ", ".join(sorted({path.stem for path in found})[:SHOWN])
        raise UsageError(f"{pointer} names several sessions ({listed}); give more of the id")
    if not found:
        newest = ", ".join(path.stem for _, path in sessions[::-1][:SHOWN])
        raise UsageError(
            f"{pointer}: no such session in {projects}; the newest are {newest}, or say claude-code:latest"
        )
    return found[-1]


def _configuration(environment: Mapping[str, str]) -> Path:
    chosen = environment.get("CLAUDE_CONFIG_DIR")
    if chosen:
        return Path(chosen)
    home = environment.get("HOME") or environment.get("USERPROFILE")
    return (Path(home) if home else Path.home()) / ".claude"


def _sessions(projects: Path, project: str) -> Iterator[tuple[int, Path]]:
    """Yield the transcripts of all projects with the times at which they were last written to."""
    for path in projects.glob(f"{project}/*.jsonl"):
        if path.name.startswith("agent-"):
            continue
        try:
            status = path.stat()
        except OSError:
            continue
        if status.st_size:
            yield status.st_mtime_ns, path
