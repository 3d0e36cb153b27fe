"""The files of Claude Code sessions: main transcripts and the sub-agents' transcripts that belong to them."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from agents_eval_core.formats.building.first_bytes import first_bytes
from agents_eval_core.formats.claude_code.wire import BAD_JSON, LINES_LOOKED_AT, raw_value, told_by_lines
from agents_eval_core.formats.json_text.json_values import as_record, as_text
from agents_eval_core.reach import is_in_reach

SPOKEN: Final = frozenset({"user", "assistant", "system", "progress", "attachment"})
KEPT: Final = frozenset({"queue-operation", "last-prompt", "atis-latch", "mode", "permission-mode", "custom-title"})
FOLDER: Final = "subagents"
PREFIX: Final = "agent-"


class SessionFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The transcripts of one session; `main` is None where only those of sub-agents are left."""

    main: Path | None
    sub_agents: tuple[Path, ...]

    @property
    def folder(self) -> Path | None:
        """The session's own folder, whether it is there or not; None for sub-agents of which the session is unknown."""
        if self.main is not None:
            return self.main.with_suffix("")
        above = (place.parent for path in self.sub_agents for place in path.parents if place.name == FOLDER)
        return next(above, None)


class Meta(msgspec.Struct, rename="camel"):
    """What stands beside a sub-agent's transcript."""

    agent_type: str | None = None
    description: str | None = None
    tool_use_id: str | None = None
    name: str | None = None


def is_transcript(head: bytes) -> bool:
    """Whether the first bytes of a file are lines of a transcript.

    >>> is_transcript(b'{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{}}')
    True
    """
    if b'"sessionId"' not in head:
        return False
    known = told_by_lines(head, _is_line)
    if known is not None:
        return known
    return head.lstrip()[:1] == b"{" and b'"parentUuid"' in head and b'"isSidechain"' in head


def sessions_of(source: Path, root: Path | None = None) -> Iterator[SessionFiles]:
    """Yield the sessions that a file or folder holds.

    A main transcript brings its sub-agents: those under `SESSION/subagents`, and, of older versions, those beside it
    that name its session. A folder is the one that is named after a session, with its main transcript beside it if it
    is there and in a root, or any folder with transcripts in it. A sub-agent's transcript alone is a session without a
    main one.
    """
    if source.is_file():
        yield _session_of(source)
    elif (source / FOLDER).is_dir():
        main = source.with_name(f"{source.name}.jsonl")
        is_main = is_in_reach(main, root) and is_transcript(first_bytes(main))
        found = _below(source / FOLDER)
        yield SessionFiles(main=main if is_main else None, sub_agents=found)
    else:
        yield from _sessions_in(source)


def meta_of(transcript: Path) -> Meta | None:
    """Return what stands beside a sub-agent's transcript, or None."""
    try:
        return msgspec.json.decode(transcript.with_suffix(".meta.json").read_bytes(), type=Meta)
    except (OSError, *BAD_JSON):
        return None


def holds_transcripts(folder: Path) -> bool:
    """Whether a folder has a transcript, or a folder of sub-agents' transcripts, directly in it."""
    files = (*_below(folder / FOLDER), *_listed(folder))
    return any(is_transcript(first_bytes(path)) for path in files)


def _sessions_in(folder: Path) -> Iterator[SessionFiles]:
    loose = _loose_sub_agents(folder)
    taken = set[Path]()
    for path in _listed(folder):
        if path not in loose and is_transcript(first_bytes(path)):
            session = _session_of(path, loose)
            taken.update(session.sub_agents)
            yield session
    orphans = tuple(path for path in loose if path not in taken)
    if orphans:
        yield SessionFiles(main=None, sub_agents=orphans)


def _session_of(transcript: Path, loose: Mapping[Path, set[str]] | None = None) -> SessionFiles:
    if loose is None:
        loose = _loose_sub_agents(transcript.parent)
    if transcript in loose:
        return SessionFiles(main=None, sub_agents=(transcript,))
    sessions = {transcript.stem, *_session_ids(transcript, sidechain=False)}
    beside = (path for path, named in loose.items() if named & sessions)
    return SessionFiles(main=transcript, sub_agents=(*_below(transcript.with_suffix("") / FOLDER), *beside))


def _loose_sub_agents(folder: Path) -> dict[Path, set[str]]:
    """Return the transcripts of sub-agents that lie beside those of sessions, with the sessions they name."""
    named = {path: _session_ids(path, sidechain=True) for path in _listed(folder) if path.name.startswith(PREFIX)}
    return {path: sessions for path, sessions in named.items() if sessions}


def _session_ids(transcript: Path, *, sidechain: bool) -> set[str]:
    """Return the sessions that the first lines of a transcript name."""
    found = set[str]()
    for line in first_bytes(transcript).splitlines()[:LINES_LOOKED_AT]:
        record = as_record(raw_value(line))
        session_id = as_text(record.get("sessionId"))
        if session_id is not None and bool(record.get("isSidechain")) == sidechain:
            found.add(session_id)
    return found


def _below(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(sorted(path for path in folder.rglob(f"{PREFIX}*.jsonl") if path.is_file()))
    except OSError:
        return ()


def _listed(folder: Path) -> Iterable[Path]:
    try:
        return sorted(path for path in folder.glob("*.jsonl") if path.is_file())
    except OSError:
        return ()


def _is_line(line: bytes) -> bool | None:
    """Return whether a line is one of a transcript; None where it cannot be told."""
    record = as_record(raw_value(line))
    kind = str(record.get("type"))
    if not record or kind in ("file-history-snapshot", "summary"):
        return None
    if not isinstance(record.get("sessionId"), str):
        return None if kind in KEPT else False
    if kind in SPOKEN:
        return "parentUuid" in record or "isSidechain" in record
    return True if kind in KEPT else None
