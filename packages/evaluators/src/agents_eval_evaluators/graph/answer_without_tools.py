"""Answering out of one's head: a run whose agents had tools and gave their answer without using any."""

import re
from collections.abc import Sequence
from typing import Final

from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.calls import Call, tool_calls

_ANSWERS: Final = re.compile(
    r"^(?:(?:submit|give|return)?_?final_?(?:answer|result)\w*|submit|finish|answer)$", re.IGNORECASE
)
_CODE: Final = re.compile(r"```(?:py\w*|sh|bash)?\s*\n(.*?)(?:```|$)", re.DOTALL)
_REACHES_OUT: Final = re.compile(
    r"\b(?:open|read\w*|urlopen|fetch\w*|get|post|search\w*|visit\w*|ingest\w*|query\w*|connect|execute|Popen|check_output)"
    r"\s*\(|\bimport (?:os|requests|subprocess|urllib|sqlite3)\b"
)

_PLAN: Final = re.compile(r"\s*1[.)]\s")
_PLANS_TO_LOOK: Final = re.compile(
    r"\b(?:search\w*|retriev\w+|look(?:ing)? up|brows\w+|visit\w*|fetch\w*|download\w*|inspect\w*|locat(?:e|ing)|"
    r"obtain\w*|gather\w*|access\w*|quer(?:y|ies|ying)|load(?:s|ing)?)\b",
    re.IGNORECASE,
)


def answer_without_tools(trace: Trace, *, needs_tools: bool) -> Span | None:
    """Return what a run answered with if it used no tool before, or None.

    Handing in the answer by a tool (`final_answer`, `submit`) is no use of a tool, and code that only computes and
    prints is none either: it asks nothing of the world. Handing work on, looking things up and code that reads files or
    the network are. A run that wrote down a plan (a list of numbered steps) is only counted if that was to look
    something up: who plans to think and thinks does not deviate.

    Args:
        trace: The run.
        needs_tools: Whether somebody says that tools are needed or on offer; without that, only a run that handed its
            answer in by a tool is known to have had any.
    """
    if any(span.operation in ("handoff", "retrieval") or span.is_delegation for span in trace.spans):
        return None
    calls = tool_calls(trace)
    handed_in = [call for call in calls if _ANSWERS.match(call.tool.name)]
    if len(handed_in) < len(calls) or not (needs_tools or handed_in):
        return None
    said = [span for span in trace.spans if span.operation == "chat" and span.text]
    if any(_REACHES_OUT.search(code) for span in said for code in _CODE.findall(span.text or "")):
        return None
    answer = _answer(said, handed_in)
    plans = [span.text for span in trace.spans if span.text and (span.operation == "plan" or _PLAN.match(span.text))]
    return answer if not plans or any(_PLANS_TO_LOOK.search(plan) for plan in plans) else None


def _answer(said: Sequence[Span], handed_in: Sequence[Call]) -> Span | None:
    """Return the reply that handed the answer in, or else the last one."""
    if not handed_in:
        return said[-1] if said else None
    before = [span for span in said if span.seq < handed_in[0].span.seq]
    return before[-1] if before else handed_in[0].span
