"""The messages of one sample in a log of Inspect that has no events, as the spans of a trace."""

from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.inspect_ai.inspect_events import InspectEvents
from agents_eval_core.formats.inspect_ai.inspect_wire import content_text
from agents_eval_core.formats.json_text.json_document import UNREADABLE, decoded
from agents_eval_core.formats.json_text.json_values import as_json, as_record, as_records, as_text
from agents_eval_core.trace import ToolUse


class LogMessage(Struct):
    """A message."""

    role: Any = None
    content: Any = None
    model: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    function: Any = None
    error: Any = None


class InspectMessages:
    """Takes in messages one after another; a tool's answer of which the log lacks the call was one nevertheless."""

    def __init__(self, builder: TraceBuilder, events: InspectEvents, root: str, agent_id: str) -> None:
        self._builder = builder
        self._events = events
        self._root = root
        self._agent = agent_id
        self._calls: dict[str, str] = {}

    def take(self, raw: Raw) -> None:
        """Take in a message."""
        try:
            message = decoded(raw, LogMessage)
        except UNREADABLE:
            self._builder.unread["damaged message"] += 1
            return
        match message.role:
            case "user" | "system":
                self._events.said(message.role, message.content)
            case "assistant":
                self._assistant(message)
            case "tool":
                self._answer(message)
            case _:
                self._builder.unread[f"message of role {str(message.role)[:40]}"] += 1

    def _assistant(self, message: LogMessage) -> None:
        self._builder.add(
            "chat",
            "chat",
            parent_id=self._root,
            agent_id=self._agent,
            status="ok",
            status_source="inferred",
            model=as_text(message.model),
            text=content_text(self._events.whole(message.content)),
        )
        for call in as_records(message.tool_calls):
            tool = ToolUse(
                name=as_text(call.get("function")) or "?",
                call_id=as_text(call.get("id")),
                arguments=self._events.whole(call.get("arguments")),
            )
            span_id = self._call(tool)
            self._calls[tool.call_id or f"#{span_id}"] = span_id

    def _call(self, tool: ToolUse) -> str:
        return self._builder.add(
            "execute_tool", f"execute_tool {tool.name}", parent_id=self._root, agent_id=self._agent, tool=tool
        )

    def _answer(self, message: LogMessage) -> None:
        call_id = as_text(message.tool_call_id)
        span_id = self._calls.pop(call_id or "", None)
        if span_id is None:
            span_id = self._call(ToolUse(name=as_text(message.function) or "?", call_id=call_id))
        error = as_record(message.error)
        content = self._events.whole(message.content)
        tool = self._builder.span(span_id).tool
        result = None if content is None else content_text(content) or as_json(content)
        self._builder.change(
            span_id,
            tool=replace(tool, result=result) if tool else None,
            status="error" if error else "ok",
            error_type=(as_text(error.get("type")) or "ToolError") if error else None,
            error_text=as_text(error.get("message")),
        )
