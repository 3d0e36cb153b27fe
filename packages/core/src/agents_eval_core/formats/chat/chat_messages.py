"""Lists of chat messages with the roles system, user, assistant and tool, as OpenAI's chat completions have them.

What becomes what: the list is one `invoke_agent` (an `invoke_workflow` where several agents speak); the first system
and developer messages are its instructions, kept as the attribute `gen_ai.system_instructions`; each assistant message
is a `chat`, each of its tool calls an `execute_tool` that the later tool message answers; each user message is a
`message` of the user. An assistant is known by `sender` (Swarm) or `name`, else it is `assistant`.

Where the next assistant is another one, the last call of a transfer tool before it was a delegation to it.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.trace_log import Answer, TraceLog
from agents_eval_core.formats.chat.content_parts import other_parts, result_of, text_of
from agents_eval_core.formats.json_text.json_values import (
    as_amount,
    as_count,
    as_moment,
    as_record,
    as_records,
    as_text,
    parsed,
)
from agents_eval_core.trace import Usage

ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
INSTRUCTIONS: Final = "gen_ai.system_instructions"
TRANSFER: Final = re.compile(r"transfer|hand_?off|delegate", re.IGNORECASE)
UNDERSTOOD: Final = frozenset(
    (
        "role", "content", "name", "sender", "tool_calls", "tool_call_id", "function_call", "usage", "model",
        "timestamp", "requestor", "cost", "refusal", "error",
    )
)  # fmt: skip


def has_chat_role(value: Any) -> bool:
    """Whether a value has the role of such a message and is no kin of it that has a type (LangChain, Responses)."""
    message = as_record(value)
    return message.get("role") in ROLES and "type" not in message and "lc" not in message


def is_chat_message(value: Any) -> bool:
    """Whether a value is a message of this kind, with content or calls, and without the blocks of other makers."""
    message = as_record(value)
    if not has_chat_role(value) or not isinstance(message.get("content"), str | list | None):
        return False
    return {"content", "tool_calls", "function_call"} & message.keys() != set() and all(
        part.get("type") in ("text", "image_url", "input_audio", "audio", "file", "refusal", "video_url", "image")
        for part in as_records(message.get("content"))
    )


class ChatLog(TraceLog):
    """Gathers one list of chat messages.

    >>> log = ChatLog()
    >>> log.take({"role": "user", "content": "Hello"}, "0")
    >>> log.take({"role": "assistant", "content": "Hello, what can I do?"}, "1")
    >>> [(span.operation, span.agent_id) for span in log.spans]
    [('invoke_agent', 'assistant'), ('message', 'user'), ('chat', 'assistant')]
    """

    def __init__(self, longest_text: int | None = None, *, attributes: Mapping[str, Any] | None = None) -> None:
        super().__init__(longest_text)
        self._root_attributes = dict(attributes or {})
        self._speaker: str | None = None
        self._root = ""
        self._instructions: list[str] = []
        self._unaddressed: list[int] = []

    def take(self, message: dict[str, Any], source_id: str) -> None:
        """Add a message; its place in the source is kept as `source_span_ids`."""
        role = message.get("role")
        if role in ("system", "developer"):
            self._take_system(message, source_id)
        elif role == "assistant":
            self._take_assistant(message, source_id)
        elif role == "user":
            self._take_user(message, source_id)
        elif role in ("tool", "function"):
            self._take_result(message, source_id)
        else:
            self.miss(f"message with role {role}")

    def finish(self) -> None:
        """Say who was spoken to where nobody answered; called when all is taken."""
        if self._root and self._speaker is None:
            self._first_speaks("assistant")

    def _under(self) -> str:
        """Return the id of the root, which is made when the first thing happens in it."""
        if not self._root:
            if self._instructions:
                self._root_attributes[INSTRUCTIONS] = "\n\n".join(self._instructions)
            at = self.add("invoke_agent", "invoke_agent", status="unknown", attributes=self._root_attributes)
            self._root = self.spans[at].id
        return self._root

    def _first_speaks(self, name: str) -> None:
        """Name the agent that the run is of, and that was spoken to before it spoke."""
        agent_id = self.agent(name)
        self.change(0, name=f"invoke_agent {name}", agent_id=agent_id)
        for at in self._unaddressed:
            self.change(at, to_agent_id=agent_id)

    def _take_system(self, message: dict[str, Any], source_id: str) -> None:
        text = text_of(message.get("content")) or ""
        if not self._root:
            self._instructions.append(text)
            return
        agent_id = self.agent("system", "system")
        self.add(
            "message",
            "system",
            agent_id=agent_id,
            text=text,
            parent_id=self._root,
            source_ids=[source_id],
            attributes=_rest(message),
        )

    def _take_user(self, message: dict[str, Any], source_id: str) -> None:
        name = as_text(message.get("name")) or "user"
        parent, at = self._under(), as_moment(message.get("timestamp"))
        user = self.agent(name, "user", key=f"user {name}")
        if self._speaker is None:
            self._unaddressed.append(len(self.spans))
        self.add(
            "message",
            name,
            agent_id=user,
            to_agent_id=self.agent(self._speaker) if self._speaker else None,
            text=text_of(message.get("content")),
            parent_id=parent,
            started_at=at,
            ended_at=at,
            source_ids=[source_id],
            attributes=_rest(message),
        )
        self._take_calls(message, user, parent, source_id)

    def _take_assistant(self, message: dict[str, Any], source_id: str) -> None:
        name = as_text(message.get("sender")) or as_text(message.get("name")) or self._speaker or "assistant"
        before, self._speaker = self._speaker, name
        parent = self._under()
        agent_id = self.agent(name)
        if before is None:
            self._first_speaks(name)
        elif before != name:
            self._transferred(agent_id)
        self.add(
            "chat",
            f"chat {name}",
            agent_id=agent_id,
            text=text_of(message.get("content")) or text_of(message.get("refusal")),
            parent_id=parent,
            model=as_text(message.get("model")),
            usage=usage_of(message.get("usage"), cost=message.get("cost")),
            ended_at=as_moment(message.get("timestamp")),
            source_ids=[source_id],
            attributes=_rest(message),
        )
        self._take_calls(message, agent_id, parent, source_id)

    def _take_calls(self, message: dict[str, Any], agent_id: str, parent: str, source_id: str) -> None:
        calls = as_records(message.get("tool_calls"))
        if function := as_record(message.get("function_call")):
            calls = [*calls, {"function": function, "id": f"function {function.get('name')}"}]
        for place, call in enumerate(calls):
            function = as_record(call.get("function")) or as_record(call.get("custom")) or call
            arguments = function.get("arguments", function.get("input"))
            self.call(
                as_text(function.get("name")) or "?",
                parsed(arguments),
                call_id=as_text(call.get("id")),
                agent_id=agent_id,
                parent_id=parent,
                source_ids=[f"{source_id}.tool_calls.{place}"],
            )

    def _take_result(self, message: dict[str, Any], source_id: str) -> None:
        call_id = message.get("tool_call_id") or message.get("id") or f"function {message.get('name')}"
        declared = message.get("error")
        answer = Answer(
            text=result_of(message.get("content")),
            is_error=declared if isinstance(declared, bool) else None,
            at=as_moment(message.get("timestamp")),
            source_id=source_id,
        )
        if not self.answer(str(call_id), answer):
            self.miss("tool result without its call")

    def _transferred(self, to_agent_id: str) -> None:
        """Mark the call that handed over to the one who speaks now, and that more than one agent works here."""
        self.change(0, operation="invoke_workflow", name="invoke_workflow", agent_id=None)
        for span in reversed(self.spans):
            if span.operation == "chat":
                return
            if span.operation == "execute_tool" and TRANSFER.search(span.name):
                self.change(span.seq, to_agent_id=to_agent_id)
                return


def usage_of(value: Any, *, cost: Any = None) -> Usage | None:
    """Return the usage of one model call by the names of OpenAI, LangChain or AutoGen; None where nothing is known.

    Cached tokens are part of the input tokens, as these sources count them.

    >>> usage_of({"prompt_tokens": 9, "completion_tokens": 2}).input_tokens
    9
    """
    given = as_record(value)
    details = as_record(given.get("prompt_tokens_details")) or as_record(given.get("input_tokens_details"))
    return known_usage(
        Usage(
            input_tokens=_first_count(given, "prompt_tokens", "input_tokens"),
            output_tokens=_first_count(given, "completion_tokens", "output_tokens"),
            cached_tokens=as_count(details.get("cached_tokens")),
            cost_usd=as_amount(cost),
        )
    )


def _first_count(given: Mapping[str, Any], *names: str) -> int | None:
    return next((found for name in names if (found := as_count(given.get(name))) is not None), None)


def _rest(message: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in message.items() if key not in UNDERSTOOD and value is not None}
    parts = other_parts(message.get("content"))
    return {**rest, "other_parts": parts} if parts else rest
