"""The trace format `claude_code_stream`: what `claude -p --output-format stream-json` or `json` prints."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.spans import trace_of_session
from agents_eval_core.formats.claude_code.stream_events import Events
from agents_eval_core.formats.claude_code.wire import Lines, StreamLine, raw_value, told_by_lines
from agents_eval_core.formats.json_text.json_values import as_record
from agents_eval_core.trace import Source, Trace

TYPES: Final = frozenset({"system", "assistant", "user", "result", "stream_event", "rate_limit_event"})
MARKS: Final = re.compile(rb'"type"\s*:\s*"(?:system|assistant|user|result)"')
LARGEST_WHOLE: Final = 64 * 2**20


class ClaudeCodeStreamFormat:
    """Reads the output of `claude -p`: lines of events, an array of them, or the result alone.

    Tokens: each request's input is on its lines, but its output only where the line has a `stop_reason` or the stream
    has partial messages; else it is unknown. The totals of the whole session, with requests that the stream does not
    show, are the usage of the session's span, from the last result. The last message of a sub-agent that was waited
    for is not streamed; it is read from the result that hands it back.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "claude_code_stream"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first bytes of a file are events with a `session_id`, as Claude Code prints them.

        >>> ClaudeCodeStreamFormat().recognises(Path("any"), b'{"type":"system","subtype":"init","session_id":"s"}')
        True
        """
        if b'"session_id"' not in head:
            return False
        known = told_by_lines(head, _is_event)
        if known is not None:
            return known
        is_json = head.lstrip()[:1] in (b"{", b"[")
        return is_json and MARKS.search(head) is not None and b'"uuid"' in head

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the one session of a file.

        Raises:
            UnreadableError: The file cannot be read, or holds no event of a session.
        """
        draft = SessionDraft(longest_text)
        lines = Lines(StreamLine, draft.unread)
        events = Events(draft)
        for line in lines.of(source):
            events.take(line, lines.current)
        if events.session_id is None:
            events, lines = _whole(source, longest_text) or (events, lines)
        if events.session_id is None:
            raise UnreadableError(
                f"{source} holds no event of Claude Code: {lines.problem or 'line 1: the file is empty'}; "
                "give the output of claude -p --output-format stream-json --verbose, or json"
            )
        origin = Source(format=self.name, path=str(source), digest=lines.digest)
        yield trace_of_session(events.draft, events.session(), origin)


def _whole(source: Path, longest_text: int | None) -> tuple[Events, Lines[StreamLine]] | None:
    """Return the events of a file that is one array, or one object over many lines; None for any other file."""
    if source.stat().st_size > LARGEST_WHOLE:
        return None
    data = source.read_bytes().strip()
    if data[:1] not in (b"[", b"{"):
        return None
    events = Events(SessionDraft(longest_text))
    lines = Lines(StreamLine, events.draft.unread)
    for line in lines.listed(data):
        events.take(line, lines.current)
    return events, lines


def _is_event(line: bytes) -> bool | None:
    """Return whether a line is an event; None where it cannot be told, since it is no JSON or cut off."""
    event = as_record(raw_value(line.strip().strip(b"[],")))
    return str(event.get("type")) in TYPES and isinstance(event.get("session_id"), str) if event else None
