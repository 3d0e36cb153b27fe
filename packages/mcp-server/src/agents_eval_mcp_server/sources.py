"""What a client names when it says which run: an id, a path under the root, inline JSON, or a session of its own."""

import os
import re
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents_eval_core.claude_code_sessions import is_pointer, session_transcript
from agents_eval_core.errors import UsageError
from agents_eval_core.reach import is_in_reach
from agents_eval_mcp_server.root import Root
from agents_eval_mcp_server.session import Session

LARGEST_INLINE_CHARACTERS: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfinedSource:
    """A source that may be read.

    Attributes:
        path: A run id, or an absolute path.
        root: The folder that nothing may be read outside of.
    """

    path: str
    root: Path


@contextmanager
def confined_source(source: str | None, inline: str | None, session: Session) -> Generator[ConfinedSource]:
    """Give what a client named, confined: a run id as it is, else a path that may be read.

    Raises:
        UsageError: None or both were given, it lies outside the root, or it is too large.
    """
    if (source is None) == (inline is None):
        raise UsageError("give either source (a run id or a path) or trace_json (the trace itself), not both")
    if inline is None:
        yield _named(source or "", session)
        return
    if len(inline) > LARGEST_INLINE_CHARACTERS:
        raise UsageError(
            f"trace_json has {len(inline)} characters, more than {LARGEST_INLINE_CHARACTERS}; put it into a file under "
            "the root and give its path"
        )
    with tempfile.TemporaryDirectory(prefix="agents-eval-") as folder:
        path = Path(folder) / "trace_json"
        path.write_text(inline, encoding="utf-8", errors="replace")
        yield ConfinedSource(path=str(path), root=Path(folder))


def _named(source: str, session: Session) -> ConfinedSource:
    root = session.root.path
    if is_pointer(source):
        transcript = _own_session(source, session)
        return ConfinedSource(path=str(transcript), root=transcript.parent)
    path = session.root.inside(source)
    if not path.exists() and source.replace("-", "").isalnum():
        return ConfinedSource(path=source, root=session.root.of_runs)
    if not path.exists():
        raise UsageError(f"{source!r} is neither a run nor a file under the root; list_runs gives run ids")
    if not path.is_file() and not path.is_dir():
        raise UsageError(f"{source!r} is neither a plain file nor a folder; give a trace file or a run directory")
    path = session.root.folder(source) if path.is_dir() else session.root.file(source)
    return ConfinedSource(path=str(path), root=root)


def confined_selector(selector: str, root: Root) -> str:
    """Return a selector of kept runs, as an absolute path where it is one; all its runs may be read.

    Raises:
        UsageError: It names nothing, or a run that leads out of the root.
    """
    from agents_eval_core.store.run_directory import RunDirectory  # noqa: PLC0415  the server answers before it loads
    from agents_eval_core.use_cases.selection import compositions_of, select_runs  # noqa: PLC0415  as above

    is_query = "=" in selector
    path = None if is_query else root.inside(selector)
    is_path = path is not None and ("/" in selector or "\\" in selector or path.exists())
    confined = str(path) if is_path else selector
    for each in compositions_of(confined, root.data):
        for record in select_runs(each, root.data):
            place = root.data.path / record.directory
            if not is_in_reach(place, root.path) and not is_in_reach(place, root.of_runs):
                raise UsageError(f"run {record.id} lies outside the root; put a copy into it")
            RunDirectory.open(place, root.path if is_in_reach(place, root.path) else root.of_runs)
    return confined


def _own_session(pointer: str, session: Session) -> Path:
    if not session.options.claude_code_sessions:
        raise UsageError(
            f"{pointer!r} is not open to this server; whoever starts it can allow the sessions of its own project with "
            "--claude-code-sessions"
        )
    return session_transcript(pointer, os.environ, project=project_folder(session.root.path))


def project_folder(root: Path) -> str:
    """Return the name under which Claude Code keeps the sessions of a working directory.

    >>> project_folder(Path("/home/me/my.project"))
    '-home-me-my-project'
    """
    return re.sub(r"[^A-Za-z0-9]", "-", str(root))
