"""The trace that a list of LangChain's messages makes.

The agent is the message's `name`, else the node of the graph it came from, else `assistant`. A result's `status` is
declared. A call of a hand-off tool (`transfer_to_billing`) that was answered by "Successfully transferred" is a
delegation. The message by which a supervisor's library notes that control came back was written by no model: it is a
`message` to the one it goes back to, which is an orchestrator, and its call is none. A message with an id that was
there before (states repeat them) is skipped.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.building.trace_log import Answer, TraceLog
from agents_eval_core.formats.chat.chat_messages import INSTRUCTIONS
from agents_eval_core.formats.chat.content_parts import result_of, text_of
from agents_eval_core.formats.chat.langchain_messages import calls_of, rest_of, said_in, usage_of_message
from agents_eval_core.formats.json_text.json_values import as_record, as_text

HANDOFF: Final = re.compile(r"(?:transfer|hand_?off|delegate)_(?:back_)?to_(?P<name>.{1,100})", re.IGNORECASE)
HANDED_BACK: Final = "__is_handoff_back"
TRANSFERRED: Final = "successfully transferred"
BARE: Final = re.compile(r"[\W_]+")


class LangChainLog(TraceLog):
    """Gathers the messages of one run.

    >>> log = LangChainLog()
    >>> log.take({"type": "ai", "content": "", "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "t"}]}, "0")
    >>> log.take({"type": "tool", "content": "2", "tool_call_id": "t", "status": "success"}, "1")
    >>> [(span.operation, span.status, span.status_source) for span in log.spans[1:]]
    [('chat', 'ok', 'inferred'), ('execute_tool', 'ok', 'declared')]
    """

    def __init__(self, longest_text: int | None = None) -> None:
        super().__init__(longest_text)
        self._instructions: list[str] = []
        self._seen: set[str] = set()
        self._handed_back: set[str] = set()

    def take(self, message: dict[str, Any], place: str, *, node: str | None = None) -> None:
        """Add a message in plain form; `node` is the node of the graph that gave it."""
        message_id, kind = as_text(message.get("id")), message.get("type")
        if message_id is not None:
            if message_id in self._seen:
                return
            self._seen.add(message_id)
        if kind == "chat":
            kind = {"assistant": "ai", "user": "human"}.get(str(message.get("role")), message.get("role"))
        if kind == "ai":
            self._take_model(message, place, as_text(message.get("name")) or node or "assistant")
        elif kind in ("tool", "function"):
            self._take_result(message, place)
        elif kind in ("human", "system", "developer"):
            self._take_other(message, place, str(kind))
        else:
            self.miss(f"message of type {kind}")

    def _under(self) -> str:
        """Return the id of the root, which is made when the first thing happens in it."""
        if not self.spans:
            attributes = {INSTRUCTIONS: "\n\n".join(self._instructions)} if self._instructions else {}
            self.add("invoke_workflow", "invoke_workflow", id="root", status="unknown", attributes=attributes)
        return "root"

    def finish(self) -> None:
        """Make the root the run of the agent where there is but one; called when all is taken."""
        workers = [agent for agent in self.agents if agent.role in ("worker", "orchestrator")]
        if self.spans and len(workers) == 1:
            name = workers[0].name
            self.change(0, operation="invoke_agent", name=f"invoke_agent {name}", agent_id=workers[0].id)

    def _take_model(self, message: dict[str, Any], place: str, name: str) -> None:
        parent, agent_id = self._under(), self._member(name)
        about = as_record(message.get("response_metadata"))
        calls = calls_of(message)
        if about.get(HANDED_BACK):
            self._take_return(message, calls, agent_id, place)
            return
        self.add(
            "chat",
            f"chat {name}",
            id=as_text(message.get("id")),
            agent_id=agent_id,
            parent_id=parent,
            text=text_of(said_in(message.get("content"))),
            model=as_text(about.get("model_name")) or as_text(about.get("model")),
            usage=usage_of_message(message),
            source_ids=[place],
            attributes=rest_of(message),
        )
        for number, call in enumerate(calls):
            at = self.call(
                as_text(call.get("name")) or "?",
                call.get("args"),
                call_id=as_text(call.get("id")),
                agent_id=agent_id,
                parent_id=parent,
                source_ids=[f"{place}.tool_calls.{number}"],
            )
            if call.get("type") == "invalid_tool_call":
                problem = as_text(call.get("error")) or "the call could not be parsed"
                self.answer_at(at, Answer(text=None, is_error=True, error_type="InvalidToolCall"))
                self.change(at, error_text=problem[:2000])

    def _take_return(self, message: Mapping[str, Any], calls: list[dict[str, Any]], agent_id: str, place: str) -> None:
        names = [match.group("name") for call in calls if (match := HANDOFF.match(str(call.get("name"))))]
        self._handed_back.update(str(call.get("id")) for call in calls)
        to = self.agent(names[0], "orchestrator", key=_bare(names[0])) if names else None
        self.add(
            "message",
            "handoff back",
            id=as_text(message.get("id")),
            agent_id=agent_id,
            to_agent_id=to,
            parent_id="root",
            text=text_of(message.get("content")),
            source_ids=[place],
        )

    def _take_result(self, message: dict[str, Any], place: str) -> None:
        call_id = as_text(message.get("tool_call_id"))
        if call_id in self._handed_back:
            return
        status = message.get("status")
        text = result_of(message.get("content"))
        at = self.waiting(call_id)
        answer = Answer(
            text=text,
            is_error=None if status not in ("error", "success") else status == "error",
            source_id=place,
            attributes={key: message[key] for key in ("artifact",) if message.get(key) is not None},
        )
        if at is None or not self.answer(call_id, answer):
            self.miss("tool result without its call")
            return
        to = HANDOFF.match(self.spans[at].name)
        if to is not None and (text or "").lower().startswith(TRANSFERRED):
            self.change(at, to_agent_id=self._member(to.group("name")))

    def _take_other(self, message: dict[str, Any], place: str, kind: str) -> None:
        text = text_of(message.get("content"))
        if kind != "human" and not self.spans:
            self._instructions.append(text or "")
            return
        name = as_text(message.get("name")) or ("user" if kind == "human" else "system")
        parent = self._under()
        self.add(
            "message",
            name,
            id=as_text(message.get("id")),
            agent_id=self.agent(name, "user" if kind == "human" else "system", key=f"{kind} {name}"),
            parent_id=parent,
            text=text,
            source_ids=[place],
            attributes=rest_of(message),
        )

    def _member(self, name: str) -> str:
        return self.agent(name, key=_bare(name))


def _bare(name: str) -> str:
    return BARE.sub("_", name).strip("_").lower()
