"""The trace format `claude_code_export`: folders with what a Claude Code session or team left behind.

A session's export has `metadata.json` (`session_id`, `start_time`, `end_time`, `model`) and `tool_calls.jsonl`; a
team's has `config.json` with its `members`, and `inboxes/` and `tasks/` where there were any.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.claude_code.export_files import ExportFiles, named_text, time_of
from agents_eval_core.formats.claude_code.team import trace_of_team
from agents_eval_core.formats.claude_code.texts import TextLimit, content_text, error_type_of
from agents_eval_core.formats.json_text.small_record import small_record
from agents_eval_core.trace import Agent, Source, Span, Status, ToolUse, Trace

METADATA: Final = "metadata.json"
CALLS: Final = "tool_calls.jsonl"
CONFIG: Final = "config.json"
MAIN: Final = "main"
MAIN_NAME: Final = "claude-code"
USED: Final = frozenset(
    {
        *("tool_name", "name", "tool", "id", "tool_use_id", "call_id", "agent_id", "agent", "timestamp", "success"),
        *("arguments", "input", "tool_input", "result", "output", "tool_response", "error", "duration", "duration_ms"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeExportFormat:
    """Reads an exported session or team.

    A call's status is declared by `success` or `error`; without both it is unknown. A time of 0 is a placeholder, and
    so are equal times of beginning and end. Of a team, each task that has an owner is one hand-off to that owner, by
    whoever assigned it, else by the lead; the message that assigned it is not counted again.

    Attributes:
        root: The folder that a team's tasks may be read from, which Claude Code keeps elsewhere; None is any.
    """

    root: Path | None = None

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "claude_code_export"

    def recognises(self, source: Path, head: bytes) -> bool:
        """Whether a folder has the metadata and calls of a session, or the members of a team."""
        return not head and source.is_dir() and (_is_session(source) or _is_team(source))

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the one trace of a folder.

        Raises:
            UnreadableError: It is no folder, or holds neither a session's export nor a team's.
        """
        files = ExportFiles(source, self.root)
        limit = TextLimit(longest_text)
        if source.is_dir() and (source / METADATA).is_file() and (source / CALLS).is_file():
            yield _trace_of_calls(files, limit, self.name)
        elif source.is_dir() and (source / CONFIG).is_file():
            yield trace_of_team(files, limit, self.name)
        else:
            raise UnreadableError(
                f"{source} is no exported session or team of Claude Code; "
                f"give a folder with {METADATA} and {CALLS}, or with {CONFIG}"
            )

    def within(self, root: Path) -> "ClaudeCodeExportFormat":
        """Return a reader that looks for a team's tasks in a folder only."""
        return dataclasses.replace(self, root=root)


def _is_session(folder: Path) -> bool:
    if not (folder / CALLS).is_file():
        return False
    return isinstance(small_record(folder / METADATA).get("session_id"), str)


def _is_team(folder: Path) -> bool:
    config = small_record(folder / CONFIG)
    members = config.get("members")
    is_named = any(isinstance(config.get(key), str) for key in ("team_name", "name", "leadAgentId"))
    return isinstance(members, list) and is_named


def _trace_of_calls(files: ExportFiles, limit: TextLimit, format_name: str) -> Trace:
    about = files.record(METADATA)
    session_id = named_text(about, "session_id") or files.folder.name
    model = named_text(about, "model")
    spans = [_call_span(call, number, session_id, limit) for number, call in enumerate(files.lines(CALLS), start=1)]
    began, ended = time_of(about.get("start_time")), time_of(about.get("end_time"))
    if began == ended:
        ended = None
    root = Span(
        id=session_id,
        seq=0,
        operation="invoke_workflow",
        name="claude_code",
        started_at=began,
        ended_at=ended,
        model=model,
        attributes={key: value for key, value in about.items() if key not in ("start_time", "end_time", "model")},
    )
    timed = [span for span in (root, *spans) if span.started_at is not None]
    names = dict.fromkeys([MAIN, *(span.agent_id for span in spans if span.agent_id)])
    return Trace(
        id=session_id,
        source=Source(format=format_name, path=str(files.folder), digest=files.digest),
        spans=(root, *(replace(span, seq=seq) for seq, span in enumerate(spans, start=1))),
        agents=tuple(Agent(id=name, name=MAIN_NAME if name == MAIN else name) for name in names),
        clock="wall" if timed else "none",
        unread=dict(files.unread),
    )


def _call_span(call: dict[str, Any], number: int, session_id: str, limit: TextLimit) -> Span:
    attributes = {key: value for key, value in call.items() if key not in USED}
    name = named_text(call, "tool_name", "name", "tool") or "?"
    result = content_text(next((call[key] for key in ("result", "output", "tool_response") if key in call), None))
    error = call.get("error")
    status = _status(call)
    began = time_of(call.get("timestamp"))
    if "duration" in call:
        attributes["duration"] = call["duration"]
    if "duration_ms" in call:
        attributes["duration_ms"] = call["duration_ms"]
    failure = error if isinstance(error, str) and error else result
    arguments = next((call[key] for key in ("arguments", "input", "tool_input") if key in call), None)
    return Span(
        id=f"{session_id}:{number}",
        seq=number,
        operation="execute_tool",
        name=f"execute_tool {name}",
        parent_id=session_id,
        agent_id=named_text(call, "agent_id", "agent") or MAIN,
        started_at=began,
        status=status,
        error_type=error_type_of(failure) if status == "error" else None,
        error_text=limit.text(failure, "error_text", attributes) if status == "error" else None,
        tool=ToolUse(
            name=name,
            call_id=named_text(call, "id", "tool_use_id", "call_id"),
            arguments=limit.value(arguments, "arguments", attributes),
            result=limit.text(result, "result", attributes),
        ),
        attributes=attributes,
    )


def _status(call: dict[str, Any]) -> Status:
    if call.get("success") is False or (call.get("success") is None and call.get("error")):
        return "error"
    return "ok" if call.get("success") is True else "unknown"
