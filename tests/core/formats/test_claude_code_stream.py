from collections import Counter
from pathlib import Path

from agents_eval_core.formats.claude_code_stream import ClaudeCodeStreamFormat
from agents_eval_core.resources import resources_of
from agents_eval_core.trace import Span, Trace, Usage
from agents_eval_core.trace_source import recognised

SAMPLES = Path(__file__).parents[2] / "data" / "traces" / "claude_code_stream"


def read(name: str, longest_text: int | None = None) -> Trace:
    [trace] = ClaudeCodeStreamFormat().read(SAMPLES / name, longest_text=longest_text)
    return trace


def of(trace: Trace, operation: str) -> list[Span]:
    return [span for span in trace.spans if span.operation == operation]


def test_the_sample_has_what_was_counted_by_hand() -> None:
    """5 agents, 12 requests, 7 tool calls (1 failed), 4 of them delegations; 605 tokens in, 102 out, 100 cached."""
    trace = read("sub_agents.jsonl")
    assert Counter(span.operation for span in trace.spans) == {
        "invoke_workflow": 1,
        "invoke_agent": 5,
        "chat": 12,
        "execute_tool": 7,
    }
    assert [span.error_type for span in of(trace, "execute_tool") if span.status == "error"] == ["NonZeroExit"]
    assert [span.to_agent_id for span in trace.spans if span.is_delegation] == [
        "agent-aa",
        "agent-bb",
        "agent-cc",
        "agent-dd",
    ]
    assert trace.spans[0].usage == Usage(
        input_tokens=605, output_tokens=102, cached_tokens=100, cost_usd=0.02, scope="subtree"
    )


def test_two_results_in_one_stream_count_once_and_the_last_holds() -> None:
    took = resources_of(read("sub_agents.jsonl"))
    assert (took.input_tokens, took.output_tokens, took.cost_usd, took.model_requests) == (605, 102, 0.02, 12)
    assert read("sub_agents.jsonl").spans[0].attributes["results"] == 2


def test_usage_that_is_repeated_on_each_line_of_a_message_counts_once() -> None:
    trace = read("sub_agents.jsonl")
    inputs = {span.id: span.usage.input_tokens for span in of(trace, "chat") if span.usage}
    assert inputs["msg_1"] == 115  # 10 fresh, 100 read from the cache, 5 written to it
    assert sum(tokens or 0 for tokens in inputs.values()) == 590


def test_output_tokens_of_a_message_that_had_only_begun_are_unknown() -> None:
    by_id = read("sub_agents.jsonl").span_by_id
    begun, handed_back = by_id["msg_1"].usage, by_id["toolu_a:answer"].usage
    assert begun is not None
    assert begun.output_tokens is None
    assert handed_back is not None
    assert handed_back.output_tokens == 6


def test_a_sub_agent_lies_below_the_call_that_started_it_however_deep() -> None:
    trace = read("sub_agents.jsonl")
    above = [span.id for span in trace.ancestors(trace.span_by_id["toolu_c1"])]
    assert above == ["agent:agent-cc", "toolu_b2", "agent:agent-bb", "toolu_b", "agent:main", "5e55-0001"]


def test_agents_of_one_name_stay_apart_and_those_who_delegate_are_in_charge() -> None:
    agents = {agent.id: (agent.name, agent.role) for agent in read("sub_agents.jsonl").agents}
    assert agents["agent-aa"] == ("Explore", "worker")
    assert agents["agent-bb"] == ("Explore", "orchestrator")
    assert agents["main"] == ("claude-code", "orchestrator")


def test_the_last_message_of_a_sub_agent_is_read_from_the_result_that_hands_it_back() -> None:
    trace = read("sub_agents.jsonl")
    answer = trace.span_by_id["toolu_b:answer"]
    assert (answer.agent_id, answer.text) == ("agent-bb", "Three files.")
    later = [span.id for span in trace.spans if span.seq > answer.seq]
    assert "msg_6" in later
    assert "toolu_b2" not in later


def test_a_background_agent_answers_with_its_last_words_not_with_the_launch() -> None:
    call = read("sub_agents.jsonl").span_by_id["toolu_d"]
    assert call.tool is not None
    assert (call.tool.result, call.status) == ("Nothing moved.", "ok")
    assert call.attributes["launch"] == "Async agent launched successfully."


def test_a_line_of_an_unknown_type_is_counted() -> None:
    assert read("sub_agents.jsonl").unread == {"line a_kind_of_tomorrow": 1}


def test_a_denied_call_is_told_from_one_that_failed() -> None:
    [write] = [span for span in of(read("team.jsonl"), "execute_tool") if span.status == "error"]
    assert (write.name, write.error_type) == ("execute_tool Write", "PermissionDenied")


def test_a_stream_without_a_result_says_so_and_has_no_totals() -> None:
    trace = read("team.jsonl")
    assert trace.unread == {"missing result: the stream was cut off": 1}
    assert (trace.spans[0].status, trace.spans[0].usage, trace.outcome, trace.clock) == ("unknown", None, None, "none")


def test_the_result_alone_tells_totals_and_that_it_failed_in_spite_of_its_subtype() -> None:
    trace = read("result.json")
    assert recognised(SAMPLES / "result.json").name == "claude_code_stream"
    assert (trace.spans[0].status, trace.spans[0].error_type) == ("error", "api_error")
    assert trace.outcome is not None
    assert trace.outcome.success is False
    assert resources_of(trace).cost_usd == 0.001


def test_an_array_of_events_reads_like_lines_of_them(tmp_path: Path) -> None:
    lines = (SAMPLES / "sub_agents.jsonl").read_text().splitlines()
    array = tmp_path / "events.json"
    array.write_text("[" + ",\n".join(lines) + "]")
    [trace] = ClaudeCodeStreamFormat().read(array)
    assert recognised(array).name == "claude_code_stream"
    assert trace.spans == read("sub_agents.jsonl").spans


def test_long_texts_are_cut_and_their_lengths_kept() -> None:
    trace = read("sub_agents.jsonl", longest_text=5)
    read_call, chat = trace.span_by_id["toolu_a1"], trace.span_by_id["msg_1"]
    assert read_call.tool is not None
    assert (read_call.tool.result, read_call.tool.arguments) == ("apple", {"file_path": "list."})
    assert read_call.attributes["cut"] == {"result": 12, "arguments.file_path": 8}
    assert (chat.text, chat.attributes["cut"]) == ("Two h", {"text": 22})


def test_partial_messages_tell_the_output_tokens(tmp_path: Path) -> None:
    stream = tmp_path / "s"
    start = '{"type":"message_start","message":{"id":"msg_1","usage":{"output_tokens":1}}}'
    delta = '{"type":"message_delta","usage":{"output_tokens":33}}'
    said = (
        '{"id":"msg_1","content":[{"type":"text","text":"Hi"}],"stop_reason":null,'
        '"usage":{"input_tokens":4,"output_tokens":1}}'
    )
    stream.write_text(
        f'{{"type":"stream_event","event":{start},"session_id":"s","parent_tool_use_id":null,"uuid":"1"}}\n'
        f'{{"type":"assistant","message":{said},"session_id":"s","parent_tool_use_id":null,"uuid":"2"}}\n'
        f'{{"type":"stream_event","event":{delta},"session_id":"s","parent_tool_use_id":null,"uuid":"3"}}\n'
    )
    [trace] = ClaudeCodeStreamFormat().read(stream)
    assert trace.span_by_id["msg_1"].usage == Usage(input_tokens=4, output_tokens=33)


def test_an_api_error_is_a_failed_request_without_usage(tmp_path: Path) -> None:
    stream = tmp_path / "s"
    stream.write_text(
        '{"type":"assistant","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error"}],'
        '"usage":{"input_tokens":0,"output_tokens":0}},"error":"rate_limit","session_id":"s","uuid":"1"}\n'
    )
    [trace] = ClaudeCodeStreamFormat().read(stream)
    failed = trace.span_by_id["x"]
    assert (failed.operation, failed.status, failed.error_type, failed.usage) == ("chat", "error", "rate_limit", None)


def test_a_copy_of_a_line_is_not_counted_again(tmp_path: Path) -> None:
    stream = tmp_path / "s"
    lines = (SAMPLES / "sub_agents.jsonl").read_text().splitlines()
    stream.write_text("\n".join([*lines[:8], *lines[:8], *lines[8:]]))
    [trace] = ClaudeCodeStreamFormat().read(stream)
    assert [span.text for span in of(trace, "chat")] == [span.text for span in of(read("sub_agents.jsonl"), "chat")]
    assert len(of(trace, "execute_tool")) == 7
    assert trace.unread["repeated line"] == 5


def test_many_lines_of_one_message_take_no_time_that_grows_with_their_number(tmp_path: Path) -> None:
    path = tmp_path / "one_message.jsonl"
    line = '{{"type":"assistant","session_id":"s","uuid":"{0}","message":{{"id":"m","content":[{1}]}}}}\n'
    text = '{"type":"text","text":"a"}'
    path.write_text("".join(line.format(number, text) for number in range(50_000)))
    [trace] = ClaudeCodeStreamFormat().read(path)
    [chat] = [span for span in trace.spans if span.operation == "chat"]
    assert (len(chat.source_span_ids), len(chat.text or "")) == (50_000, 99_999)
