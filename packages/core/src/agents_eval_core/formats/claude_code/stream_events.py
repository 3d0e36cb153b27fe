"""The events of Claude Code's output stream, understood one after the other."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.messages import end_task, take_user_content
from agents_eval_core.formats.claude_code.records import MAIN, CallDraft, ChatDraft, Line, moment
from agents_eval_core.formats.claude_code.result import RESULT, ResultLine, declared_usage
from agents_eval_core.formats.claude_code.spans import Session, count
from agents_eval_core.formats.claude_code.wire import (
    BAD_JSON,
    NOTHING,
    ApiMessage,
    Block,
    StreamLine,
    Tokens,
    api_failure,
    raw_value,
)
from agents_eval_core.formats.json_text.json_values import as_record, as_records, as_text
from agents_eval_core.trace import Outcome

SILENT: Final = frozenset(
    {"rate_limit_event", "control_request", "control_response", "keep_alive", "tool_progress", "prompt_suggestion"}
)
SILENT_SYSTEM: Final = frozenset(
    {
        "background_tasks_changed",
        "compact_boundary",
        "files_persisted",
        "hook_progress",
        "hook_response",
        "hook_started",
        "microcompact_boundary",
        "permission_denied",
        "session_state_changed",
        "status",
        "task_progress",
        "thinking_tokens",
    }
)
OF_SESSION: Final = ("cwd", "model", "permissionMode", "claude_code_version", "tools", "mcp_servers")
OF_RESULT: Final = (
    "subtype",
    "num_turns",
    "duration_ms",
    "duration_api_ms",
    "terminal_reason",
    "stop_reason",
    "modelUsage",
    "permission_denials",
    "errors",
    "subagent_stats",
    "api_error_status",
)
NO_AGENTS: Final = ("local_bash", "monitor")


class ApiEvent(Struct, gc=False):
    """An event of the streaming API, with `--include-partial-messages`."""

    type: str = ""
    message: ApiMessage | None = None
    usage: Tokens | None = None


class Patch(Struct):
    """A change of a task."""

    status: str | None = None


_event: Final = msgspec.json.Decoder(ApiEvent)
_patch: Final = msgspec.json.Decoder(Patch)


class Events:
    """Understands one event after the other.

    A sub-agent's lines name the call that started it, so that call's id is its key.
    """

    def __init__(self, draft: SessionDraft) -> None:
        self.draft = draft
        self.session_id: str | None = None
        self._about: dict[str, Any] = {}
        self._result: ResultLine | None = None
        self._results = 0
        self._streaming: dict[str, str] = {}
        self._final: dict[str, Tokens] = {}
        self._takers: Mapping[str, Callable[[StreamLine, bytes], None]] = {
            "assistant": self._take_assistant,
            "user": self._take_user,
            "system": self._take_system,
            "stream_event": self._take_stream_event,
            "result": self._take_result,
        }

    def take(self, event: StreamLine, data: bytes) -> None:
        """Take in an event; of one that is not known, its type is counted."""
        if event.session_id is None:
            self.draft.unread["line of another kind"] += 1
            return
        self.session_id = self.session_id or event.session_id
        taker = self._takers.get(event.type)
        if taker is not None:
            taker(event, data)
        elif event.type not in SILENT:
            self.draft.unread[f"line {event.type or '?'}"] += 1

    def session(self) -> Session:
        """Return what is known of the session as a whole, when all events have been taken."""
        self._complete_requests()
        self._complete_answers()
        result = self._result
        about = Session(id=self.session_id or "session", attributes=self._about)
        if result is None:
            self.draft.unread["missing result: the stream was cut off"] += 1
            return about
        about.status = "unknown" if result.is_error is None else "error" if result.is_error else "ok"
        about.usage = declared_usage(result)
        about.outcome = Outcome(success=False if result.is_error else None, text=result.subtype or None)
        if result.is_error:
            about.error_type = str(self._about.get("terminal_reason") or result.subtype or "error")
            about.error_text = result.result
        self._about["results"] = self._results
        if not self.draft.chats and result.result is not None:
            self.draft.note(Line(agent=MAIN), result.result, name="result")
        return about

    def _take_assistant(self, event: StreamLine, data: bytes) -> None:  # noqa: ARG002
        if not isinstance(event.message, ApiMessage) or self.draft.is_repeated(event.uuid):
            return
        attributes = {"request_id": event.request_id} if event.request_id else None
        failure = api_failure(event.error) if event.is_api_error_message or event.error else None
        self.draft.said(self._line(event, attributes), event.message, failure=failure)

    def _take_user(self, event: StreamLine, data: bytes) -> None:  # noqa: ARG002
        if not isinstance(event.message, ApiMessage) or self.draft.is_repeated(event.uuid):
            return
        line = self._line(event)
        content = event.message.content
        results = [block for block in content if block.type == "tool_result"] if isinstance(content, list) else []
        denied = _denied(event) if event.tool_result_meta else frozenset[str]()
        detail = event.tool_use_result if len(results) == 1 else NOTHING
        for block in results:
            self.draft.answered(line, block, detail, is_denied=block.tool_use_id in denied)
        if not results or len(results) < len(content):
            take_user_content(self.draft, line, content)

    def _take_system(self, event: StreamLine, data: bytes) -> None:
        match event.subtype:
            case "init":
                known = as_record(raw_value(data))
                self._about.update({name: known[name] for name in OF_SESSION if name in known})
            case "task_started":
                self._take_start(event)
            case "task_notification" | "task_updated":
                self._take_end(event)
            case "api_retry":
                line = self._line(event)
                self.draft.see(line)
                self.draft.note(line, None, operation="other", name="api_retry", error_type="RetriedRequest")
            case _ if event.subtype not in SILENT_SYSTEM:
                self.draft.unread[f"system {event.subtype or '?'}"] += 1
            case _:
                pass

    def _take_start(self, event: StreamLine) -> None:
        """Take note of who was started; commands that run in the background are tasks too, but no agents."""
        call_id, task_id = event.tool_use_id, event.task_id
        if task_id is None or event.task_type in NO_AGENTS:
            return
        call = self.draft.calls.get(call_id or "")
        if call is not None and call.name == "Bash":
            return
        key = call_id or task_id
        if call_id:
            self.draft.link(call_id, key)
        agent = self.draft.agent(key)
        agent.id = task_id
        agent.name = event.subagent_type or agent.name
        agent.is_described = True
        agent.attributes["task_id"] = task_id
        if event.description:
            agent.attributes["description"] = event.description

    def _take_end(self, event: StreamLine) -> None:
        if event.task_id is None:
            return
        status = event.status
        if event.patch:
            try:
                status = _patch.decode(event.patch).status or status
            except BAD_JSON:
                self.draft.unread["damaged task_updated"] += 1
        if status and status not in ("running", "pending"):
            how = {"status": status, "answer": event.summary, "at": moment(event.timestamp)}
            end_task(self.draft, event.task_id, event.tool_use_id or "", **how)
            if event.tool_use_id in self.draft.agents:
                self.draft.agent(event.tool_use_id).status = status

    def _take_stream_event(self, event: StreamLine, data: bytes) -> None:  # noqa: ARG002
        """Take from partial messages only what their whole does not say: the final usage."""
        try:
            part = _event.decode(event.event)
        except BAD_JSON:
            self.draft.unread["damaged stream_event"] += 1
            return
        who = event.parent_tool_use_id or MAIN
        if part.type == "message_start" and part.message is not None and part.message.id:
            self._streaming[who] = part.message.id
        elif part.type == "message_delta" and part.usage is not None and who in self._streaming:
            self._final[self._streaming[who]] = part.usage

    def _take_result(self, event: StreamLine, data: bytes) -> None:  # noqa: ARG002
        try:
            self._result = RESULT.decode(data)
        except BAD_JSON:
            self.draft.unread["damaged result"] += 1
            return
        self._results += 1
        known = as_record(raw_value(data))
        self._about.update({name: known[name] for name in OF_RESULT if known.get(name) not in (None, [], {})})

    def _line(self, event: StreamLine, attributes: Mapping[str, Any] | None = None) -> Line:
        key = event.parent_tool_use_id or MAIN
        if key != MAIN:
            if key not in self.draft.agents:
                self.draft.link(key, key)
            if event.agent_id:
                agent = self.draft.agents[key]
                agent.id, agent.name = event.agent_id, agent.name or event.subagent_type
        return Line(agent=key, at=moment(event.timestamp), uuid=event.uuid, attributes=attributes)

    def _complete_requests(self) -> None:
        for chat_id, tokens in self._final.items():
            chat = self.draft.chats.get(chat_id)
            if chat is not None and chat.tokens is not None:
                chat.tokens.output_tokens = tokens.output_tokens
                chat.is_final = True

    def _complete_answers(self) -> None:
        """Add the last messages of sub-agents that were waited for, where the stream does not have them."""
        shown = Counter(call.agent for call in self.draft.calls.values())
        said: dict[str, list[ChatDraft]] = {}
        for chat in self.draft.chats.values():
            said.setdefault(chat.agent, []).append(chat)
        for call in self.draft.calls.values():
            key = self.draft.delegates.get(call.id)
            if key is not None and call.last_tokens is not None and call.result is not None:
                self._complete_answer(call, key, said.get(key, []), shown[key])

    def _complete_answer(self, call: CallDraft, key: str, chats: Sequence[ChatDraft], shown: int) -> None:
        made = count(self.draft.agent(key).attributes.get("total_tool_use_count"))
        if any("\n".join(chat.texts or ()) == call.result for chat in chats) or (not chats and made != 0):
            return
        if made is not None and made > shown:
            self.draft.unread["call of a sub-agent that the stream does not show"] += made - shown
            return
        message = ApiMessage(
            id=f"{call.id}:answer",
            model=chats[-1].model if chats else call.last_model,
            content=[Block(type="text", text=call.result)],
            usage=call.last_tokens,
            stop_reason="end_turn",
        )
        line = Line(agent=key, at=call.last, attributes={"read_from": "tool_use_result"})
        chat = self.draft.said(line, message)
        chat.rank = call.answer_rank or chat.rank


def _denied(event: StreamLine) -> frozenset[str]:
    """Return the calls that were not permitted."""
    if b"reject" not in bytes(event.tool_result_meta):
        return frozenset()
    entries = as_records(raw_value(event.tool_result_meta))
    rejected = (one for one in entries if as_record(one.get("permission_decision")).get("decision") == "reject")
    return frozenset(call_id for one in rejected if (call_id := as_text(one.get("id"))))
