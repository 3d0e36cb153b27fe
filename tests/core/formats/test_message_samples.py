"""What the samples of message lists and named-speaker logs hold, counted by hand, and what damage does to them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_eval_core import registry
from agents_eval_core.errors import UnreadableError
from agents_eval_core.trace import Trace

SAMPLES = Path(__file__).parents[2] / "data" / "traces"
FORMATS = ("anthropic_messages", "autogen", "langchain", "mast", "openai_agents", "openai_messages", "who_and_when")


class Count(NamedTuple):
    """What a person counts in a file, over all of its traces."""

    agents: str
    operations: str
    tool_calls: int
    failed: str = ""
    delegations: int = 0
    tokens: tuple[int, int, int] = (0, 0, 0)
    unread: str = ""
    traces: int = 1


BY_HAND = {
    "anthropic_messages/request_and_response.json": Count(
        agents="assistant:worker user:user",
        operations="chat:3 execute_tool:4 invoke_agent:1 message:2",
        tool_calls=4,
        failed="TimeoutError max_uses_exceeded",
        tokens=(115 + 160 + 200, 20 + 4 + 6, 100),
    ),
    "autogen/chat_history.json": Count(
        agents="assistant:worker mathproxyagent:environment",
        operations="execute_tool:2 invoke_workflow:1 message:5",
        tool_calls=2,
        failed="ToolRetryError",
    ),
    "autogen/group_chat.json": Count(
        agents="Agent_Code_Executor:worker Checker:worker Solver:worker chat_manager:orchestrator",
        operations="execute_tool:2 invoke_workflow:1 message:5",
        tool_calls=2,
        failed="NameError",
    ),
    "autogen/team_events.jsonl": Count(
        agents="desk:worker flights:worker user:user",
        operations="chat:3 execute_tool:2 invoke_workflow:1 message:1 other:1",
        tool_calls=1,
        failed="ToolError",
        delegations=1,
        tokens=(50 + 70 + 90, 10 + 12 + 8, 0),
        unread="event NewKindOfEvent:1",
    ),
    "langchain/runs.jsonl": Count(
        agents="AgentExecutor:worker",
        operations="chat:2 execute_tool:2 invoke_agent:1",
        tool_calls=2,
        failed="KeyError",
        tokens=(45, 9, 0),
    ),
    "langchain/serialised.json": Count(
        agents="assistant:worker user:user",
        operations="chat:2 execute_tool:3 invoke_agent:1 message:1",
        tool_calls=3,
        failed="InvalidToolCall ToolError",
        tokens=(50 + 80, 9 + 3, 12),
    ),
    "langchain/stream_of_values.jsonl": Count(
        agents="boat_clerk:worker supervisor:orchestrator user:user",
        operations="chat:4 execute_tool:2 invoke_workflow:1 message:2",
        tool_calls=1,
        delegations=1,
        tokens=(30 + 44 + 60 + 90, 6 + 7 + 5 + 11, 0),
    ),
    "mast/hyperagent.json": Count(
        agents="Navigator:worker Planner:orchestrator",
        operations="chat:3 execute_tool:1 handoff:1 invoke_workflow:1 message:1 other:1",
        tool_calls=1,
        delegations=1,
    ),
    "mast/peer_review.json": Count(
        agents="agent 0:worker agent 1:worker user:user",
        operations="chat:4 invoke_agent:2 invoke_workflow:1 message:4",
        tool_calls=0,
    ),
    "openai_agents/export.json": Count(
        agents="Post desk:worker Triage:worker",
        operations="chat:2 execute_tool:1 handoff:1 invoke_agent:2 invoke_workflow:1",
        tool_calls=1,
        failed="KeyError",
        delegations=1,
        tokens=(12 + 33, 2 + 7, 0),
    ),
    "openai_agents/input_list.json": Count(
        agents="Post desk:worker assistant:worker user:user",
        operations="chat:3 execute_tool:4 invoke_workflow:1 message:1",
        tool_calls=3,
        failed="ToolError",
        delegations=1,
    ),
    "openai_agents/run_result.json": Count(
        agents="Post desk:worker Triage:worker user:user",
        operations="chat:3 execute_tool:2 invoke_workflow:1 message:1",
        tool_calls=1,
        delegations=1,
        tokens=(21 + 30 + 40, 3 + 4 + 6, 1),
    ),
    "openai_messages/benchmark_runs.json": Count(
        agents="assistant:worker assistant:worker user:user user:user",
        operations="chat:6 execute_tool:4 invoke_agent:2 message:4",
        tool_calls=4,
        failed="ToolError",
        traces=2,
    ),
    "openai_messages/request_with_usage.json": Count(
        agents="assistant:worker user:user",
        operations="chat:2 execute_tool:3 invoke_agent:1 message:1",
        tool_calls=3,
        failed="ValueError",
        tokens=(40 + 70, 8 + 5, 30),
        unread="tool result without its call:1",
    ),
    "openai_messages/two_agents.jsonl": Count(
        agents="Refunds:worker Triage:worker user:user",
        operations="chat:2 execute_tool:1 invoke_workflow:1 message:1",
        tool_calls=0,
        delegations=1,
    ),
    "who_and_when/named.json": Count(
        agents="Bridge_Expert:worker Checker:worker Computer_terminal:environment",
        operations="execute_tool:1 invoke_workflow:1 message:4",
        tool_calls=1,
    ),
    "who_and_when/orchestrated.json": Count(
        agents="Assistant:worker ComputerTerminal:environment Orchestrator:orchestrator WebSurfer:worker human:user",
        operations="execute_tool:1 handoff:3 invoke_workflow:1 message:4 other:1 plan:2",
        tool_calls=1,
        failed="ZeroDivisionError",
        delegations=3,
    ),
}


def counted(traces: list[Trace]) -> Count:
    spans = [span for trace in traces for span in trace.spans]
    calls = [span for span in spans if span.operation == "execute_tool" and not span.is_delegation]
    usages = [span.usage for span in spans if span.usage is not None]
    return Count(
        agents=" ".join(sorted(f"{agent.name}:{agent.role}" for trace in traces for agent in trace.agents)),
        operations=words(Counter[str](span.operation for span in spans)),
        tool_calls=len(calls),
        failed=" ".join(sorted(str(span.error_type) for span in calls if span.status == "error")),
        delegations=sum(span.is_delegation for span in spans),
        tokens=(
            sum(usage.input_tokens or 0 for usage in usages),
            sum(usage.output_tokens or 0 for usage in usages),
            sum(usage.cached_tokens or 0 for usage in usages),
        ),
        unread=words(sum((Counter(trace.unread) for trace in traces), Counter[str]())),
        traces=len(traces),
    )


def words(counts: Counter[str]) -> str:
    return " ".join(f"{kind}:{count}" for kind, count in sorted(counts.items()))


@pytest.mark.parametrize("sample", BY_HAND)
def test_a_sample_reads_as_it_was_counted_by_hand(sample: str) -> None:
    reader = registry.trace_format(sample.partition("/")[0])
    assert counted(list(reader.read(SAMPLES / sample))) == BY_HAND[sample]


def test_every_sample_has_a_count_by_hand() -> None:
    found = {f"{name}/{path.name}" for name in FORMATS for path in (SAMPLES / name).iterdir()}
    assert found == set(BY_HAND)


@pytest.mark.parametrize("sample", BY_HAND)
def test_a_sample_is_recognised_as_its_own_format_first(sample: str) -> None:
    path = SAMPLES / sample
    head = path.read_bytes()[:65536]
    claims = [name for name in FORMATS if registry.trace_format(name).recognises(path, head)]
    assert claims[0] == sample.partition("/")[0]


@pytest.mark.parametrize("sample", BY_HAND)
def test_no_label_is_in_a_span(sample: str) -> None:
    labels = ("reward", "other_data", "mistake_", "ground_truth", "is_correct", "rating", "feedback_stats", "options")
    for trace in registry.trace_format(sample.partition("/")[0]).read(SAMPLES / sample):
        for span in trace.spans:
            assert not any(str(key).startswith(labels) for key in span.attributes)


@pytest.mark.parametrize("sample", BY_HAND)
def test_ids_are_unique_and_parents_and_agents_exist(sample: str) -> None:
    for trace in registry.trace_format(sample.partition("/")[0]).read(SAMPLES / sample):
        assert len(trace.span_by_id) == len(trace.spans)
        assert [span.seq for span in trace.spans] == list(range(len(trace.spans)))
        for span in trace.spans:
            assert span.parent_id is None or span.parent_id in trace.span_by_id
            assert span.agent_id is None or span.agent_id in trace.agent_by_id
            assert span.to_agent_id is None or span.to_agent_id in trace.agent_by_id


@pytest.mark.parametrize("sample", BY_HAND)
def test_long_texts_are_cut_and_their_lengths_kept(sample: str) -> None:
    reader = registry.trace_format(sample.partition("/")[0])
    whole = [span for trace in reader.read(SAMPLES / sample) for span in trace.spans]
    cut = [span for trace in reader.read(SAMPLES / sample, longest_text=5) for span in trace.spans]
    assert len(whole) == len(cut)
    for before, after in zip(whole, cut, strict=True):
        assert after.text == (before.text[:5] if before.text else None)
        if before.text and len(before.text) > 5:
            assert after.attributes["cut"]["text"] == len(before.text)
        if before.tool is not None and after.tool is not None and before.tool.result is not None:
            assert after.tool.result == before.tool.result[:5]


def read_mutation(name: str, data: bytes) -> list[Trace]:
    path = Path("mutated.json")
    path.write_bytes(data)
    reader = registry.trace_format(name)
    reader.recognises(path, data[:65536])
    try:
        return list(reader.read(path))
    except UnreadableError:
        return []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("sample", BY_HAND)
@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_bytes_that_were_changed_or_cut_never_raise_anything_else(sample: str, data: st.DataObject) -> None:
    whole = (SAMPLES / sample).read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    tail = whole[end:] if data.draw(st.booleans()) else b""
    read_mutation(sample.partition("/")[0], whole[:start] + data.draw(st.binary(max_size=6)) + tail)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value with every key or index in it."""
    found: list[tuple[Any, Any]] = []
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        keys: list[Any] = list(one) if isinstance(one, dict) else []  # pyright: ignore[reportUnknownArgumentType]  JSON
        if isinstance(one, list):
            keys = list(range(len(one)))  # pyright: ignore[reportUnknownArgumentType]  JSON
        found += [(one, key) for key in keys]
        waiting += [one[key] for key in keys]
    return found


@pytest.mark.parametrize("sample", BY_HAND)
@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_values_of_another_kind_never_raise_anything_else(sample: str, data: st.DataObject) -> None:
    text = (SAMPLES / sample).read_text()
    value = [json.loads(line) for line in text.splitlines()] if sample.endswith("l") else json.loads(text)
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places(value)))
        container[key] = data.draw(JSON)
    read_mutation(sample.partition("/")[0], json.dumps(value).encode())


@pytest.mark.parametrize("name", FORMATS)
def test_depth_emptiness_and_other_formats_end_in_one_sentence(name: str) -> None:
    deep = b'{"messages": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"
    for data in (b"", b"\xff\xfe", b"[]", b"{}", b"null", b"[1, 2]", b"not json", deep, b'{"resourceSpans": []}'):
        path = Path("other.json")
        path.write_bytes(data)
        with pytest.raises(UnreadableError, match=r"other\.json"):
            list(registry.trace_format(name).read(path))
    with pytest.raises(UnreadableError, match="absent"):
        list(registry.trace_format(name).read(Path("absent.json")))


def test_nobody_claims_the_samples_of_other_formats() -> None:
    others = [
        path for path in SAMPLES.rglob("*") if path.is_file() and path.relative_to(SAMPLES).parts[0] not in FORMATS
    ]
    for path in others:
        head = path.read_bytes()[:65536]
        assert [name for name in FORMATS if registry.trace_format(name).recognises(path, head)] == [], path
