from datetime import UTC, datetime

import msgspec
import pytest

from agents_eval_core.trace import Agent, Operation, Source, Span, ToolUse, Trace


def a_span(span_id: str, under: str | None = None, *, at: int | None = None, until: int | None = None) -> Span:
    return Span(
        id=span_id, seq=0, operation="other", name=span_id, parent_id=under, started_at=_time(at), ended_at=_time(until)
    )


def _time(second: int | None) -> datetime | None:
    return None if second is None else datetime(2026, 1, 1, 0, 0, second, tzinfo=UTC)


def a_trace(*spans: Span, agents: tuple[Agent, ...] = ()) -> Trace:
    return Trace(id="t", source=Source(format="test"), spans=spans, agents=agents)


def test_ancestors_come_nearest_first() -> None:
    trace = a_trace(a_span("a"), a_span("b", "a"), a_span("c", "b"))
    assert [span.id for span in trace.ancestors(trace.span_by_id["c"])] == ["b", "a"]


def test_a_circle_of_parents_ends_the_walk() -> None:
    trace = a_trace(a_span("a", "b"), a_span("b", "a"))
    assert [span.id for span in trace.ancestors(trace.span_by_id["a"])] == ["b"]


def test_spans_with_a_lost_parent_are_among_the_tops() -> None:
    trace = a_trace(a_span("a"), a_span("b", "lost"), a_span("c", "a"))
    assert {parent: [span.id for span in spans] for parent, spans in trace.children.items()} == {
        None: ["a", "b"],
        "a": ["c"],
    }


def test_elapsed_is_from_the_first_beginning_to_the_last_end() -> None:
    assert a_trace(a_span("a", at=2, until=3), a_span("b", at=1), a_span("c", at=2, until=9)).elapsed_seconds == 8.0


def test_without_a_beginning_or_an_end_nothing_is_known_about_time() -> None:
    assert a_trace().elapsed_seconds is None
    assert a_trace(a_span("a", at=1)).elapsed_seconds is None
    assert a_span("a", until=1).seconds is None


def test_names_are_found_by_id() -> None:
    trace = a_trace(agents=(Agent(id="agent#2", name="agent"),))
    assert [trace.agent_name(who) for who in ("agent#2", "nobody", None)] == ["agent", "nobody", "?"]


@pytest.mark.parametrize(
    ("operation", "to", "delegation"),
    [("execute_tool", "r", True), ("handoff", "r", True), ("message", "r", False), ("execute_tool", None, False)],
)
def test_a_delegation_hands_work_to_somebody(operation: Operation, to: str | None, *, delegation: bool) -> None:
    assert Span(id="a", seq=0, operation=operation, name="x", to_agent_id=to).is_delegation is delegation


def test_nothing_in_a_trace_can_be_changed() -> None:
    with pytest.raises(AttributeError):
        a_trace().id = "other"  # pyright: ignore[reportAttributeAccessIssue]  it is what is tested
    with pytest.raises(AttributeError):
        a_span("a").name = "other"  # pyright: ignore[reportAttributeAccessIssue]  it is what is tested


def test_a_trace_survives_json() -> None:
    trace = a_trace(a_span("a", at=1, until=2), agents=(Agent(id="m", name="manager", role="orchestrator"),))
    assert msgspec.json.decode(msgspec.json.encode(trace), type=Trace) == trace


def test_the_graph_has_agents_tools_and_who_called_whom() -> None:
    def done(span_id: str, to: str | None = None) -> Span:
        tool = ToolUse(name="read")
        return Span(
            id=span_id, seq=0, operation="execute_tool", name="x", agent_id="m", to_agent_id=to, tool=tool, status="ok"
        )

    agents = Agent(id="m", name="manager", role="orchestrator"), Agent(id="read", name="read")
    graph = a_trace(done("a"), done("b", "read"), done("c"), agents=agents).to_networkx()
    assert sorted(graph.nodes) == ["agent:m", "agent:read", "tool:read"]
    assert graph.number_of_edges("agent:m", "tool:read") == 2
    assert graph.edges["agent:m", "tool:read", 0]["kind"] == "calls"
    assert graph.number_of_edges("agent:m", "agent:read") == 1
    assert graph.edges["agent:m", "agent:read", 0]["kind"] == "delegates"
