"""Kinds of errors that a trace shows by its texts and calls: rules by domain, each a finding with its spans."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Finding, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.calls import tool_calls
from agents_eval_evaluators.graph.failed_calls import repeated_failures
from agents_eval_evaluators.scoring import process_finding, silent

MANY: Final = 3
TEXT_READ: Final = 3000
UNITS: Final = (("error_kinds", "kinds"),)
SAYS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "authentication": (
        re.compile(
            r"\b(?:403\b.{0,20}forbidden|unauthori[sz]ed|authentication (?:failed|error|required)|"
            r"invalid (?:api[ _]key|credentials|token)|api[ _]key (?:is )?(?:missing|required|not (?:set|found)))",
            re.IGNORECASE,
        ),
        "was refused for want of valid credentials",
    ),
    "formatting": (
        re.compile(
            r"code parsing|regex pattern .{0,60} was not found|unexpected keyword argument|missing \d+ required|"
            r"JSONDecodeError|invalid json|SyntaxError|IndentationError|validation error|could not parse|"
            r"required property|additional properties|wrong (?:number|type) of arguments",
            re.IGNORECASE,
        ),
        "was refused for its form",
    ),
    "rate_limit": (
        re.compile(r"\b429\b|rate.?limit(?:ed| exceeded| reached)|too many requests|quota exceeded", re.IGNORECASE),
        "met a rate limit",
    ),
    "resource_exhaustion": (
        re.compile(
            r"context.{0,12}(?:length|window).{0,20}exceed|maximum context length|out of memory|MemoryError|"
            r"(?:max(?:imum)?|reached).{0,12}(?:steps|iterations|turns)\b|recursion limit|no space left",
            re.IGNORECASE,
        ),
        "ran out of steps, context or memory",
    ),
    "timeout": (
        re.compile(r"timed? ?out\b|TimeoutError|deadline exceeded", re.IGNORECASE),
        "took too long",
    ),
    "not_found": (
        re.compile(r"\b404\b|no such file|FileNotFoundError|does not exist|could not be found", re.IGNORECASE),
        "asked for something that is not there",
    ),
    "service": (
        re.compile(
            r"\b50[0234]\b.{0,30}(?:error|gateway|unavailable)|service unavailable|connection (?:refused|reset)",
            re.IGNORECASE,
        ),
        "met a service that did not work",
    ),
    "environment": (
        re.compile(
            r"ModuleNotFoundError|ImportError|command not found|PermissionError|permission denied|"
            r"import of .{0,40} is not allowed|forbidden (?:function|import)",
            re.IGNORECASE,
        ),
        "met an environment that lacks or forbids something",
    ),
}


def resource_abuse(trace: Trace) -> Sequence[Span]:
    """Return calls made three times or more with equal arguments, and failures of one kind met three times or more."""
    by_call: dict[tuple[str | None, str], list[Span]] = {}
    for call in tool_calls(trace):
        by_call.setdefault((call.span.agent_id, call.key), []).append(call.span)
    by_failure: dict[tuple[str | None, str], list[Span]] = {}
    for span in trace.spans:
        if span.status == "error" and span.error_text:
            by_failure.setdefault((span.agent_id, span.error_text[:200]), []).append(span)
    found = [span for group in (*by_call.values(), *by_failure.values()) if len(group) >= MANY for span in group]
    return sorted({span.seq: span for span in found}.values(), key=lambda span: span.seq)


def goal_deviation(trace: Trace) -> Sequence[Span]:
    """Return the last answer of a run that called no tool and handed nothing on."""
    if any(span.operation in ("execute_tool", "handoff", "retrieval") for span in trace.spans):
        return ()
    answers = [span for span in trace.spans if span.operation == "chat" and span.text]
    return answers[-1:]


def errors_by_text(trace: Trace) -> Mapping[str, list[Span]]:
    """Return the failed spans by kind: what their error, or the result of a failed call, says; a span has one kind."""
    found: dict[str, list[Span]] = {}
    for span in trace.spans:
        if span.status != "error":
            continue
        text = f"{span.error_type or ''} {span.error_text or (span.tool.result if span.tool else span.text) or ''}"
        kind = next((kind for kind, (pattern, _) in SAYS.items() if pattern.search(text[:TEXT_READ])), None)
        if kind is not None:
            found.setdefault(kind, []).append(span)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRules:
    """Finds kinds of errors in a trace: by the texts of failed spans, and by what was called. No score.

    `goal_deviation` is looked for only where the case says that tools are needed or the system offered some.
    """

    name: str = "error_rules"
    version: str = "0"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Apply every rule."""
        if run.trace is None or not run.trace.spans:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        findings = tuple(_findings(run, run.trace))
        return Evaluation(measures=(Measure(name="error_kinds", value=len(findings), unit="kinds"),), findings=findings)


def _findings(run: Run, trace: Trace) -> Iterator[Finding]:
    for kind, spans in errors_by_text(trace).items():
        who = trace.agent_name(spans[0].agent_id)
        more = f" ({len(spans)} times in all)" if len(spans) > 1 else ""
        name = f"{kind}_error"
        yield process_finding(name, "warning", f"{spans[0].name} by {who} {SAYS[kind][1]}{more}.", _ids(spans))
    if spans := resource_abuse(trace):
        sentence = f"The same call or the same failure came three times or more ({len(spans)} spans)."
        yield process_finding("resource_abuse", "warning", sentence, _ids(spans))
    if spans := [call.span for call in repeated_failures(tool_calls(trace))]:
        sentence = f"{len(spans)} failed calls were the very same as ones that had failed before."
        yield process_finding("context_handling", "warning", sentence, _ids(spans))
    if (run.case.needs_tools or run.system.tools_offered) and (spans := goal_deviation(trace)):
        sentence = f"{trace.agent_name(spans[0].agent_id)} answered without using any of its tools."
        yield process_finding("goal_deviation", "warning", sentence, _ids(spans))


def _ids(spans: Sequence[Span]) -> Iterator[str]:
    return (span.id for span in spans)
