import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agents_eval_core.formats.json_text import json_file
from agents_eval_core.formats.openai_messages import OpenAIMessagesFormat
from agents_eval_core.trace import Trace


def read(value: Any) -> list[Trace]:
    path = Path("messages.json")
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return list(OpenAIMessagesFormat().read(path))


def asks(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def calls(call_id: str, name: str = "read") -> dict[str, Any]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answers(call_id: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def test_all_runs_of_tau_bench_are_read_with_every_message_and_call(real_data: Path) -> None:
    path = real_data / "traces/tau-bench/gpt-4o-airline.json"
    runs = json.loads(path.read_bytes())
    messages = [message for run in runs for message in run["traj"]]
    traces = list(OpenAIMessagesFormat().read(path))
    spans = [span for trace in traces for span in trace.spans]
    tools = [span for span in spans if span.operation == "execute_tool"]
    assert len(traces) == len(runs) == 128
    assert sum(span.operation == "chat" for span in spans) == sum(m["role"] == "assistant" for m in messages)
    assert sum(span.operation == "message" for span in spans) == sum(m["role"] == "user" for m in messages)
    assert len(tools) == sum(len(m.get("tool_calls") or ()) for m in messages) == 721
    assert all(span.tool is not None and span.tool.result is not None for span in tools)
    failed = sum(m["role"] == "tool" and m["content"].startswith("Error") for m in messages)
    assert sum(span.status == "error" for span in tools) == failed == 56
    assert [trace.outcome.reward for trace in traces if trace.outcome] == [run["reward"] for run in runs]
    assert sum(trace.outcome is not None and trace.outcome.success is True for trace in traces) == 53
    assert len({trace.group_id for trace in traces}) == 32
    assert len({trace.id for trace in traces}) == 128
    assert all(trace.clock == "none" and trace.unread == {} for trace in traces)


def test_results_join_their_calls_in_any_order_and_each_once() -> None:
    (trace,) = read(
        [asks("go"), calls("a"), calls("b"), answers("b", "two"), answers("a", "one"), answers("a", "again")]
    )
    results = {span.tool.call_id: span.tool.result for span in trace.spans if span.tool}
    assert results == {"a": "one", "b": "two"}
    assert trace.unread == {"tool result without its call": 1}


def test_two_calls_of_one_id_are_answered_one_after_the_other() -> None:
    (trace,) = read([asks("go"), calls("a"), answers("a", "one"), calls("a"), answers("a", "two")])
    assert [span.tool.result for span in trace.spans if span.tool] == ["one", "two"]


def test_failures_are_told_apart_by_their_types() -> None:
    texts = {
        "a": "Error: no such file",
        "b": "Error: bad argument\n Please fix your mistakes.",
        "c": "<tool_use_error>Cancelled: parallel tool call errored</tool_use_error>",
        "d": "TimeoutError: 30 s",
        "e": "The word error is no failure",
        "f": "",
        "g": '{"error": "no such user"}',
        "h": '{"error": null, "user": 7}',
    }
    messages = [message for key, text in texts.items() for message in (calls(key), answers(key, text))]
    (trace,) = read([asks("go"), *messages])
    found = {span.tool.call_id: span.error_type for span in trace.spans if span.tool}
    assert found == {
        "a": "ToolError", "b": "ToolRetryError", "c": "CancelledError", "d": "TimeoutError",
        "e": None, "f": None, "g": "ToolError", "h": None,
    }  # fmt: skip
    assert {span.status_source for span in trace.spans if span.tool} == {"inferred"}


def test_a_run_of_tau2_bench_declares_its_errors_and_gives_tokens_cost_and_times() -> None:
    call = {"id": "a", "name": "book", "arguments": {"seat": 3}, "requestor": "assistant"}
    messages = [
        {"role": "assistant", "content": "Hello", "timestamp": "2025-01-01T10:00:00", "cost": 0.5,
         "usage": {"prompt_tokens": 7, "completion_tokens": 2}},
        {"role": "user", "content": "A seat please", "timestamp": "2025-01-01T10:00:05"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": "a", "content": "no seat", "error": True, "requestor": "assistant"},
    ]  # fmt: skip
    run = {"id": "r", "task_id": "t", "trial": 0, "reward_info": {"reward": 0.0}, "messages": messages}
    (trace,) = read({"info": {}, "tasks": [], "simulations": [run]})
    (tool,) = [span for span in trace.spans if span.tool]
    assert (tool.status, tool.status_source, tool.error_text) == ("error", "declared", "no seat")
    assert tool.tool is not None
    assert tool.tool.arguments == {"seat": 3}
    usage = trace.spans[1].usage
    assert usage is not None
    assert (usage.input_tokens, usage.cost_usd, trace.clock) == (7, 0.5, "wall")
    assert (trace.id, trace.task_id, trace.group_id) == ("r", "t", "t")
    assert trace.outcome is not None
    assert trace.outcome.success is False


def test_a_list_that_breaks_off_reads_to_its_last_whole_message() -> None:
    whole = json.dumps([asks("one"), asks("two"), asks("three")]).encode()
    (trace,) = read(whole[:-20])
    assert [span.text for span in trace.spans if span.operation == "message"][:2] == ["one", "two"]
    assert trace.unread["part that breaks off"] == 1


def test_one_damaged_message_costs_only_itself() -> None:
    data = json.dumps([asks("one"), asks("two"), asks("three")]).encode().replace(b'"two"', b"two")
    (trace,) = read(data)
    texts = [span.text for span in trace.spans if span.operation == "message"]
    assert "one" in texts
    assert "three" in texts
    assert trace.unread["damaged part"] == 1


def test_bytes_that_are_no_text_and_numbers_that_are_none_are_counted_and_the_rest_is_read() -> None:
    (trace,) = read(b'[{"role": "user", "content": "caf\xe9", "score": NaN}, {"role": "user", "content": "\\ud800"}]')
    assert [span.text for span in trace.spans if span.operation == "message"] == ["caf�", "�"]
    assert trace.unread == {
        "text with bytes that are not UTF-8": 1,
        "number that is not finite": 1,
        "text with half of a surrogate pair": 1,
    }


@pytest.mark.parametrize("shape", ["list", "object", "lines"])
def test_a_large_file_is_taken_apart_and_reads_the_same(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [asks("x" * 300), calls("a"), answers("a", '[1, {"b": "c, d"}]' * 30), asks("bye")]
    data = {
        "list": json.dumps(messages, indent=1).encode(),
        "object": json.dumps({"model": "m", "messages": messages, "temperature": 0}).encode(),
        "lines": b"\n".join(json.dumps(message).encode() for message in messages),
    }[shape]
    (at_once,) = read(data)
    monkeypatch.setattr(json_file, "LARGE_BYTES", 100)
    monkeypatch.setattr(json_file, "CHUNK_BYTES", 7)
    monkeypatch.setattr(json_file, "HEAD_BYTES", 1200)
    (apart,) = read(data)
    assert apart == at_once
    (cut,) = OpenAIMessagesFormat().read(Path("messages.json"), longest_text=10)
    assert cut.spans[1].text == "x" * 10
    assert cut.spans[1].attributes["cut"] == {"text": 300}


def test_what_is_said_about_a_run_is_a_label_and_its_settings_are_not() -> None:
    (trace,) = read({"messages": [asks("go")], "model": "m", "human_rating": 5})
    assert [(label.name, label.value) for label in trace.annotations] == [("human_rating", 5)]
    assert trace.spans[0].attributes == {"model": "m"}


def test_names_of_a_large_file_are_plain_texts_that_can_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "LARGE_BYTES", 10)
    path = Path("messages.json")
    name, call_id = "n" * 3000, "i" * 3000
    messages = [asks("x" * 3000), calls(call_id, name), answers(call_id, "a long result")]
    path.write_text(json.dumps({"model": "m" * 3000, "messages": messages}))
    (trace,) = OpenAIMessagesFormat().read(path, longest_text=4)
    assert msgspec.json.decode(msgspec.json.encode(trace), type=Trace) == trace
    assert trace.spans[1].attributes["cut"] == {"text": 3000}
    assert trace.spans[-1].attributes["cut"] == {"result": 13}
