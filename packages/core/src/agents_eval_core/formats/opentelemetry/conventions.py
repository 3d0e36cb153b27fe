"""The conventions by which span records are understood, and which of them a record follows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.opentelemetry.any_agent import any_agent_draft
from agents_eval_core.formats.opentelemetry.claude_code_telemetry import claude_code_draft, claude_code_settled
from agents_eval_core.formats.opentelemetry.genai import genai_draft
from agents_eval_core.formats.opentelemetry.genai_messages import HISTORIES
from agents_eval_core.formats.opentelemetry.logfire_openai_agents import openai_agents_draft, openai_agents_settled
from agents_eval_core.formats.opentelemetry.openinference import openinference_draft, openinference_settled
from agents_eval_core.formats.opentelemetry.openllmetry import openllmetry_draft
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan

NEVER_READ: Final = HISTORIES


class Convention(Struct, frozen=True):
    """How somebody writes what agents do into spans.

    Attributes:
        draft: What one record becomes.
        settle: What has to be done when all records of a trace are there: records that tell of the same thing become
            one span.
    """

    draft: Callable[[RawSpan], SpanDraft]
    settle: Callable[[Sequence[SpanDraft]], Sequence[SpanDraft]] | None = None


GENAI: Final = Convention(genai_draft)
ANY_AGENT: Final = Convention(any_agent_draft)
CLAUDE_CODE: Final = Convention(claude_code_draft, claude_code_settled)
OPENINFERENCE: Final = Convention(openinference_draft, openinference_settled)
OPENAI_AGENTS: Final = Convention(openai_agents_draft, openai_agents_settled)
OPENLLMETRY: Final = Convention(openllmetry_draft)


def convention_of(raw: RawSpan) -> Convention:
    """Return the convention that a record follows, by what only that convention writes; else the general one.

    >>> convention_of(RawSpan(trace_id="t", id="a", name="x", attributes={"openinference.span.kind": "LLM"})) is (
    ...     OPENINFERENCE)
    True
    """
    about = raw.attributes
    if "gen_ai.operation.name" in about:
        return _of_operation(raw, about)
    if "span.type" in about and raw.name.startswith("claude_code."):
        return CLAUDE_CODE
    if "openinference.span.kind" in about:
        return OPENINFERENCE
    if "logfire.msg_template" in about and _is_of_openai_agents(about):
        return OPENAI_AGENTS
    if "traceloop.span.kind" in about or "llm.request.type" in about or "traceloop.workflow.name" in about:
        return OPENLLMETRY
    return GENAI


def _of_operation(raw: RawSpan, about: Mapping[str, Any]) -> Convention:
    if "span.type" in about and raw.name.startswith("claude_code."):
        return CLAUDE_CODE
    if about["gen_ai.operation.name"] == "call_llm" or "gen_ai.tool.args" in about or "any_agent.version" in about:
        return ANY_AGENT
    if "traceloop.span.kind" in about or "llm.request.type" in about:
        return OPENLLMETRY
    if "raw_input" in about or "response_id" in about:
        return OPENAI_AGENTS
    return GENAI


def _is_of_openai_agents(about: Mapping[str, Any]) -> bool:
    return about.get("gen_ai.system") == "openai" or "agent_trace_id" in about or "sdk_span_type" in about
