import json
from pathlib import Path
from typing import Any

from agents_eval_core.formats.anthropic_messages import AnthropicMessagesFormat
from agents_eval_core.trace import Trace


def read(value: Any) -> Trace:
    path = Path("messages.json")
    path.write_text(json.dumps(value))
    (trace,) = AnthropicMessagesFormat().read(path)
    return trace


def calls(call_id: str, **keys: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": call_id, "name": "read", "input": {}}], **keys}


def answers(call_id: str, text: str, **keys: Any) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": text, **keys}]}


def test_a_declared_result_is_believed_and_a_silent_one_is_inferred() -> None:
    trace = read(
        [
            *(calls("a"), answers("a", "Error: x", is_error=False)),
            *(calls("b"), answers("b", "fine", is_error=True)),
            *(calls("c"), answers("c", "Error: x")),
        ]
    )
    found = [(span.status, span.status_source) for span in trace.spans if span.tool]
    assert found == [("ok", "declared"), ("error", "declared"), ("error", "inferred")]


def test_a_message_that_came_in_parts_is_one_model_call_with_its_usage_once() -> None:
    usage = {"input_tokens": 5, "output_tokens": 1}
    parts = [calls("a", id="m", usage=usage), calls("b", id="m", usage=usage)]
    trace = read(parts)
    assert [span.operation for span in trace.spans] == ["invoke_agent", "chat", "execute_tool", "execute_tool"]
    assert sum(span.usage.input_tokens or 0 for span in trace.spans if span.usage) == 5


def test_a_message_with_results_alone_is_no_message_of_the_user() -> None:
    trace = read([calls("a"), answers("a", "x")])
    assert [agent.name for agent in trace.agents] == ["assistant"]
    assert not any(span.operation == "message" for span in trace.spans)


def test_plain_chats_and_lines_of_claude_code_are_not_claimed() -> None:
    reader = AnthropicMessagesFormat()
    assert not reader.recognises(
        Path("any"), b'[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]'
    )
    line = {"type": "assistant", "message": calls("a"), "sessionId": "s"}
    assert not reader.recognises(Path("any"), json.dumps(line).encode())


def test_unknown_blocks_are_counted() -> None:
    trace = read([calls("a"), {"role": "user", "content": [{"type": "hologram"}]}])
    assert trace.unread == {"block hologram": 1}
