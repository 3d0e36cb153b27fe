"""Samples of the OpenTelemetry family, each with a count by hand."""

from collections import Counter
from pathlib import Path

import pytest

from agents_eval_core.formats.otel_dump import OtelDumpFormat
from agents_eval_core.formats.otlp import OtlpFormat
from agents_eval_core.ports.trace_format import TraceFormat
from agents_eval_core.trace import Span, Trace
from agents_eval_core.trace_source import recognised

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
Counts = dict[str, int]


def the_trace(name: str) -> Trace:
    (trace,) = reader(name).read(SAMPLES / name)
    return trace


def reader(name: str) -> TraceFormat:
    return OtlpFormat() if name.startswith("otlp/") else OtelDumpFormat()


def operations(trace: Trace) -> Counts:
    return dict(Counter(span.operation for span in trace.spans))


def tokens(trace: Trace) -> tuple[int, int]:
    used = [span.usage for span in trace.spans if span.usage is not None and span.usage.scope == "self"]
    return sum(usage.input_tokens or 0 for usage in used), sum(usage.output_tokens or 0 for usage in used)


def failed_calls(trace: Trace) -> list[str | None]:
    return [s.error_type for s in trace.spans if s.operation == "execute_tool" and s.status == "error"]


def call(trace: Trace, call_id: str) -> Span:
    return next(span for span in trace.spans if span.tool is not None and span.tool.call_id == call_id)


# fmt: off
BY_HAND: list[tuple[str, list[str], Counts, list[str | None], int, tuple[int, int]]] = [
    # file, agents, spans by operation, error types of failed calls, delegations, tokens in and out
    ("otlp/pydantic_ai_team.jsonl", ["gardener", "botanist"],
     {"invoke_agent": 2, "chat": 4, "execute_tool": 3}, ["LookupError"], 1, (180, 30)),
    ("otlp/claude_code.jsonl", ["claude-code", "scout", "scout#2", "generate_session_title"],
     {"invoke_agent": 3, "chat": 6, "execute_tool": 5}, ["ENOENT", "denied"], 2, (111, 21)),
    ("otlp/claude_code_events.jsonl", ["user", "claude-code", "scout"],
     {"message": 1, "chat": 4, "execute_tool": 3, "invoke_agent": 1}, ["McpToolCallError", "denied"], 1, (69, 14)),
    ("otlp/openllmetry.json", ["planner"],
     {"invoke_workflow": 1, "invoke_agent": 1, "chat": 2, "execute_tool": 2}, ["KeyError"], 0, (40, 10)),
    ("otel_dump/logfire_openai_agents.json", ["dealer", "sorter"],
     {"invoke_workflow": 1, "invoke_agent": 2, "other": 2, "chat": 2, "execute_tool": 1, "handoff": 1},
     ["RuntimeError"], 1, (32, 11)),
    ("otel_dump/any_agent.json", ["watch"],
     {"invoke_agent": 1, "chat": 2, "execute_tool": 2}, [None], 0, (220, 15)),
    ("otel_dump/phoenix_flat.json", ["butler.turn", "Helper"],
     {"invoke_agent": 2, "chat": 4, "execute_tool": 3, "retrieval": 1}, [None], 1, (38, 10)),
    ("otel_dump/trail_nested.json", ["CodeAgent", "search_agent"],
     {"other": 5, "invoke_agent": 2, "handoff": 1, "chat": 4, "execute_tool": 3}, ["OSError"], 1, (55, 15)),
    ("otel_dump/sdk_console.json", ["adder"],
     {"invoke_agent": 1, "chat": 2, "execute_tool": 2}, [None], 0, (14, 3)),
]
# fmt: on
NAMES = [name for name, *_ in BY_HAND]


@pytest.mark.parametrize("sample", BY_HAND, ids=NAMES)
def test_the_counts_are_those_made_by_hand(
    sample: tuple[str, list[str], Counts, list[str | None], int, tuple[int, int]],
) -> None:
    name, agents, spans, failed, delegations, used = sample
    trace = the_trace(name)
    assert sorted(agent.id for agent in trace.agents) == sorted(agents)
    assert operations(trace) == spans
    assert failed_calls(trace) == failed
    assert sum(span.is_delegation for span in trace.spans) == delegations
    assert tokens(trace) == used
    assert trace.unread == ({"event something_new": 1} if name.endswith("events.jsonl") else {})


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_recognised_by_its_content(name: str) -> None:
    assert recognised(SAMPLES / name).name == reader(name).name


@pytest.mark.parametrize("name", NAMES)
def test_order_is_that_of_beginning_and_parents_come_first(name: str) -> None:
    trace = the_trace(name)
    places = {span.id: span.seq for span in trace.spans}
    assert [span.seq for span in trace.spans] == list(range(len(trace.spans)))
    assert all(places[span.parent_id] < span.seq for span in trace.spans if span.parent_id in places)


@pytest.mark.parametrize("name", NAMES)
def test_long_texts_are_cut_and_their_lengths_kept(name: str) -> None:
    whole = the_trace(name)
    (trace,) = reader(name).read(SAMPLES / name, longest_text=4)
    for span, full in zip(trace.spans, whole.spans, strict=True):
        assert span.text == (full.text and full.text[:4])
        lengths = span.attributes.get("cut", {})
        assert lengths.get("text") == (len(full.text) if full.text and len(full.text) > 4 else None)
        result = full.tool.result if full.tool else None
        assert lengths.get("result") == (len(result) if result and len(result) > 4 else None)


def test_who_delegates_to_whom_with_request_and_answer() -> None:
    ask = call(the_trace("otlp/pydantic_ai_team.jsonl"), "c1")
    assert (ask.agent_id, ask.to_agent_id, ask.is_delegation) == ("gardener", "botanist", True)
    assert ask.tool is not None
    assert (ask.tool.arguments, ask.tool.result) == ({"question": "What likes shade?"}, "Ferns like shade.")


def test_the_records_of_one_call_of_claude_code_are_one_span() -> None:
    trace = the_trace("otlp/claude_code.jsonl")
    read, denied, refused = call(trace, "t3"), call(trace, "t5"), call(trace, "t4")
    assert len(read.source_span_ids) == 3
    assert read.tool is not None
    assert (read.status, read.agent_id, read.tool.result) == ("ok", "scout", "one line")
    assert (refused.status_source, refused.error_text) == ("declared", "no such file")
    assert (denied.status_source, denied.attributes["decision"]) == ("inferred", "reject")


def test_sub_agents_of_one_kind_stay_apart_and_housekeeping_has_its_role() -> None:
    trace = the_trace("otlp/claude_code.jsonl")
    assert [call(trace, one).to_agent_id for one in ("t1", "t2")] == ["scout", "scout#2"]
    assert {agent.id: agent.role for agent in trace.agents} == {
        "claude-code": "orchestrator",
        "scout": "worker",
        "scout#2": "worker",
        "generate_session_title": "system",
    }


def test_claude_codes_events_tell_who_did_what() -> None:
    trace = the_trace("otlp/claude_code_events.jsonl")
    ask, get, denied = call(trace, "t1"), call(trace, "t2"), call(trace, "t3")
    assert (ask.agent_id, ask.to_agent_id) == ("claude-code", "scout")
    assert get.tool is not None
    assert (get.agent_id, get.tool.name, get.tool.arguments) == ("scout", "mcp__web__get", {"url": "x"})
    assert (get.error_text, get.seconds, denied.status) == ("no such page", 0.5, "error")
    assert [span.error_type for span in trace.spans if span.operation == "chat"] == [None, None, "529", None]
    assert sum((span.usage.cost_usd or 0) for span in trace.spans if span.usage) == 0.875
    assert {agent.id: agent.role for agent in trace.agents}["user"] == "user"


def test_what_claude_code_reads_from_and_writes_to_its_cache_is_input() -> None:
    first = next(span for span in the_trace("otlp/claude_code.jsonl").spans if span.operation == "chat")
    assert first.usage is not None
    assert (first.usage.input_tokens, first.usage.cached_tokens) == (42, 30)


def test_a_handoff_and_the_call_that_asked_for_it_are_one_delegation() -> None:
    trace = the_trace("otel_dump/logfire_openai_agents.json")
    (handoff,) = [span for span in trace.spans if span.operation == "handoff"]
    assert (handoff.agent_id, handoff.to_agent_id, handoff.name) == ("dealer", "sorter", "Handoff: dealer → sorter")
    assert [span.tool.name for span in trace.spans if span.tool] == ["shuffle"]
    assert trace.clock == "monotonic"


def test_a_managed_agent_has_the_name_its_manager_has_for_it() -> None:
    trace = the_trace("otel_dump/trail_nested.json")
    (step,) = [span for span in trace.spans if span.operation == "handoff"]
    assert (step.name, step.agent_id, step.to_agent_id) == ("Step 1", "CodeAgent", "search_agent")
    searched = next(span for span in trace.spans if span.tool and span.tool.name == "web_search")
    assert searched.tool is not None
    assert (searched.agent_id, searched.tool.arguments) == ("search_agent", {"query": "tallest tree"})
    assert searched.seconds == 0.25


def test_the_right_answer_is_an_annotation_and_nowhere_else() -> None:
    trace = the_trace("otel_dump/trail_nested.json")
    assert [(label.name, label.value, label.by) for label in trace.annotations] == [("true_answer", "sequoia", "GAIA")]
    assert trace.task_id == "task-7"
    assert "sequoia" not in repr(trace.spans)


def test_the_two_parts_of_a_cost_are_added() -> None:
    costs = [s.usage.cost_usd for s in the_trace("otel_dump/any_agent.json").spans if s.usage]
    assert costs == [0.75, None]


def test_what_was_said_is_found_wherever_a_convention_writes_it() -> None:
    said = {name: [span.text for span in the_trace(name).spans if span.text] for name in NAMES}
    assert said == {
        "otlp/pydantic_ai_team.jsonl": ["I will ask the botanist.", "Ferns like shade.", "Plant ferns under the oak."],
        "otlp/claude_code.jsonl": [],
        "otlp/claude_code_events.jsonl": ["I ask a scout.", "Nothing found."],
        "otlp/openllmetry.json": ["Take an umbrella to Oslo."],
        "otel_dump/logfire_openai_agents.json": ["Sorted."],
        "otel_dump/any_agent.json": ["It is noon."],
        "otel_dump/phoenix_flat.json": ["The hall is swept.", "All clean."],
        "otel_dump/trail_nested.json": ["I ask.", "A redwood.", "Final."],
        "otel_dump/sdk_console.json": ["3"],
    }


def test_the_older_names_of_pydantic_ai_are_read() -> None:
    trace = the_trace("otel_dump/sdk_console.json")
    added, failed = call(trace, "a1"), call(trace, "a2")
    assert added.tool is not None
    assert (added.tool.name, added.tool.arguments, added.tool.result) == ("add", {"a": 1, "b": 2}, "3")
    assert (failed.status, failed.error_text) == ("error", "missing b")
    assert trace.spans[0].usage is not None
    assert (trace.spans[0].agent_id, trace.spans[0].usage.scope) == ("adder", "subtree")
