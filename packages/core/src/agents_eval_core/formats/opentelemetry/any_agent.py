"""How any-agent writes spans: the GenAI conventions with names of its own for what was asked and answered."""

from typing import Any, Final

from agents_eval_core.formats.building.span_draft import SpanDraft
from agents_eval_core.formats.json_text.json_values import as_number, as_records, parsed
from agents_eval_core.formats.opentelemetry.genai import genai_draft
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan

OUTPUT: Final = "gen_ai.output"


def any_agent_draft(raw: RawSpan) -> SpanDraft:
    """Return what a record says; the two parts of a request's cost are added up.

    >>> draft = any_agent_draft(RawSpan(trace_id="t", id="a", name="call_llm m", attributes={
    ...     "gen_ai.operation.name": "call_llm", "gen_ai.output": "done", "gen_ai.output.type": "text"}))
    >>> draft.span.operation, draft.span.text
    ('chat', 'done')
    """
    rest = raw.attributes
    if rest.get("gen_ai.operation.name") == "call_llm":
        rest["gen_ai.operation.name"] = "chat"
        rest["gen_ai.output.messages"] = [{"parts": [{"type": "text", "content": _said(rest.pop(OUTPUT, None))}]}]
        _add_costs(rest)
    elif rest.get("gen_ai.operation.name") == "execute_tool":
        rest["gen_ai.tool.call.arguments"] = rest.pop("gen_ai.tool.args", None)
        rest["gen_ai.tool.call.result"] = rest.pop(OUTPUT, None)
    return genai_draft(raw)


def _said(output: Any) -> str | None:
    """Return the text of an answer; None where it is only a list of tool calls."""
    calls = as_records(parsed(output))
    if calls and all("tool.name" in call for call in calls):
        return None
    return output if isinstance(output, str) else None


def _add_costs(rest: dict[str, Any]) -> None:
    parts = [as_number(rest.get(f"gen_ai.usage.{side}_cost")) for side in ("input", "output")]
    known = [part for part in parts if part is not None]
    if len(known) == len(parts):
        rest["operation.cost"] = sum(known)
        del rest["gen_ai.usage.input_cost"], rest["gen_ai.usage.output_cost"]
