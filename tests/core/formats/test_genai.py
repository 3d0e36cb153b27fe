import json
from typing import Any

import pytest

from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.opentelemetry.genai import genai_draft
from agents_eval_core.formats.opentelemetry.raw_span import RawEvent, RawSpan
from agents_eval_core.trace import Span, Usage


def drafted(operation: str, **attributes: Any) -> SpanDraft:
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    attributes = {"gen_ai.operation.name": operation, **named}
    return genai_draft(RawSpan(trace_id="t", id="a", name="a span", ended=1, attributes=attributes))


def chatted(*messages: Any) -> Span:
    return drafted("chat", gen_ai__output__messages=json.dumps(messages)).span


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("chat", "chat"),
        ("text_completion", "chat"),
        ("invoke_agent", "invoke_agent"),
        ("execute_tool", "execute_tool"),
        ("invoke_workflow", "invoke_workflow"),
        ("retrieval", "retrieval"),
    ],
)
def test_known_operations_are_named(name: str, operation: str) -> None:
    span = drafted(name).span
    assert (span.operation, dict(span.attributes)) == (operation, {})


def test_an_unknown_operation_is_other_and_keeps_its_name() -> None:
    span = drafted("dream", colour="blue").span
    assert (span.operation, dict(span.attributes)) == ("other", {"gen_ai.operation.name": "dream", "colour": "blue"})


def test_a_record_without_operation_is_other() -> None:
    assert genai_draft(RawSpan(trace_id="t", id="a", name="GET /")).span.operation == "other"


def test_a_chat_has_its_own_usage_and_cost() -> None:
    span = drafted(
        "chat",
        gen_ai__usage__input_tokens=45,
        gen_ai__usage__output_tokens=0,
        gen_ai__usage__cache_read__input_tokens=40,
        operation__cost=0.0002625,
    ).span
    assert span.usage == Usage(input_tokens=45, output_tokens=0, cached_tokens=40, cost_usd=0.0002625)
    assert dict(span.attributes) == {}


def test_what_a_chat_does_not_say_about_usage_is_unknown() -> None:
    assert drafted("chat").span.usage is None
    assert drafted("chat", gen_ai__usage__output_tokens=3).span.usage == Usage(output_tokens=3)


@pytest.mark.parametrize("odd", [-1, True, "many", 1.5])
def test_an_odd_token_count_is_no_count_and_stays_an_attribute(odd: object) -> None:
    span = drafted("chat", gen_ai__usage__input_tokens=odd).span
    assert (span.usage, dict(span.attributes)) == (None, {"gen_ai.usage.input_tokens": odd})


@pytest.mark.parametrize("odd", [-0.1, float("nan"), float("inf"), True, "free"])
def test_an_odd_cost_is_no_cost(odd: object) -> None:
    assert drafted("chat", operation__cost=odd).span.usage is None


def test_an_agents_totals_stay_attributes_and_are_not_counted_again() -> None:
    span = drafted("invoke_agent", gen_ai__aggregated_usage__input_tokens=45).span
    assert (span.usage, dict(span.attributes)) == (None, {"gen_ai.aggregated_usage.input_tokens": 45})


def test_usage_on_an_agent_is_that_of_its_subtree() -> None:
    span = drafted("invoke_agent", gen_ai__usage__input_tokens=45).span
    assert span.usage == Usage(input_tokens=45, scope="subtree")


def test_the_model_is_the_one_that_answered() -> None:
    span = drafted("chat", gen_ai__request__model="gpt-4o", gen_ai__response__model="gpt-4o-2024-08-06").span
    assert (span.model, dict(span.attributes)) == ("gpt-4o-2024-08-06", {"gen_ai.request.model": "gpt-4o"})
    assert drafted("chat", gen_ai__request__model="gpt-4o").span.model == "gpt-4o"


def test_a_chats_text_is_what_the_assistant_wrote() -> None:
    text, call = {"type": "text", "content": "first"}, {"type": "tool_call", "name": "read"}
    thought = {"type": "thinking", "content": "hm"}
    assert chatted({"role": "assistant", "parts": [thought, text, call, text]}).text == "first\nfirst"


@pytest.mark.parametrize("odd", [[], [{"parts": [{"type": "tool_call"}]}], [{"parts": "a"}], ["a"], {"a": 1}, None])
def test_a_chat_that_only_calls_tools_has_no_text(odd: object) -> None:
    assert drafted("chat", gen_ai__output__messages=json.dumps(odd)).span.text is None


def test_messages_that_are_no_json_give_no_text() -> None:
    assert drafted("chat", gen_ai__output__messages='[{"role": "assist').span.text is None


def test_a_tool_call_has_parsed_arguments_and_its_result_as_text() -> None:
    span = drafted(
        "execute_tool",
        gen_ai__tool__name="read",
        gen_ai__tool__call__id="c1",
        gen_ai__tool__call__arguments='{"section": "3"}',
        gen_ai__tool__call__result='{"text": "…"}',
    ).span
    assert span.tool is not None
    assert (span.tool.name, span.tool.call_id, span.tool.arguments) == ("read", "c1", {"section": "3"})
    assert span.tool.result == '{"text": "…"}'
    assert dict(span.attributes) == {}


@pytest.mark.parametrize("text", ["{broken", "[" * 100_000, '{"a": "\\ud800"}'])
def test_arguments_that_are_no_json_stay_text(text: str) -> None:
    span = drafted("execute_tool", gen_ai__tool__call__arguments=text).span
    assert span.tool is not None
    assert span.tool.arguments == text


def test_a_tool_without_name_has_that_of_its_span_and_a_result_that_is_no_text_becomes_one() -> None:
    tool = drafted("execute_tool", gen_ai__tool__call__result=[1, "a"]).span.tool
    assert tool is not None
    assert (tool.name, tool.result, tool.arguments) == ("a span", '[1,"a"]', None)


def test_an_agent_is_named_by_its_attribute_or_its_span() -> None:
    assert drafted("invoke_agent", gen_ai__agent__name="manager", agent_name="manager").agent_name == "manager"
    raw = RawSpan(trace_id="t", id="a", name="invoke_agent m", attributes={"gen_ai.operation.name": "invoke_agent"})
    assert genai_draft(raw).agent_name == "m"


def test_a_tool_call_can_say_to_whom_it_hands_work() -> None:
    draft = drafted("execute_tool", agents_eval__delegate__to="researcher")
    assert (draft.delegate_name, dict(draft.span.attributes)) == ("researcher", {})


def test_histories_stay_in_the_file_and_other_attributes_are_kept() -> None:
    draft = drafted(
        "invoke_agent", pydantic_ai__all_messages="[]", logfire__json_schema="{}", final_result="done", metadata="{}"
    )
    assert dict(draft.span.attributes) == {"final_result": "done", "metadata": "{}"}


def test_events_other_than_exceptions_are_counted_as_unread() -> None:
    events = [RawEvent(name=name, attributes={}) for name in ("exception", "tool.output")]
    assert list(genai_draft(RawSpan(trace_id="t", id="a", name="x", events=events)).unread) == ["event tool.output"]


def test_older_names_of_tokens_are_read() -> None:
    span = drafted("chat", gen_ai__usage__prompt_tokens=7, gen_ai__usage__completion_tokens=2).span
    assert span.usage == Usage(input_tokens=7, output_tokens=2)
    assert dict(span.attributes) == {}


def test_figures_of_an_unfinished_request_are_no_usage() -> None:
    span = drafted("chat", gen_ai__usage__partial__input_tokens=7).span
    assert (span.usage, dict(span.attributes)) == (None, {"gen_ai.usage.partial.input_tokens": 7})


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("gen_ai.choice", {"message": json.dumps({"role": "assistant", "content": "hi"})}),
        ("gen_ai.choice", {"gen_ai.event.content": json.dumps({"index": 0, "message": {"content": "hi"}})}),
        ("gen_ai.choice", {"content": "hi"}),
        ("gen_ai.content.completion", {"gen_ai.completion": json.dumps([{"role": "assistant", "content": "hi"}])}),
        (
            "gen_ai.client.inference.operation.details",
            {"gen_ai.output.messages": json.dumps([{"parts": [{"type": "text", "content": "hi"}]}])},
        ),
    ],
)
def test_what_was_said_is_read_from_events_of_older_versions(name: str, about: dict[str, Any]) -> None:
    attributes: dict[str, Any] = {"gen_ai.operation.name": "chat"}
    raw = RawSpan(
        trace_id="t", id="a", name="chat", attributes=attributes, events=[RawEvent(name=name, attributes=about)]
    )
    draft = genai_draft(raw)
    assert (draft.span.text, draft.unread) == ("hi", [])


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "assistant", "parts": [{"type": "text", "content": "hi"}, {"type": "reasoning", "content": "hm"}]}],
        [{"role": "assistant", "parts": [{"type": "text", "content": "hi"}, {"type": "x", "content": {"a": 1}}]}],
    ],
)
def test_what_was_said_may_be_values_instead_of_a_text_of_json(messages: list[Any]) -> None:
    assert drafted("chat", gen_ai__output__messages=messages).span.text == "hi"
    assert chatted(*messages).text == "hi"


def test_an_mcp_span_that_names_a_tool_is_no_second_call() -> None:
    about: dict[str, Any] = {"gen_ai.tool.name": "joker", "mcp.method.name": "tools/call"}
    assert (
        genai_draft(RawSpan(trace_id="t", id="a", name="tools/call joker", attributes=about)).span.operation == "other"
    )


def test_an_agent_without_a_name_has_one() -> None:
    raw = RawSpan(trace_id="t", id="a", name="invoke_agent", attributes={"gen_ai.operation.name": "invoke_agent"})
    assert genai_draft(raw).agent_name == "agent"


def test_embeddings_have_their_own_usage_but_are_no_request_to_a_chat_model() -> None:
    span = drafted("embeddings", gen_ai__usage__input_tokens=5).span
    assert (span.operation, span.usage) == ("other", Usage(input_tokens=5))
