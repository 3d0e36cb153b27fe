"""The lines of Claude Code's transcripts, understood one after the other."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.files import Meta
from agents_eval_core.formats.claude_code.messages import NOTIFICATION, take_notification, take_user_content
from agents_eval_core.formats.claude_code.records import MAIN, Line, moment
from agents_eval_core.formats.claude_code.spans import Session
from agents_eval_core.formats.claude_code.wire import (
    BAD_JSON,
    NOTHING,
    ApiMessage,
    TranscriptLine,
    api_failure,
    raw_value,
)
from agents_eval_core.formats.json_text.json_values import as_amount, as_record
from agents_eval_core.trace import Usage

SILENT: Final = frozenset(
    {
        "agent-name",
        "agent-setting",
        "ai-title",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "atis-latch",
        "content-replacement",
        "custom-title",
        "file-history-delta",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "relocated",
        "saved_hook_context",
        "speculation-accept",
        "started",
        "summary",
        "tag",
        "tools-used",
        "worktree-state",
    }
)
SILENT_SYSTEM: Final = frozenset(
    {
        "away_summary",
        "bridge_status",
        "hook_additional_context",
        "informational",
        "local_command",
        "microcompact_boundary",
        "scheduled_task_fire",
        "stop_hook_summary",
        "task_started",
        "turn_duration",
    }
)


class Progress(Struct, rename="camel"):
    """A line of a sub-agent that is repeated in the main transcript while it works."""

    type: str = ""
    agent_id: str | None = None
    message: Raw = NOTHING


class Attachment(Struct):
    """Context that Claude Code adds to the conversation."""

    type: str = ""
    prompt: Raw = NOTHING


_progress: Final = msgspec.json.Decoder(Progress)
_attachment: Final = msgspec.json.Decoder(Attachment)
_line: Final = msgspec.json.Decoder(TranscriptLine)


class Transcript:
    """Understands one line after the other; files of sub-agents come after that of the session.

    Lines of one file keep their order even where their times do not; the files are woven together by time. A line
    without an agent's id is the main agent's, or, if it is a side chain (older versions), belongs to the agent whose
    prompt began the chain.
    """

    def __init__(self, draft: SessionDraft, agents_with_files: frozenset[str]) -> None:
        self.draft = draft
        self.is_found = False
        self._with_files = agents_with_files
        self._file_agent: str | None = None
        self._session_id: str | None = None
        self._chains: dict[str, str] = {}
        self._chain_count = 0
        self._about: dict[str, Any] = {}
        self._cost: float | None = None
        self._takers: Mapping[str, Callable[[TranscriptLine], None]] = {
            "assistant": self._take_assistant,
            "user": self._take_user,
            "system": self._take_system,
            "progress": self._take_progress,
            "attachment": self._take_attachment,
            "queue-operation": self._take_queued,
            "cost-state": self._take_cost,
        }

    def begin_file(self, agent: str | None) -> None:
        """Say that the next lines are of another file: the session's, or that of a sub-agent."""
        self._file_agent = agent
        self.draft.instant = 0

    def take(self, line: TranscriptLine) -> None:
        """Take in a line; of one that is not known, its type is counted."""
        at = moment(line.timestamp)
        if at is not None:
            self.draft.instant = max(self.draft.instant, round(at.timestamp() * 10**6))
        taker = self._takers.get(line.type)
        if taker is None:
            if line.type not in SILENT:
                self.draft.unread[f"line {line.type or '?'}"] += 1
            return
        if line.session_id is not None:
            self.is_found = True
            self._session_id = self._session_id or line.session_id
        taker(line)

    def describe(self, agent_id: str, meta: Meta) -> None:
        """Take in what stands beside a sub-agent's transcript."""
        if agent_id not in self.draft.agents:
            return
        agent = self.draft.agent(agent_id)
        agent.is_described = True
        agent.name = agent.name or meta.name or meta.agent_type
        if meta.description:
            agent.attributes["description"] = meta.description
        if meta.tool_use_id:
            self.draft.link(meta.tool_use_id, agent_id)

    def session(self, source: Path) -> Session:
        """Return what is known of the session as a whole, when all lines have been taken."""
        self._count_missing()
        for chat in self.draft.chats.values():
            chat.is_final = True
        usage = None if self._cost is None else Usage(cost_usd=self._cost, scope="subtree")
        return Session(id=self._session_id or source.stem, usage=usage, attributes=self._about)

    def _take_assistant(self, line: TranscriptLine) -> None:
        if not isinstance(line.message, ApiMessage) or self.draft.is_repeated(line.uuid):
            return
        attributes = {"request_id": line.request_id} if line.request_id else None
        failure = api_failure(line.error) if line.is_api_error_message else None
        chat = self.draft.said(self._of(line, attributes), line.message, failure=failure)
        if not chat.is_final:
            chat.attributes["output_tokens_may_be_partial"] = True
        else:
            chat.attributes.pop("output_tokens_may_be_partial", None)

    def _take_user(self, line: TranscriptLine) -> None:
        if not isinstance(line.message, ApiMessage) or self.draft.is_repeated(line.uuid):
            return
        of, content = self._of(line), line.message.content
        results = [block for block in content if block.type == "tool_result"] if isinstance(content, list) else []
        is_denied = bool(line.permission_decision) and b'"reject"' in bytes(line.permission_decision)
        for block in results:
            detail = line.tool_use_result if len(results) == 1 else NOTHING
            self.draft.answered(of, block, detail, is_denied=is_denied and bool(block.is_error))
        if not results or len(results) < len(content):
            is_summary = line.is_compact_summary
            if is_summary and any(agent.startswith("acompact") for agent in self._with_files):
                return
            take_user_content(self.draft, of, content, is_injected=line.is_meta, is_summary=is_summary)

    def _take_system(self, line: TranscriptLine) -> None:
        of = self._of(line)
        if line.subtype == "compact_boundary":
            attributes = as_record(raw_value(line.compact_metadata))
            self.draft.note(of, None, operation="other", name="compact_boundary", attributes=attributes)
        elif line.subtype == "api_error":
            self.draft.note(of, None, operation="other", name="api_retry", error_type="RetriedRequest")
        elif line.subtype not in SILENT_SYSTEM:
            self.draft.unread[f"system {line.subtype or '?'}"] += 1

    def _take_progress(self, line: TranscriptLine) -> None:
        if b'"agent_progress"' not in bytes(line.data):
            return
        try:
            progress = _progress.decode(line.data)
            said = _line.decode(progress.message) if progress.message else None
        except BAD_JSON:
            self.draft.unread["damaged progress"] += 1
            return
        agent_id = progress.agent_id
        if progress.type != "agent_progress" or not agent_id:
            return
        if line.parent_tool_use_id in self.draft.calls:
            self.draft.link(line.parent_tool_use_id or "", agent_id)
        if said is not None and said.type in ("assistant", "user") and agent_id not in self._with_files:
            said.agent_id = agent_id
            self._takers[said.type](said)

    def _take_attachment(self, line: TranscriptLine) -> None:
        if b'"queued_command"' not in bytes(line.attachment):
            return
        try:
            prompt = raw_value(_attachment.decode(line.attachment).prompt)
        except BAD_JSON:
            self.draft.unread["damaged attachment"] += 1
            return
        if isinstance(prompt, str) and prompt:
            take_user_content(self.draft, self._of(line), prompt)

    def _take_queued(self, line: TranscriptLine) -> None:
        """Take from the queue only that a task ended; what the user queued comes again as a message."""
        content = raw_value(line.content)
        if isinstance(content, str) and NOTIFICATION in content:
            take_notification(self.draft, content, moment(line.timestamp))

    def _take_cost(self, line: TranscriptLine) -> None:
        cost = as_amount(line.total_cost_usd)
        if cost is not None:
            self._cost = cost
        about = raw_value(line.model_usage)
        if about:
            self._about["model_usage"] = about

    def _of(self, line: TranscriptLine, attributes: Mapping[str, Any] | None = None) -> Line:
        for name, value in (("cwd", line.cwd), ("version", line.version), ("git_branch", line.git_branch)):
            if value and name not in self._about:
                self._about[name] = value
        at: datetime | None = moment(line.timestamp)
        return Line(agent=self._agent_of(line), at=at, uuid=line.uuid, attributes=attributes)

    def _agent_of(self, line: TranscriptLine) -> str:
        if line.agent_id:
            return line.agent_id
        if self._file_agent is not None:
            return self._file_agent
        if not line.is_sidechain:
            return MAIN
        chain = self._chains.get(line.parent_uuid or "")
        if chain is None:
            self._chain_count += 1
            chain = f"sidechain-{self._chain_count}"
        if line.uuid:
            self._chains[line.uuid] = chain
        return chain

    def _count_missing(self) -> None:
        """Count the calls that sub-agents are said to have made and that are in none of the files."""
        shown: dict[str, int] = {}
        for call in self.draft.calls.values():
            shown[call.agent] = shown.get(call.agent, 0) + 1
        for key, agent in self.draft.agents.items():
            made = agent.attributes.get("total_tool_use_count")
            if isinstance(made, int | float) and made > shown.get(key, 0):
                self.draft.unread["call of a sub-agent whose transcript is missing"] += int(made) - shown.get(key, 0)
