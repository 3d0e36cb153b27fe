"""Messages of Anthropic's API: two roles, and content in blocks.

What becomes what: the list is one `invoke_agent`; an assistant message is a `chat` with its text blocks, each of its
`tool_use` blocks (also those that the server runs) an `execute_tool` that the later result block answers; the text of a
user message is a `message` of the user. A result that says `is_error` is declared; where it says nothing, the status is
inferred from its text. Thinking is kept as the attribute `thinking`. Messages that share an id are one model call.

Input tokens are all that were read, cached or not, as elsewhere; those that came from the cache are given apart.
"""

from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.building.trace_log import Answer, TraceLog
from agents_eval_core.formats.chat.content_parts import result_of, text_of
from agents_eval_core.formats.json_text.json_values import as_count, as_list, as_moment, as_record, as_text
from agents_eval_core.trace import Usage

INSTRUCTIONS: Final = "gen_ai.system_instructions"
CALLS: Final = ("tool_use", "server_tool_use", "mcp_tool_use")
RESULT: Final = "tool_result"
THINKING: Final = ("thinking", "redacted_thinking")
SIGNS: Final = frozenset((*CALLS, *THINKING, RESULT, "mcp_tool_result", "web_search_tool_result"))
UNDERSTOOD: Final = frozenset(("role", "content", "model", "usage", "id", "type", "timestamp"))


def is_message(value: Any) -> bool:
    """Whether a value can be such a message."""
    message = as_record(value)
    is_typed = message.get("type", "message") == "message"
    return is_typed and message.get("role") in ("user", "assistant", "system") and "content" in message


def has_signs(value: Any) -> bool:
    """Whether a message has what only this API has: its blocks, or a response's usage.

    >>> has_signs({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "4"}]})
    True
    """
    message = as_record(value)
    blocks = [as_record(block).get("type") for block in as_list(message.get("content"))]
    is_response = message.get("type") == "message" and "stop_reason" in message and "stop_sequence" in message
    return is_response or any(kind in SIGNS for kind in blocks if isinstance(kind, str))


class BlockLog(TraceLog):
    """Gathers one list of messages in blocks.

    >>> log = BlockLog()
    >>> log.take({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "add", "input": {}}]}, "0")
    >>> log.take({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "4"}]}, "1")
    >>> [(span.operation, span.status) for span in log.spans]
    [('invoke_agent', 'unknown'), ('chat', 'ok'), ('execute_tool', 'ok')]
    """

    def __init__(self, longest_text: int | None = None, *, attributes: Mapping[str, Any] | None = None) -> None:
        super().__init__(longest_text)
        self._root_attributes = dict(attributes or {})
        self._root = ""
        self._chats: dict[str, int] = {}

    def take(self, message: dict[str, Any], source_id: str) -> None:
        """Add a message; its place in the source is kept as `source_span_ids`."""
        blocks = _blocks(message.get("content"))
        role = message.get("role")
        if role == "assistant":
            self._take_assistant(message, blocks, source_id)
        elif role in ("user", "system"):
            self._take_other(message, blocks, source_id, str(role))
        else:
            self.miss(f"message with role {role}")
            return
        for place, block in enumerate(blocks):
            self._take_block(block, f"{source_id}.content.{place}")

    def _under(self) -> str:
        if not self._root:
            agent_id = self.agent("assistant")
            at = self.add(
                "invoke_agent",
                "invoke_agent assistant",
                agent_id=agent_id,
                status="unknown",
                attributes=self._root_attributes,
            )
            self._root = self.spans[at].id
        return self._root

    def _take_assistant(self, message: dict[str, Any], blocks: list[dict[str, Any]], source_id: str) -> None:
        parent, message_id, text = self._under(), as_text(message.get("id")), _text(blocks)
        known = self._chats.get(message_id or "")
        if known is not None:
            self._continue(known, text, source_id)
            return
        at = self.add(
            "chat",
            "chat assistant",
            id=message_id,
            agent_id=self.agent("assistant"),
            parent_id=parent,
            text=text,
            model=as_text(message.get("model")),
            usage=usage_of(message.get("usage")),
            ended_at=as_moment(message.get("timestamp")),
            source_ids=[source_id],
            attributes=_rest(message, blocks),
        )
        if message_id is not None:
            self._chats[message_id] = at

    def _continue(self, at: int, text: str | None, source_id: str) -> None:
        """Add a further part of a message that came in parts, unless it is the same part again."""
        if text != self.spans[at].text:
            self.extend(at, text)
        self.change(at, source_span_ids=(*self.spans[at].source_span_ids, source_id))

    def _take_other(self, message: dict[str, Any], blocks: list[dict[str, Any]], source_id: str, role: str) -> None:
        text = _text(blocks)
        if role == "system" and not self._root:
            self._root_attributes[INSTRUCTIONS] = text
            return
        parent, at = self._under(), as_moment(message.get("timestamp"))
        if text is None and any(_is_result(block) for block in blocks):
            return
        self.add(
            "message",
            role,
            agent_id=self.agent(role, "user" if role == "user" else "system"),
            to_agent_id=self.agent("assistant"),
            parent_id=parent,
            text=text,
            started_at=at,
            ended_at=at,
            source_ids=[source_id],
            attributes=_rest(message, blocks),
        )

    def _take_block(self, block: dict[str, Any], source_id: str) -> None:
        kind = str(block.get("type"))
        if kind in CALLS:
            extra = {key: block[key] for key in ("server_name", "caller") if block.get(key) is not None}
            self.call(
                as_text(block.get("name")) or "?",
                block.get("input"),
                call_id=as_text(block.get("id")),
                agent_id=self.agent("assistant"),
                parent_id=self._under(),
                source_ids=[source_id],
                attributes=extra if kind == "tool_use" else {**extra, "block": kind},
            )
        elif _is_result(block) and not self.answer(as_text(block.get("tool_use_id")), _answer(block, source_id)):
            self.miss("tool result without its call")
        elif kind not in (*THINKING, "text") and not _is_result(block):
            self.miss(f"block {kind}")


def usage_of(value: Any) -> Usage | None:
    """Return the usage of one model call.

    >>> usage_of({"input_tokens": 3, "cache_read_input_tokens": 20, "output_tokens": 5}).input_tokens
    23
    """
    given = as_record(value)
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    read = [count for name in names if (count := as_count(given.get(name))) is not None]
    return known_usage(
        Usage(
            input_tokens=sum(read) if read else None,
            output_tokens=as_count(given.get("output_tokens")),
            cached_tokens=as_count(given.get("cache_read_input_tokens")),
        )
    )


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [
        as_record(block) if not isinstance(block, str) else {"type": "text", "text": block}
        for block in as_list(content)
    ]


def _text(blocks: list[dict[str, Any]]) -> str | None:
    return text_of([block for block in blocks if block.get("type") == "text"])


def _is_result(block: Mapping[str, Any]) -> bool:
    return str(block.get("type")).endswith(RESULT) and "tool_use_id" in block


def _answer(block: Mapping[str, Any], source_id: str) -> Answer:
    content, declared = block.get("content"), block.get("is_error")
    server_error = as_text(as_record(content).get("error_code"))
    return Answer(
        text=result_of(content),
        is_error=True if server_error else declared if isinstance(declared, bool) else None,
        error_type=server_error,
        source_id=source_id,
    )


def _rest(message: Mapping[str, Any], blocks: list[dict[str, Any]]) -> dict[str, Any]:
    rest = {key: value for key, value in message.items() if key not in UNDERSTOOD and value is not None}
    thoughts = [text for block in blocks if (text := as_text(block.get("thinking")))]
    return {**rest, "thinking": "\n".join(thoughts)} if thoughts else rest
