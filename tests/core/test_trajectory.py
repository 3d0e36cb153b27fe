from agents_eval_core.trace import Operation, Source, Span, ToolUse, Trace
from agents_eval_core.trajectory import Handoff, Message, ToolCall, trajectory

READ = ToolUse(name="read", arguments={"section": "1"}, result="text")


def a_span(
    operation: Operation, *, text: str | None = None, tool: ToolUse | None = None, to: str | None = None
) -> Span:
    return Span(id="a", seq=0, operation=operation, name="x", agent_id="m", text=text, tool=tool, to_agent_id=to)


def steps(*spans: Span) -> tuple[object, ...]:
    return trajectory(Trace(id="t", source=Source(format="test"), spans=spans))


def test_a_tool_call_keeps_arguments_result_and_error() -> None:
    span = Span(
        id="a", seq=0, operation="execute_tool", name="x", agent_id="m", tool=READ, status="error", error_type="E"
    )
    assert steps(span) == (
        ToolCall(
            span_id="a",
            agent_id="m",
            name="read",
            arguments={"section": "1"},
            result="text",
            status="error",
            error_type="E",
        ),
    )


def test_a_tool_call_that_hands_work_on_is_a_handoff() -> None:
    assert steps(a_span("execute_tool", tool=READ, to="r")) == (
        Handoff(span_id="a", agent_id="m", to_agent_id="r", request={"section": "1"}, answer="text", status="unknown"),
    )


def test_a_handoff_without_tool_has_its_text_as_request_and_no_answer() -> None:
    assert steps(a_span("handoff", text="please", to="r")) == (
        Handoff(span_id="a", agent_id="m", to_agent_id="r", request="please", answer=None, status="unknown"),
    )


def test_what_is_said_is_a_message_also_when_it_is_addressed() -> None:
    said = Message(span_id="a", agent_id="m", text="hello")
    assert steps(a_span("chat", text="hello"), a_span("message", text="hello", to="r")) == (said, said)


def test_the_rest_is_no_step() -> None:
    silent = a_span("chat"), a_span("chat", text=""), a_span("invoke_agent", text="x"), a_span("execute_tool")
    assert steps(*silent, a_span("other"), a_span("plan")) == ()


def test_the_order_is_that_of_the_spans() -> None:
    kinds = [
        type(step)
        for step in steps(a_span("chat", text="a"), a_span("execute_tool", tool=READ), a_span("chat", text="b"))
    ]
    assert kinds == [Message, ToolCall, Message]
