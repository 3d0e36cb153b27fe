"""Which convention a record follows, and what those say that the samples do not show."""

from typing import Any

import pytest

from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.opentelemetry import conventions
from agents_eval_core.formats.opentelemetry.conventions import Convention, convention_of
from agents_eval_core.formats.opentelemetry.dumped_span import dumped_spans
from agents_eval_core.formats.opentelemetry.openinference import openinference_draft
from agents_eval_core.formats.opentelemetry.openllmetry import openllmetry_draft
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan
from agents_eval_core.formats.opentelemetry.request_wrappers import without_wrappers
from agents_eval_core.trace import Operation, Span, Usage


def a_record(name: str = "a span", **attributes: Any) -> RawSpan:
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return RawSpan(trace_id="t", id="a", name=name, ended=1, attributes=named)


@pytest.mark.parametrize(
    ("raw", "convention"),
    [
        (a_record(gen_ai__operation__name="chat"), conventions.GENAI),
        (a_record(http__method="GET"), conventions.GENAI),
        (a_record(gen_ai__operation__name="call_llm"), conventions.ANY_AGENT),
        (a_record(gen_ai__operation__name="chat", openinference__span__kind="LLM"), conventions.GENAI),
        (a_record(openinference__span__kind="CHAIN"), conventions.OPENINFERENCE),
        (a_record(traceloop__span__kind="task"), conventions.OPENLLMETRY),
        (a_record(gen_ai__operation__name="chat", llm__request__type="chat"), conventions.OPENLLMETRY),
        (
            a_record("claude_code.tool", gen_ai__operation__name="execute_tool", span__type="tool"),
            conventions.CLAUDE_CODE,
        ),
        (a_record("claude_code.llm_request", span__type="llm_request"), conventions.CLAUDE_CODE),
        (a_record(logfire__msg_template="Turn", sdk_span_type="turn"), conventions.OPENAI_AGENTS),
        (a_record(logfire__msg_template="hello"), conventions.GENAI),
    ],
)
def test_a_record_follows_the_convention_that_alone_writes_such(raw: RawSpan, convention: Convention) -> None:
    assert convention_of(raw) is convention


@pytest.mark.parametrize(
    ("kind", "operation"),
    [
        ("LLM", "chat"),
        ("llm", "chat"),
        ("AGENT", "invoke_agent"),
        ("TOOL", "execute_tool"),
        ("RETRIEVER", "retrieval"),
        ("CHAIN", "other"),
        ("EMBEDDING", "other"),
        (None, "other"),
    ],
)
def test_the_kinds_of_openinference(kind: str | None, operation: Operation) -> None:
    assert openinference_draft(a_record(openinference__span__kind=kind)).span.operation == operation


def test_openinference_nested_by_a_viewer_is_read_like_flat() -> None:
    messages = [{"message": {"role": "assistant", "content": "hi"}}]
    attributes = {
        "openinference": {"span": {"kind": "LLM"}},
        "llm": {"model_name": "m", "token_count": {"prompt": 3, "completion": 1}, "output_messages": messages},
        "input": {"value": "{}", "mime_type": "application/json"},
    }
    record = {"name": "x", "context": {"trace_id": "t", "span_id": "1"}, "attributes": attributes}
    ((raw, _),) = dumped_spans(record)
    span = conventions.convention_of(raw).draft(raw).span
    assert (span.operation, span.text, span.model) == ("chat", "hi", "m")
    assert span.usage == Usage(input_tokens=3, output_tokens=1)
    assert dict(span.attributes) == {}


def test_an_object_as_an_attribute_is_kept_as_it_is() -> None:
    attributes = {"input": {"seed": 3}, "name": "f"}
    ((raw, _),) = dumped_spans({"name": "x", "trace_id": "t", "span_id": "1", "attributes": attributes})
    assert raw.attributes == attributes


def test_openllmetry_with_the_newer_messages() -> None:
    said = '[{"role": "assistant", "parts": [{"type": "text", "content": "hi"}]}]'
    span = openllmetry_draft(a_record(llm__request__type="chat", gen_ai__output__messages=said)).span
    assert (span.operation, span.text, dict(span.attributes)) == ("chat", "hi", {})


def a_draft(own_id: str, under: str | None, operation: Operation, usage: Usage | None = None) -> SpanDraft:
    return SpanDraft(span=Span(id=own_id, seq=0, parent_id=under, operation=operation, name=operation, usage=usage))


def test_a_request_that_wraps_another_is_counted_once() -> None:
    used = Usage(input_tokens=5)
    drafts = [a_draft("a", None, "chat", used), a_draft("b", "a", "other"), a_draft("c", "b", "chat", used)]
    outer, _, inner = (draft.span for draft in without_wrappers(drafts))
    assert (outer.operation, outer.usage) == ("other", Usage(input_tokens=5, scope="subtree"))
    assert (inner.operation, inner.usage) == ("chat", used)


def test_a_request_of_a_tool_or_an_agent_below_a_request_is_its_own() -> None:
    for between in ("execute_tool", "invoke_agent"):
        drafts = [a_draft("a", None, "chat"), a_draft("b", "a", between), a_draft("c", "b", "chat")]
        assert [draft.span.operation for draft in without_wrappers(drafts)] == ["chat", between, "chat"]


def test_requests_in_a_circle_end() -> None:
    drafts = [a_draft("a", "b", "chat"), a_draft("b", "a", "other"), a_draft("c", "c", "chat")]
    assert len(without_wrappers(drafts)) == 3
