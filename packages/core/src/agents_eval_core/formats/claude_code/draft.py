"""A Claude Code session in the making: agents, requests to the model, tool calls and messages as the lines tell them.

The Messages API's answer comes in several lines of one `message.id`, each with one block and the same usage; a tool
call and its result come in different lines; who a sub-agent is comes in a third. So everything is gathered first.
"""

from collections import Counter
from datetime import datetime
from sys import intern
from typing import Any, Final

from msgspec import Raw

from agents_eval_core.formats.building.shared_cuts import SharedCuts
from agents_eval_core.formats.claude_code.hand_back import LAUNCHED, HandBack, hand_back
from agents_eval_core.formats.claude_code.records import (
    DELEGATING,
    AgentDraft,
    CallDraft,
    ChatDraft,
    Line,
    NoteDraft,
    Rank,
    appended,
)
from agents_eval_core.formats.claude_code.spilled_results import SpilledResults
from agents_eval_core.formats.claude_code.texts import TextLimit, answer_text, content_text, error_type_of
from agents_eval_core.formats.claude_code.wire import NOTHING, ApiMessage, Block, raw_value

CALLS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
HANDING: Final = DELEGATING | {"Skill"}
"""Calls that start agents, or may: a skill may run in one of its own."""
COUNT_BITS: Final = 32
"""What a rank has for the count; more lines than that are in no file."""
SYNTHETIC: Final = "<synthetic>"
SILENT_BLOCKS: Final = frozenset({"redacted_thinking", "fallback", "container_upload"})


class SessionDraft:
    """Gathers what happened in a session, in the order in which it is told."""

    def __init__(self, longest_text: int | None = None, spilled: SpilledResults | None = None) -> None:
        self.limit = TextLimit(longest_text)
        self._spilled = spilled or SpilledResults(None)
        self.agents: dict[str, AgentDraft] = {}
        self.chats: dict[str, ChatDraft] = {}
        self.calls: dict[str, CallDraft] = {}
        self.notes: list[NoteDraft] = []
        self.unread: Counter[str] = Counter()
        self.delegates: dict[str, str] = {}
        self.finished: dict[str, tuple[str, str | None, datetime | None]] = {}
        self.instant = 0
        self._count = 0
        self._cuts = SharedCuts()
        self._seen: set[str] = set()

    def rank(self) -> Rank:
        """Return the next place in the order."""
        self._count += 1
        return (self.instant << COUNT_BITS) + self._count

    def agent(self, key: str) -> AgentDraft:
        """Return an agent, known by the key of its lines."""
        found = self.agents.get(key)
        if found is None:
            found = self.agents[key] = AgentDraft(key=key, rank=self.rank(), id=key)
        return found

    def is_repeated(self, uuid: str | None) -> bool:
        """Whether a line of this identity was there before; counts it then."""
        if uuid is None:
            return False
        if uuid in self._seen:
            self.unread["repeated line"] += 1
            return True
        self._seen.add(uuid)
        return False

    def see(self, line: Line) -> None:
        """Take note of when an agent was at work."""
        agent = self.agents.get(line.agent) or self.agent(line.agent)
        if line.at is not None:
            agent.first = line.at if agent.first is None or line.at < agent.first else agent.first
            agent.last = line.at if agent.last is None or line.at > agent.last else agent.last

    def said(self, line: Line, message: ApiMessage, *, failure: str | None = None) -> ChatDraft:
        """Take in a part of an answer of the model."""
        self.see(line)
        chat = self._chat(line, message)
        chat.tokens = message.usage or chat.tokens
        chat.is_final = chat.is_final or message.stop_reason is not None
        chat.failure = failure or chat.failure
        chat.last = line.at or chat.last
        if line.attributes:
            chat.attributes.update(line.attributes)
        if message.stop_reason:
            chat.attributes["stop_reason"] = message.stop_reason
        if line.uuid:
            chat.uuids = appended(chat.uuids, line.uuid)
        blocks = [Block(type="text", text=message.content)] if isinstance(message.content, str) else message.content
        for block in blocks:
            self._take_block(line, chat, block)
        return chat

    def answered(self, line: Line, block: Block, detail: Raw = NOTHING, *, is_denied: bool = False) -> None:
        """Take in the result of a tool call."""
        self.see(line)
        call = self.calls.get(block.tool_use_id or "")
        if call is None:
            self.unread["result without its call"] += 1
            return
        if call.is_answered:
            self.unread["repeated result"] += 1
            return
        call.is_answered, call.is_error, call.last = True, bool(block.is_error), line.at
        content = raw_value(block.content)
        text = self._handed_back(call, content, detail) if call.name in HANDING else content_text(content)
        if call.is_error:
            call.error_type = "PermissionDenied" if is_denied else error_type_of(text)
        if line.uuid:
            call.uuids += (line.uuid,)
        if (whole := self._spilled.whole(text, self.unread)) is not None:
            call.attributes["result_shown"] = self.limit.text(text, "result_shown", call.attributes)
            text = whole
        call.result = self.limit.text(text, "result", call.attributes)
        if not call.launch:
            call.attributes = self._cuts.of(call.attributes)

    def note(self, line: Line, text: str | None, **about: Any) -> NoteDraft:
        """Take in a message, or something else that happened once."""
        rank = self.rank()
        note = NoteDraft(id=line.uuid or f"note-{self._count}", sender=line.agent, rank=rank, at=line.at, **about)
        note.text = self.limit.text(text, "text", note.attributes)
        self.notes.append(note)
        return note

    def link(self, call_id: str, key: str) -> None:
        """Say that a call started an agent; the first that says so holds."""
        if call_id not in self.delegates:
            self.delegates[call_id] = key
            agent = self.agent(key)
            agent.call_id = agent.call_id or call_id

    def _chat(self, line: Line, message: ApiMessage) -> ChatDraft:
        chat_id = message.id or line.uuid or f"message-{self._count}"
        chat = self.chats.get(chat_id)
        if chat is None:
            model = None if message.model == SYNTHETIC else message.model
            chat = ChatDraft(
                id=chat_id, agent=line.agent, rank=self.rank(), model=model and intern(model), first=line.at
            )
            if message.model == SYNTHETIC:
                chat.attributes["is_synthetic"] = True
            self.chats[chat_id] = chat
        return chat

    def _take_block(self, line: Line, chat: ChatDraft, block: Block) -> None:
        kind = block.type
        if kind == "text":
            if block.text:
                place = f"text.{len(chat.texts)}" if chat.texts else "text"
                chat.texts = appended(chat.texts, self.limit.text(block.text, place, chat.attributes) or "")
        elif kind in CALLS:
            self._take_call(line, chat, block)
        elif kind == "thinking":
            if block.thinking:
                thought = self.limit.text(block.thinking, "thinking", chat.attributes) or ""
                chat.thoughts = appended(chat.thoughts, thought)
        elif kind.endswith("_result"):
            self.answered(line, block)
        elif kind not in SILENT_BLOCKS:
            self.unread[f"block {kind or '?'}"] += 1

    def _take_call(self, line: Line, chat: ChatDraft, block: Block) -> None:
        call_id = block.id or f"{chat.id}:call-{self._count}"
        if call_id in self.calls:
            self.unread["repeated tool call"] += 1
            return
        attributes: dict[str, Any] = {}
        arguments = self.limit.value(raw_value(block.input), "arguments", attributes)
        call = CallDraft(
            id=call_id,
            name=intern(block.name or "?"),
            agent=chat.agent,
            rank=self.rank(),
            arguments=arguments,
            first=line.at,
            uuids=(line.uuid,) if line.uuid else (),
            attributes=attributes,
        )
        self.calls[call_id] = call

    def _handed_back(self, call: CallDraft, content: Any, detail: Raw) -> str | None:
        """Take in who was started by a call; return the answer, or None where the work has only begun."""
        call.answer_rank = self.rank()
        back = hand_back(detail)
        agent_id = back.teammate_id or back.agent_id
        if agent_id:
            self._started(call, agent_id, back)
        if call.is_error or (call.name not in DELEGATING and agent_id is None):
            return content_text(content)
        if back.status in LAUNCHED:
            call.launch = back.status
            call.attributes["launch"] = self.limit.text(content_text(content), "launch", call.attributes)
            return None
        answer = raw_value(back.content) if back.content else None
        return (answer_text(answer) if answer else None) or answer_text(content) or content_text(content)

    def _started(self, call: CallDraft, agent_id: str, back: HandBack) -> None:
        self.link(call.id, agent_id)
        agent = self.agent(self.delegates[call.id])
        agent.id = agent_id
        agent.name = agent.name or back.name or back.agent_type or back.teammate_type
        if back.status and back.status not in LAUNCHED:
            agent.status = back.status
        totals = {
            "total_tokens": back.total_tokens,
            "total_tool_use_count": back.total_tool_use_count,
            "total_duration_ms": back.total_duration_ms,
            "team": back.team_name,
        }
        agent.attributes.update({name: value for name, value in totals.items() if value is not None})
        if back.status == "completed":
            call.last_tokens, call.last_model = back.usage, back.resolved_model
