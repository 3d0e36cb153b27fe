from collections import Counter
from pathlib import Path
from shutil import copytree

import pytest

from agents_eval_core.errors import UnreadableError
from agents_eval_core.formats.claude_code_session import ClaudeCodeSessionFormat
from agents_eval_core.resources import resources_of
from agents_eval_core.trace import Outcome, Trace
from agents_eval_core.trace_source import recognised

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
MAIN = SAMPLES / "claude_code_session" / "5e55-0010.jsonl"
OLD = SAMPLES / "claude_code_session_old"


def read(source: Path) -> Trace:
    [trace] = ClaudeCodeSessionFormat().read(source)
    return trace


def test_the_sample_has_what_was_counted_by_hand() -> None:
    """6 agents, 10 requests, 5 tool calls (1 failed), 3 of them delegations; 311 tokens in, 89 out."""
    trace = read(MAIN)
    assert Counter(span.operation for span in trace.spans) == {
        "invoke_workflow": 1,
        "invoke_agent": 5,
        "chat": 10,
        "execute_tool": 5,
        "message": 1,
        "other": 1,
    }
    assert [span.id for span in trace.spans if span.operation == "execute_tool" and span.status == "error"] == [
        "toolu_c"
    ]
    assert [span.to_agent_id for span in trace.spans if span.is_delegation] == ["aaa1", "ccc3", "bbb2"]
    took = resources_of(trace)
    assert (took.input_tokens, took.output_tokens, took.cost_usd) == (311, 89, 0.25)
    assert trace.unread == {}


def test_the_transcript_its_folder_and_the_folder_around_are_the_same_session() -> None:
    assert recognised(MAIN).name == recognised(MAIN.with_suffix("")).name == "claude_code_session"
    assert read(MAIN).spans == read(MAIN.with_suffix("")).spans == read(MAIN.parent).spans


def test_usage_is_that_of_the_last_line_of_a_message() -> None:
    usage = read(MAIN).span_by_id["msg_1"].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (115, 12, 100)


def test_sub_agents_lie_below_their_calls_whatever_names_them() -> None:
    """aaa1 by the result, bbb2 by its meta file, ccc3 by the result in another sub-agent's transcript."""
    trace = read(MAIN)
    parents = {span.agent_id: span.parent_id for span in trace.spans if span.operation == "invoke_agent"}
    assert parents == {
        "main": "5e55-0010",
        "aaa1": "toolu_a",
        "ccc3": "toolu_a2",
        "bbb2": "toolu_b",
        "acompact-ddd4": "5e55-0010",
    }


def test_compaction_is_claude_codes_own_and_its_summary_is_no_message_of_the_user() -> None:
    trace = read(MAIN)
    assert trace.agent_by_id["acompact-ddd4"].role == "system"
    assert [span.text for span in trace.spans if span.operation == "message"] == ["Sum it up"]


def test_a_background_agent_answers_by_its_notification() -> None:
    call = read(MAIN).span_by_id["toolu_b"]
    assert call.tool is not None
    assert (call.tool.result, call.status) == ("It came.", "ok")
    assert call.ended_at is not None
    assert call.ended_at.second == 20


def test_each_agent_works_in_the_order_of_its_lines_and_all_by_time() -> None:
    order = [span.id for span in read(MAIN).spans]
    assert order.index("toolu_a") < order.index("msg_a1") < order.index("msg_c1") < order.index("msg_2")
    assert order.index("toolu_c") < order.index("msg_b1") < order.index("msg_4")


def test_side_chains_of_older_versions_are_told_apart_by_their_prompts() -> None:
    """4 agents and the user, 6 requests, 3 tool calls, 2 delegations; 38 tokens in, 22 out."""
    trace = read(OLD / "5e55-0020.jsonl")
    chains = {span.agent_id: span.parent_id for span in trace.spans if span.operation == "invoke_agent"}
    assert chains["sidechain-1"] == "toolu_x"
    assert chains["sidechain-2"] == "toolu_y"
    assert trace.span_by_id["toolu_y1"].agent_id == "sidechain-2"
    assert {agent.name for agent in trace.agents} == {"user", "claude-code", "finder", "warm-up"}
    took = resources_of(trace)
    assert (took.model_requests, took.input_tokens, took.output_tokens) == (6, 38, 22)


def test_a_sub_agent_beside_its_session_is_found_and_a_warm_up_is_no_worker() -> None:
    trace = read(OLD)
    assert trace.agent_by_id["eee5"].role == "system"
    assert trace.outcome == Outcome(reward=1.0)


def test_sub_agents_without_their_session_are_read(tmp_path: Path) -> None:
    copytree(MAIN.with_suffix("") / "subagents", tmp_path / "subagents")
    trace = read(tmp_path)
    assert recognised(tmp_path).name == "claude_code_session"
    assert {span.agent_id for span in trace.spans if span.operation == "chat"} == {
        "aaa1",
        "bbb2",
        "ccc3",
        "acompact-ddd4",
    }
    assert trace.span_by_id["agent:ccc3"].parent_id == "toolu_a2"


def test_a_session_without_its_sub_agents_counts_the_calls_it_does_not_show(tmp_path: Path) -> None:
    alone = tmp_path / MAIN.name
    alone.write_bytes(MAIN.read_bytes())
    assert read(alone).unread == {"call of a sub-agent whose transcript is missing": 2}


def test_progress_lines_stand_in_for_a_missing_transcript(tmp_path: Path) -> None:
    alone = tmp_path / MAIN.name
    said = (MAIN.with_suffix("") / "subagents" / "agent-aaa1.jsonl").read_text().splitlines()
    progress = "".join(
        '{"type":"progress","sessionId":"5e55-0010","isSidechain":false,"parentUuid":null,"parentToolUseID":"toolu_a",'
        f'"data":{{"type":"agent_progress","agentId":"aaa1","message":{line}}}}}\n'
        for line in said
    )
    alone.write_text(MAIN.read_text() + progress)
    trace = read(alone)
    assert trace.span_by_id["toolu_a1"].agent_id == "aaa1"
    assert trace.span_by_id["agent:aaa1"].parent_id == "toolu_a"
    assert trace.unread == {}


def test_an_agent_that_is_said_to_have_started_itself_begins_with_the_session(tmp_path: Path) -> None:
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    call = '{"type":"tool_use","id":"toolu_1","name":"Task","input":{"prompt":"p"}}'
    (folder / "agent-a1.jsonl").write_text(
        '{"type":"assistant","uuid":"1","parentUuid":null,"isSidechain":true,"sessionId":"s","agentId":"a1",'
        f'"message":{{"id":"m","content":[{call}]}}}}\n'
    )
    (folder / "agent-a1.meta.json").write_text('{"toolUseId":"toolu_1"}')
    trace = read(tmp_path / "s")
    assert trace.span_by_id["agent:a1"].parent_id == "s"
    assert trace.unread == {"circular delegation": 1}


def test_messages_of_teammates_are_theirs_and_not_repeated(tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    message = '<teammate-message teammate_id=\\"reader\\" color=\\"blue\\">\\nDone.\\n</teammate-message>'
    transcript.write_text(
        '{"type":"user","uuid":"1","parentUuid":null,"isSidechain":false,"sessionId":"s",'
        f'"message":{{"role":"user","content":"{message}"}}}}\n'
    )
    [root, said] = read(transcript).spans
    assert root.operation == "invoke_workflow"
    assert (said.operation, said.agent_id, said.to_agent_id, said.text) == ("message", "reader", "main", "Done.")


def test_a_file_without_a_line_of_a_transcript_is_refused_with_its_first_problem(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text("not json\n")
    with pytest.raises(UnreadableError, match=r"line 1: JSON is malformed"):
        list(ClaudeCodeSessionFormat().read(tmp_path / "t.jsonl"))
