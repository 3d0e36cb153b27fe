"""Messages of LangChain, in the three ways in which they are dumped, and what lies in them.

A message may be serialised (`lc`, `kwargs`), wrapped (`type`, `data`) or plain (`type`, `content`). Its calls may be
there by up to three conventions; each is taken once.
"""

from collections.abc import Mapping
from typing import Any, Final

from agents_eval_core.formats.chat import anthropic_blocks
from agents_eval_core.formats.chat.chat_messages import usage_of
from agents_eval_core.formats.json_text.json_values import (
    as_count,
    as_json,
    as_list,
    as_record,
    as_records,
    as_text,
    parsed,
)
from agents_eval_core.trace import Usage

TYPES: Final[Mapping[str, str]] = {
    "HumanMessage": "human", "HumanMessageChunk": "human", "AIMessage": "ai", "AIMessageChunk": "ai",
    "SystemMessage": "system", "ToolMessage": "tool", "FunctionMessage": "function", "ChatMessage": "chat",
    "RemoveMessage": "remove",
}  # fmt: skip
KINDS: Final = frozenset((*TYPES.values(), "developer"))
OTHERS_KEYS: Final = frozenset(("subtype", "sessionId", "session_id", "source"))
"""Keys of messages of Claude Code and AutoGen, which have types of the same names."""

UNDERSTOOD: Final = frozenset(
    ("content", "type", "id", "name", "tool_calls", "invalid_tool_calls", "usage_metadata", "example", "role", "status")
)  # fmt: skip


def plain_message(value: Any) -> dict[str, Any] | None:
    """Return a message as its fields with its type, however it was dumped; None if it is none.

    >>> plain_message({"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": "a"}})
    {'content': 'a', 'type': 'human'}
    """
    record = as_record(value)
    if record.get("lc") is not None and "kwargs" in record:
        class_name = next((name for name in reversed(as_list(record.get("id"))) if isinstance(name, str)), "")
        kind = TYPES.get(class_name)
        return {**as_record(record["kwargs"]), "type": kind} if kind else None
    kind = record.get("type")
    kind = TYPES.get(kind, kind) if isinstance(kind, str) else None
    if kind not in KINDS or OTHERS_KEYS & record.keys():
        return None
    if isinstance(record.get("data"), dict):
        return {**as_record(record["data"]), "type": kind}
    return {**record, "type": kind} if "content" in record or kind == "remove" else None


def calls_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the calls of a message, each once; those that could not be parsed have the type `invalid_tool_call`.

    >>> calls_of({"content": [{"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1}}]})[0]["args"]
    {'a': 1}
    """
    calls = as_records(message.get("tool_calls"))
    if not calls:
        calls = [
            _openai_call(call) for call in as_records(as_record(message.get("additional_kwargs")).get("tool_calls"))
        ]
    if not calls:
        blocks = as_records(message.get("content"))
        calls = [{**block, "args": block.get("input")} for block in blocks if block.get("type") == "tool_use"]
    invalid = as_records(message.get("invalid_tool_calls"))
    return [*calls, *({**call, "type": "invalid_tool_call"} for call in invalid)]


def _openai_call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = as_record(call.get("function"))
    return {"name": function.get("name"), "args": parsed(function.get("arguments")), "id": call.get("id")}


def said_in(content: Any) -> Any:
    """Return the parts of a content that are text."""
    if not isinstance(content, list):
        return content
    kinds = ("text", "output_text")
    return [part for part in as_list(content) if isinstance(part, str) or as_record(part).get("type") in kinds]


def usage_of_message(message: Mapping[str, Any]) -> Usage | None:
    """Return the usage of the model call that gave a message, by LangChain's own count or the provider's."""
    about = as_record(message.get("response_metadata"))
    told = as_record(message.get("usage_metadata"))
    if told:
        return Usage(
            input_tokens=as_count(told.get("input_tokens")),
            output_tokens=as_count(told.get("output_tokens")),
            cached_tokens=as_count(as_record(told.get("input_token_details")).get("cache_read")),
        )
    return usage_of(about.get("token_usage")) or anthropic_blocks.usage_of(about.get("usage"))


def rest_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a message that nothing else takes."""
    rest = {key: value for key, value in message.items() if key not in UNDERSTOOD and value not in (None, {}, [])}
    kwargs = {
        key: value for key, value in as_record(rest.pop("additional_kwargs", None)).items() if key != "tool_calls"
    }
    return {**rest, "additional_kwargs": kwargs} if kwargs else rest


def is_state(value: Any) -> bool:
    """Whether a value is a state of a graph: it has messages, or values that have them."""
    return bool(state_messages(value))


def state_messages(value: Any) -> list[dict[str, Any]]:
    """Return the messages of a state in plain form; an empty list if it is none."""
    state = as_record(value)
    state = as_record(state.get("values")) or as_record(state.get("channel_values")) or state
    messages = [plain_message(message) for message in as_list(state.get("messages"))]
    return [message for message in messages if message is not None]


def update_messages(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the messages of an update (`{"node": {"messages": […]}}`) with their nodes; an empty list for others."""
    found: list[tuple[str, dict[str, Any]]] = []
    for node, update in as_record(value).items():
        given = as_record(update).get("messages")
        values = as_list(given) if isinstance(given, list) else [given]
        found += [(node, plain) for message in values if (plain := plain_message(message)) is not None]
    return found


def same_message(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two messages are the same one: by id, or where they have none, by all that they say."""
    ids = as_text(one.get("id")), as_text(other.get("id"))
    return ids[0] == ids[1] if any(ids) else as_json(one) == as_json(other)
