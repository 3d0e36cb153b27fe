"""The dialect of chat completions: OpenAI's, and that of all who are compatible with it."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from scripted_server.exchange import Ask, Fault, Json, Say, within

NAME = "openai_chat"


def recognises(path: str) -> bool:
    return path.endswith("/chat/completions")


def read(path: str, headers: Json, body: Json) -> Ask:
    wanted: Json = within(body, "response_format", "json_schema")
    return Ask(
        dialect=NAME,
        path=path,
        model=body["model"],
        messages=list(_messages(body["messages"])),
        tools={each["function"]["name"]: each["function"].get("parameters") or {} for each in body.get("tools") or ()},
        schema=wanted.get("schema"),
        is_streamed=bool(body.get("stream")),
        headers=headers,
        body=body,
    )


def write(ask: Ask, say: Say) -> Json:
    message: Json = {"role": "assistant", "content": say.text or None}
    if say.calls:
        message["tool_calls"] = [_call(call) for call in say.calls]
    whole = _frame(ask, "chat.completion")
    whole["choices"] = [
        {"index": 0, "message": message, "finish_reason": _stop(say), "native_finish_reason": _stop(say)}
    ]
    if say.tells_usage:
        whole["usage"] = usage(ask, say)
    return whole


def stream(ask: Ask, say: Say) -> Iterator[bytes]:
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in pieces(say.text)]
    for index, call in enumerate(say.calls):
        name, arguments = call.tool, json.dumps(call.arguments)
        head = {"index": index, "id": call.id, "type": "function", "function": {"name": name, "arguments": ""}}
        deltas.append({"tool_calls": [head]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"name": "", "arguments": each}}]}
            for each in pieces(arguments)
        ]
    for delta in deltas:
        yield _event(ask, {"index": 0, "delta": delta, "finish_reason": None})
    yield _event(ask, {"index": 0, "delta": {}, "finish_reason": _stop(say)})
    if say.tells_usage:
        told = usage(ask, say)
        groqs_own = {"x_groq": {"id": f"req-{ask.number}", "usage": told}}
        yield sse({**_frame(ask, "chat.completion.chunk"), "choices": [], "usage": told, **groqs_own})
    yield b"data: [DONE]\n\n"


def error(fault: Fault) -> Json:
    return {
        "error": {"message": fault.message, "type": fault.code or "error", "param": None, "code": fault.code or None}
    }


def usage(ask: Ask, say: Say) -> Json:
    asked, said = ask.characters // 4, len(repr(say)) // 4
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def pieces(text: str, length: int = 40) -> Iterator[str]:
    return (text[start : start + length] for start in range(0, len(text), length))


def sse(event: Json, name: str = "") -> bytes:
    return (f"event: {name}\n" if name else "").encode() + b"data: " + json.dumps(event).encode() + b"\n\n"


def _event(ask: Ask, choice: Json) -> bytes:
    return sse({**_frame(ask, "chat.completion.chunk"), "choices": [choice]})


def _frame(ask: Ask, kind: str) -> Json:
    frame = {"id": f"chatcmpl-{ask.number}", "object": kind, "created": 1_700_000_000, "model": ask.model}
    return {**frame, "provider": "Scripted"}  # OpenRouter says who answered


def _call(call: Any) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": json.dumps(call.arguments)}}


def _stop(say: Say) -> str:
    return say.stop or ("tool_calls" if say.calls else "stop")


def _messages(said: list[Json]) -> Iterator[ModelMessage]:
    for message in said:
        match message["role"]:
            case "system" | "developer":
                yield ModelRequest(parts=[SystemPromptPart(content=text_of(message["content"]))])
            case "user":
                yield ModelRequest(parts=[UserPromptPart(content=text_of(message["content"]))])
            case "tool":
                back = ToolReturnPart(
                    tool_name="", content=text_of(message["content"]), tool_call_id=message["tool_call_id"]
                )
                yield ModelRequest(parts=[back])
            case _:
                calls = [
                    ToolCallPart(
                        tool_name=each["function"]["name"], args=each["function"]["arguments"], tool_call_id=each["id"]
                    )
                    for each in message.get("tool_calls") or ()
                ]
                text = [TextPart(content=text_of(message["content"]))] if message.get("content") else []
                yield ModelResponse(parts=[*text, *calls])


def text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(each.get("text", "")) for each in content or ())
