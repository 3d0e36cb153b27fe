"""Anthropic's dialect: messages."""

import json
from collections.abc import Iterator

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from scripted_server.exchange import Ask, Fault, Json, Say, within
from scripted_server.openai_chat import pieces, sse, text_of

NAME = "anthropic"
STOPS = {"length": "max_tokens", "content_filter": "refusal"}


def recognises(path: str) -> bool:
    return path.partition("?")[0].endswith("/v1/messages")


def read(path: str, headers: Json, body: Json) -> Ask:
    wanted: Json = within(body, "output_config", "format") or within(body, "output_format")
    return Ask(
        dialect=NAME,
        path=path,
        model=body["model"],
        messages=list(_messages(body)),
        tools={each["name"]: each["input_schema"] for each in body.get("tools") or () if "input_schema" in each},
        schema=wanted.get("schema"),
        is_streamed=bool(body.get("stream")),
        headers=headers,
        body=body,
    )


def write(ask: Ask, say: Say) -> Json:
    content: list[Json] = [{"type": "text", "text": say.text}] if say.text else []
    content += [{"type": "tool_use", "id": call.id, "name": call.tool, "input": call.arguments} for call in say.calls]
    return {
        "id": f"msg_{ask.number}",
        "type": "message",
        "role": "assistant",
        "model": ask.model,
        "content": content,
        "stop_reason": STOPS.get(say.stop) or ("tool_use" if say.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": ask.characters // 4, "output_tokens": len(repr(say)) // 4},
    }


def stream(ask: Ask, say: Say) -> Iterator[bytes]:
    whole = write(ask, say)
    usage = {**whole["usage"], "output_tokens": 0}
    begun: Json = {**whole, "content": [], "stop_reason": None, "usage": usage}
    yield sse({"type": "message_start", "message": begun}, "message_start")
    for index, block in enumerate(whole["content"]):
        is_call = block["type"] == "tool_use"
        empty: Json = {**block, "input": {}} if is_call else {**block, "text": ""}
        start: Json = {"type": "content_block_start", "index": index, "content_block": empty}
        yield sse(start, "content_block_start")
        for piece in pieces(json.dumps(block["input"]) if is_call else block["text"]):
            kind = (
                {"type": "input_json_delta", "partial_json": piece}
                if is_call
                else {"type": "text_delta", "text": piece}
            )
            yield sse({"type": "content_block_delta", "index": index, "delta": kind}, "content_block_delta")
        yield sse({"type": "content_block_stop", "index": index}, "content_block_stop")
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield sse({"type": "message_delta", "delta": end, "usage": whole["usage"]}, "message_delta")
    yield sse({"type": "message_stop"}, "message_stop")


def error(fault: Fault) -> Json:
    return {"type": "error", "error": {"type": fault.code or "api_error", "message": fault.message}}


def _messages(body: Json) -> Iterator[ModelMessage]:
    if body.get("system"):
        yield ModelRequest(parts=[SystemPromptPart(content=text_of(body["system"]))])
    for message in body["messages"]:
        content = message["content"]
        blocks: list[Json] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if message["role"] == "assistant":
            yield ModelResponse(parts=[_said(each) for each in blocks if each["type"] in {"text", "tool_use"}])
        else:
            yield ModelRequest(parts=[_asked(each) for each in blocks if each["type"] in {"text", "tool_result"}])


def _said(block: Json) -> ModelResponsePart:
    if block["type"] == "text":
        return TextPart(content=block["text"])
    return ToolCallPart(tool_name=block["name"], args=block["input"], tool_call_id=block["id"])


def _asked(block: Json) -> ModelRequestPart:
    if block["type"] == "text":
        return UserPromptPart(content=block["text"])
    return ToolReturnPart(tool_name="", content=text_of(block["content"]), tool_call_id=block["tool_use_id"])
