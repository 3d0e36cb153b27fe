import json
from pathlib import Path
from typing import Any

from agents_eval_core.formats.langchain import LangChainFormat
from agents_eval_core.trace import Trace

AI = {"id": "a", "content": "", "tool_calls": [{"name": "add", "args": {"a": 1}, "id": "t"}]}
TOOL = {"id": "r", "content": "2", "tool_call_id": "t", "status": "success"}
HUMAN = {"id": "h", "content": "Add."}


def read(value: Any) -> list[Trace]:
    path = Path("messages.json")
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    assert LangChainFormat().recognises(path, path.read_bytes())
    return list(LangChainFormat().read(path))


def shape(trace: Trace) -> list[tuple[str, str | None, str, str | None]]:
    return [(span.operation, span.agent_id, span.status, span.text) for span in trace.spans]


def dumps_of(kinds: dict[str, dict[str, Any]]) -> tuple[Any, ...]:
    classes = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    serialised = [
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", classes[kind]], "kwargs": fields}
        for kind, fields in kinds.items()
    ]
    wrapped = [{"type": kind, "data": fields} for kind, fields in kinds.items()]
    plain = [{"type": kind, **fields} for kind, fields in kinds.items()]
    return serialised, wrapped, plain, {"messages": plain}, {"values": {"messages": plain}, "next": []}


def test_the_ways_of_dumping_messages_read_alike() -> None:
    ways = dumps_of({"human": HUMAN, "ai": AI, "tool": TOOL})
    shapes = [shape(trace) for way in ways for trace in read(way)]
    assert len(shapes) == 5
    assert all(one == shapes[0] for one in shapes)
    assert shapes[0][3] == ("execute_tool", "assistant", "ok", None)


def test_a_history_with_the_newest_state_first_counts_each_message_once() -> None:
    messages = [{"type": "human", **HUMAN}, {"type": "ai", **AI}, {"type": "tool", **TOOL}]
    (trace,) = read([{"values": {"messages": messages[:n]}} for n in (3, 2, 1)])
    assert shape(trace) == shape(read(messages)[0])


def test_states_without_ids_that_repeat_their_messages_are_one_run() -> None:
    messages = [{"type": "human", "content": "hi"}, {"type": "ai", "content": "ho"}, {"type": "ai", "content": "ho"}]
    (trace,) = read([{"messages": messages[:n]} for n in (1, 2, 3)])
    assert [span.text for span in trace.spans[1:]] == ["hi", "ho", "ho"]


def test_states_of_different_conversations_are_different_runs() -> None:
    first, second = ({"messages": [{"type": "human", "content": text, "id": text}]} for text in ("one", "two"))
    assert [trace.spans[1].text for trace in read([first, second])] == ["one", "two"]


def test_updates_by_node_name_their_agents() -> None:
    updates = [
        {"writer": {"messages": [{"type": "ai", "content": "Text"}]}},
        {"critic": {"messages": [{"type": "ai", "content": "Bad"}]}},
    ]
    (trace,) = read("\n".join(json.dumps(update) for update in updates))
    assert [(span.agent_id, span.text) for span in trace.spans[1:]] == [("writer", "Text"), ("critic", "Bad")]


def test_calls_are_found_by_each_convention_and_once() -> None:
    call = {"id": "t", "function": {"name": "add", "arguments": '{"a": 1}'}, "type": "function"}
    block = {"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1}}
    old = {"type": "ai", "content": "", "additional_kwargs": {"tool_calls": [call]}}
    blocks = {"type": "ai", "content": [block]}
    every = {
        "type": "ai",
        "content": [block],
        "additional_kwargs": {"tool_calls": [call]},
        "tool_calls": AI["tool_calls"],
    }
    for message in (old, blocks, every):
        (trace,) = read([message])
        (span,) = [span for span in trace.spans if span.tool]
        assert span.tool is not None
        assert (span.tool.name, span.tool.arguments, span.status) == ("add", {"a": 1}, "unknown")


def test_nested_runs_and_runs_in_lines_read_alike() -> None:
    child = {"id": "c", "name": "Model", "run_type": "llm", "trace_id": "r", "prompt_tokens": 5, "completion_tokens": 1}
    root = {"id": "r", "name": "AgentExecutor", "run_type": "chain", "trace_id": "r", "end_time": "2025-01-01T00:00:01"}
    (nested,) = read({**root, "child_runs": [child]})
    (lines,) = read([{**child, "parent_run_id": "r"}, root])
    assert {span.id: (span.parent_id, span.agent_id) for span in nested.spans} == {
        span.id: (span.parent_id, span.agent_id) for span in lines.spans
    }
    assert nested.span_by_id["c"].agent_id == "AgentExecutor"
    assert (nested.span_by_id["r"].status, nested.span_by_id["c"].status) == ("ok", "unknown")
