"""Google's dialect: generateContent."""

from collections.abc import Iterator
from typing import Any

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
from scripted_server.openai_chat import sse

NAME = "gemini"
STOPS = {"length": "MAX_TOKENS", "content_filter": "SAFETY"}
STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def recognises(path: str) -> bool:
    return ":generateContent" in path or ":streamGenerateContent" in path


def read(path: str, headers: Json, body: Json) -> Ask:
    config: Json = within(body, "generationConfig")
    declared = [each for tool in body.get("tools") or () for each in tool.get("functionDeclarations") or ()]
    return Ask(
        dialect=NAME,
        path=path,
        model=path.split("/models/")[1].split(":", maxsplit=1)[0],
        messages=list(_messages(body)),
        tools={each["name"]: each.get("parameters_json_schema") or each.get("parameters") or {} for each in declared},
        schema=config.get("responseJsonSchema") or config.get("response_json_schema") or config.get("responseSchema"),
        is_streamed=":streamGenerateContent" in path,
        headers=headers,
        body=body,
    )


def write(ask: Ask, say: Say) -> Json:
    parts: list[Json] = [{"text": say.text}] if say.text else []
    parts += [{"functionCall": {"id": call.id, "name": call.tool, "args": call.arguments}} for call in say.calls]
    whole = _frame(ask, parts)
    whole["candidates"][0]["finishReason"] = STOPS.get(say.stop, "STOP")
    if say.tells_usage:
        asked, said = ask.characters // 4, len(repr(say)) // 4
        whole["usageMetadata"] = {
            "promptTokenCount": asked,
            "candidatesTokenCount": said,
            "totalTokenCount": asked + said,
        }
    return whole


def stream(ask: Ask, say: Say) -> Iterator[bytes]:
    whole = write(ask, say)
    parts = whole["candidates"][0]["content"]["parts"]
    for part in parts[:-1]:
        yield sse(_frame(ask, [part]))
    yield sse({**whole, "candidates": [{**whole["candidates"][0], "content": {"role": "model", "parts": parts[-1:]}}]})


def error(fault: Fault) -> Json:
    status = fault.code or STATUSES.get(fault.status, "UNKNOWN")
    return {"error": {"code": fault.status, "message": fault.message, "status": status, "details": []}}


def _frame(ask: Ask, parts: list[Json]) -> Json:
    content = {"role": "model", "parts": parts}
    return {
        "candidates": [{"content": content, "index": 0}],
        "modelVersion": ask.model,
        "responseId": f"r{ask.number}",
    }


def _messages(body: Json) -> Iterator[ModelMessage]:
    system: Any = body.get("systemInstruction")
    if system:
        yield ModelRequest(parts=[SystemPromptPart(content="".join(each["text"] for each in system["parts"]))])
    for content in body["contents"]:
        if content["role"] == "model":
            yield ModelResponse(parts=[_said(each) for each in content["parts"]])
        else:
            yield ModelRequest(parts=[_asked(each) for each in content["parts"]])


def _said(part: Json) -> ModelResponsePart:
    if "functionCall" in part:
        call = part["functionCall"]
        return ToolCallPart(tool_name=call["name"], args=call.get("args") or {}, tool_call_id=call["id"])
    return TextPart(content=part.get("text", ""))


def _asked(part: Json) -> ModelRequestPart:
    if "functionResponse" in part:
        back = part["functionResponse"]
        return ToolReturnPart(tool_name=back["name"], content=_returned(back["response"]), tool_call_id=back["id"])
    return UserPromptPart(content=part.get("text", ""))


def _returned(response: Json) -> Any:
    """Return what a tool gave; a value that is no object travels alone in one."""
    return next(iter(response.values())) if response.keys() in ({"return_value"}, {"output"}, {"result"}) else response
