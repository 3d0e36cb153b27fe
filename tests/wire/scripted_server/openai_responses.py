"""OpenAI's newer dialect: responses."""

import json
from collections.abc import Iterator

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

from scripted_server.exchange import Ask, Call, Fault, Json, Say, within
from scripted_server.openai_chat import pieces, sse, text_of

NAME = "openai_responses"


def recognises(path: str) -> bool:
    return path.endswith("/responses")


def read(path: str, headers: Json, body: Json) -> Ask:
    wanted: Json = within(body, "text", "format")
    return Ask(
        dialect=NAME,
        path=path,
        model=body["model"],
        messages=list(_messages(body)),
        tools={each["name"]: each["parameters"] for each in body.get("tools") or () if each["type"] == "function"},
        schema=wanted.get("schema"),
        is_streamed=bool(body.get("stream")),
        headers=headers,
        body=body,
    )


def write(ask: Ask, say: Say) -> Json:
    output: list[Json] = [_message(ask, say.text)] if say.text else []
    output += [_call(call) for call in say.calls]
    asked, said = ask.characters // 4, len(repr(say)) // 4
    usage = {
        "input_tokens": asked,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": said,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked + said,
    }
    whole = _frame(ask, "completed", output)
    if say.stop == "length":
        whole |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {**whole, "usage": usage if say.tells_usage else None}


def stream(ask: Ask, say: Say) -> Iterator[bytes]:
    whole = write(ask, say)
    number = iter(range(10_000))

    def event(kind: str, **rest: object) -> bytes:
        return sse({"type": kind, "sequence_number": next(number), **rest}, kind)

    yield event("response.created", response=_frame(ask, "in_progress", []))
    for index, item in enumerate(whole["output"]):
        place = {"item_id": item["id"], "output_index": index}
        is_call = item["type"] == "function_call"
        begun: Json = {**item, "arguments": ""} if is_call else {**item, "content": []}
        yield event("response.output_item.added", output_index=index, item={**begun, "status": "in_progress"})
        if is_call:
            for piece in pieces(item["arguments"]):
                yield event("response.function_call_arguments.delta", **place, delta=piece)
            yield event(
                "response.function_call_arguments.done", **place, name=item["name"], arguments=item["arguments"]
            )
        else:
            for piece in pieces(say.text):
                yield event("response.output_text.delta", **place, content_index=0, delta=piece, logprobs=[])
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=whole)


def error(fault: Fault) -> Json:
    return {
        "error": {"message": fault.message, "type": fault.code or "error", "param": None, "code": fault.code or None}
    }


def _frame(ask: Ask, status: str, output: list[Json]) -> Json:
    return {
        "id": f"resp_{ask.number}",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": ask.model,
        "output": output,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
    }


def _message(ask: Ask, text: str) -> Json:
    content: list[Json] = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    return {
        "type": "message",
        "id": f"msg_{ask.number}",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def _call(call: Call) -> Json:
    arguments = json.dumps(call.arguments)
    return {
        "type": "function_call",
        "id": f"fc_{call.id}",
        "call_id": call.id,
        "name": call.tool,
        "arguments": arguments,
        "status": "completed",
    }


def _messages(body: Json) -> Iterator[ModelMessage]:
    if body.get("instructions"):
        yield ModelRequest(parts=[SystemPromptPart(content=body["instructions"])])
    given: str | list[Json] = body["input"]
    said: list[Json] = [{"role": "user", "content": given}] if isinstance(given, str) else given
    for item in said:
        match item.get("type", "message"):
            case "function_call":
                call = ToolCallPart(tool_name=item["name"], args=item["arguments"], tool_call_id=item["call_id"])
                yield ModelResponse(parts=[call])
            case "function_call_output":
                back = ToolReturnPart(tool_name="", content=text_of(item["output"]), tool_call_id=item["call_id"])
                yield ModelRequest(parts=[back])
            case "message":
                yield _said(item["role"], text_of(item["content"]))
            case _:
                pass


def _said(role: str, text: str) -> ModelMessage:
    if role == "assistant":
        return ModelResponse(parts=[TextPart(content=text)])
    part = UserPromptPart(content=text) if role == "user" else SystemPromptPart(content=text)
    return ModelRequest(parts=[part])
