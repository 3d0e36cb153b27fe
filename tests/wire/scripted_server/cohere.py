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


def stream(_ask: Ask, _say: Say) -> Iterator[bytes]:
    """Give nothing: PydanticAI does not stream from Cohere."""
    return iter(())


def error(fault: Fault) -> Json:
    return {"message": fault.message}
