"""D19: a parser of Claude Code teams read fields that the events do not have, so that all workers became one."""

from pathlib import Path

import pytest

from agents_eval_core.trace import Trace
from agents_eval_core.trace_source import read_traces

SAMPLE = Path(__file__).parents[1] / "data" / "traces" / "claude_code_stream" / "team.jsonl"


@pytest.fixture
def team() -> Trace:
    [trace] = read_traces(SAMPLE)
    return trace


def test_workers_keep_their_names_though_events_only_carry_task_and_call_ids(team: Trace) -> None:
    assert {agent.name for agent in team.agents} == {"claude-code", "reader", "checker"}
    started = {span.tool.arguments["name"]: span.to_agent_id for span in team.spans if span.is_delegation and span.tool}
    assert started == {"reader": "reader@quiet-river", "checker": "checker@quiet-river"}


def test_all_tool_calls_are_read_team_calls_among_them(team: Trace) -> None:
    names = [span.tool.name for span in team.spans if span.tool]
    assert names == ["TeamCreate", "Agent", "Agent", "SendMessage", "SendMessage", "Write"]


def test_messages_to_teammates_reach_them(team: Trace) -> None:
    sent = [
        (span.name, team.agent_name(span.agent_id), team.agent_name(span.to_agent_id), span.text)
        for span in team.spans
        if span.operation == "message"
    ]
    assert sent == [
        ("message", "claude-code", "reader", "Look at section 2."),
        ("shutdown_request", "claude-code", "checker", "Thank you."),
    ]


def test_a_command_in_the_background_is_no_worker(team: Trace) -> None:
    assert not any("t333" in agent.id for agent in team.agents)


def test_the_graph_has_an_edge_for_each_delegation_and_message(team: Trace) -> None:
    edges: list[tuple[str, str, str]] = list(team.to_networkx().edges(data="kind"))
    assert sorted((kind, to) for _, to, kind in edges if kind != "calls") == [
        ("delegates", "agent:checker@quiet-river"),
        ("delegates", "agent:reader@quiet-river"),
        ("message", "agent:checker@quiet-river"),
        ("message", "agent:reader@quiet-river"),
    ]


def test_real_team_streams_differ_and_name_their_workers(real_data: Path) -> None:
    folder = real_data / "traces" / "claude-code-stream-json" / "agents-eval"
    traces = [trace for path in sorted(folder.glob("*.jsonl")) for trace in read_traces(path)]
    workers = [sorted(agent.name for agent in trace.agents if agent.id != "main") for trace in traces]
    assert workers == [
        ["Explore", "impact-reviewer", "researcher", "technical-reviewer"],
        ["Explore"],
        ["Explore", "lit-reviewer", "mas-runner", "paper-reviewer"],
    ]
    assert [sum(span.operation == "execute_tool" for span in trace.spans) for trace in traces] == [46, 10, 50]
    assert [sum(span.operation == "message" for span in trace.spans) for trace in traces] == [3, 0, 4]
