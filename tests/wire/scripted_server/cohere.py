"""Cohere's dialect, the second."""

from collections.abc import Iterator
from dataclasses import replace

from scripted_server import openai_chat
from scripted_server.exchange import Ask, Fault, Json, Say

NAME = "cohere"


def recognises(path: str) -> bool:
    return path.endswith("/v2/chat")


def read(path: str, headers: Json, body: Json) -> Ask:
    return replace(openai_chat.read(path, headers, body), dialect=NAME)


def write(ask: Ask, say: Say) -> Json:
    message: Json = {"role": "assistant"}
    if say.text:
        message["content"] = [{"type": "text", "text": say.text}]
    if say.calls:
        message["tool_calls"] = openai_chat.write(ask, say)["choices"][0]["message"]["tool_calls"]
    usage = openai_chat.usage(ask, say)
    tokens = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}
    return {
        "id": f"c{ask.number}",
        "finish_reason": "TOOL_CALL" if say.calls else "COMPLETE",
        "message": message,
        "usage": {"tokens": tokens, "billed_units": tokens},
    }


def stream(ask: Ask, say: Say) -> Iterator[bytes]:
    whole = write(ask, say)
    yield _event("message-start", id=whole["id"], delta={"message": {"role": "assistant", "content": []}})
    for piece in openai_chat.pieces(say.text):
        yield _event("content-delta", index=0, delta={"message": {"content": {"text": piece}}})
    for index, call in enumerate(whole["message"].get("tool_calls", ())):
        arguments = call["function"]["arguments"]
        begun = {**call, "function": {**call["function"], "arguments": ""}}
        yield _event("tool-call-start", index=index, delta={"message": {"tool_calls": begun}})
        for piece in openai_chat.pieces(arguments):
            more = {"function": {"arguments": piece}}
            yield _event("tool-call-delta", index=index, delta={"message": {"tool_calls": more}})
        yield _event("tool-call-end", index=index)
    yield _event("message-end", delta={"finish_reason": whole["finish_reason"], "usage": whole["usage"]})


def _event(kind: str, **content: Json | str | int) -> bytes:
    return openai_chat.sse({"type": kind, **content}, kind)


def error(fault: Fault) -> Json:
    return {"message": fault.message}
