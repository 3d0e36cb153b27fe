import json
from pathlib import Path
from typing import Any

from agents_eval_core.formats.openai_agents import OpenAIAgentsFormat
from agents_eval_core.trace import Trace


def read(value: Any) -> Trace:
    path = Path("items.json")
    path.write_text(json.dumps(value))
    assert OpenAIAgentsFormat().recognises(path, path.read_bytes())
    (trace,) = OpenAIAgentsFormat().read(path)
    return trace


def calls(call_id: str, name: str = "add") -> dict[str, Any]:
    return {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name, "arguments": "{}"}


def answers(call_id: str, output: Any = "2") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def says(text: str, item_id: str = "msg_1") -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "id": item_id, "role": "assistant", "content": content}


def test_items_that_follow_each_other_are_one_model_call() -> None:
    trace = read(
        [{"role": "user", "content": "Add."}, calls("a"), calls("b"), answers("a"), answers("b"), says("Four.")]
    )
    assert [span.operation for span in trace.spans] == [
        "invoke_agent", "message", "chat", "execute_tool", "execute_tool", "chat",
    ]  # fmt: skip
    assert trace.spans[1].to_agent_id == "assistant"


def test_usage_of_responses_goes_to_their_items_and_what_has_none_is_counted() -> None:
    responses = [
        {"output": [says("Four.")], "usage": {"input_tokens": 9, "output_tokens": 1}},
        {"output": [says("Lost.", "msg_2")], "usage": {"input_tokens": 5, "output_tokens": 1}},
    ]
    item = {"type": "message_output_item", "agent": {"name": "Adder"}, "raw_item": says("Four.")}
    trace = read({"input": "Add.", "new_items": [item], "raw_responses": responses, "final_output": "Four."})
    (chat,) = [span for span in trace.spans if span.operation == "chat"]
    assert chat.usage is not None
    assert (chat.usage.input_tokens, chat.agent_id) == (9, "Adder")
    assert trace.unread == {"response without its items": 1}


def test_responses_alone_have_their_own_usage_and_model() -> None:
    one = {
        "object": "response",
        "model": "m",
        "output": [says("a", "m1")],
        "usage": {"input_tokens": 3, "output_tokens": 1},
    }
    two = {**one, "output": [says("b", "m2")]}
    trace = read([one, two])
    chats = [span for span in trace.spans if span.operation == "chat"]
    assert [(span.text, span.model, span.usage.input_tokens if span.usage else None) for span in chats] == [
        ("a", "m", 3),
        ("b", "m", 3),
    ]


def test_a_call_that_the_service_ran_itself_declares_its_end() -> None:
    failed = {"type": "mcp_call", "id": "mcp_1", "name": "look", "arguments": '{"a": 1}', "error": "KeyError: a"}
    fine = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": "x"}}
    trace = read([{"role": "user", "content": "Go."}, failed, fine])
    found = [(span.name, span.status, span.status_source, span.error_type) for span in trace.spans if span.tool]
    assert found == [("look", "error", "declared", "KeyError"), ("web_search", "ok", "declared", None)]


def test_an_agent_used_as_a_tool_is_a_delegation_counted_once() -> None:
    def span(span_id: str, parent: str | None, second: int, data: dict[str, Any]) -> dict[str, Any]:
        at = f"2025-01-01T10:00:{second:02d}+00:00"
        return {
            "object": "trace.span", "id": span_id, "trace_id": "trace_1", "parent_id": parent,
            "started_at": at, "ended_at": at, "span_data": data, "error": None,
        }  # fmt: skip

    trace = read(
        [
            span("s3", "s2", 2, {"type": "agent", "name": "Helper"}),
            span("s1", None, 0, {"type": "agent", "name": "Boss"}),
            span("s2", "s1", 1, {"type": "function", "name": "ask_helper", "input": "{}", "output": "ok"}),
        ]
    )
    (given,) = [one for one in trace.spans if one.is_delegation]
    assert (given.id, given.agent_id, given.to_agent_id) == ("s2", "Boss", "Helper")
    assert [one.id for one in trace.spans] == ["trace_1", "s1", "s2", "s3"]


def test_plain_chat_messages_are_not_claimed() -> None:
    chat = json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]).encode()
    assert not OpenAIAgentsFormat().recognises(Path("any"), chat)


def test_a_span_with_the_id_of_its_trace_is_kept_once_and_counted() -> None:
    data = {"type": "agent", "name": "Boss"}
    trace = read([{"object": "trace.span", "id": "trace_1", "trace_id": "trace_1", "span_data": data}])
    assert [span.operation for span in trace.spans] == ["invoke_agent"]
    assert trace.unread == {"span with the id of its trace": 1}
