"""Kinds of errors that a trace shows by its texts and calls: rules by domain, each a finding with its spans."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.ports.evaluator import EvaluationContext
from agents_eval_core.run import Run
from agents_eval_core.score import Evaluation, Evidence, Finding, Measure, Tier
from agents_eval_core.trace import Span, Trace
from agents_eval_evaluators.graph.answer_without_tools import answer_without_tools
from agents_eval_evaluators.graph.per_trace import per_trace
from agents_eval_evaluators.graph.resource_abuse import QUOTE, TEXT_READ, resource_abuse
from agents_eval_evaluators.scoring import process_finding, silent

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
            r"JSONDecodeError|invalid json|SyntaxError|IndentationError|validation error|could not (?:parse|convert)|"
            r"required property|additional properties|wrong (?:number|type) of arguments|"
            r"Unicode\w*Error|multiple values for|positional arguments? but",
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
        re.compile(
            r"\btimed out\b|timeout(?:error|expired|exception)|^timeout\b|deadline exceeded|"
            r"\btimeout (?:of|after|exceeded|reached|expired|occurred)|(?:exceeded|reached).{0,20}\btimeout\b",
            re.IGNORECASE,
        ),
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


@per_trace
def errors_by_text(trace: Trace) -> Mapping[str, Sequence[tuple[Span, str]]]:
    """Return the failed spans by kind, with the words that tell it: of their error, or of the result of a failed call.

    A span has one kind, the first whose words it has.
    """
    found: dict[str, list[tuple[Span, str]]] = {}
    for span in trace.spans:
        if span.status != "error":
            continue
        text = f"{span.error_type or ''} {span.error_text or (span.tool.result if span.tool else span.text) or ''}"
        for kind, (pattern, _) in SAYS.items():
            if match := pattern.search(text[:TEXT_READ]):
                found.setdefault(kind, []).append((span, _line(text, match.start())))
                break
    return found


def _line(text: str, place: int) -> str:
    """Return the line at a place, cut at words where it is long."""
    start = text.rfind("\n", 0, place) + 1
    if place - start > QUOTE // 2:
        start = text.find(" ", place - QUOTE // 2, place) + 1 or place
    line = text[start:].split("\n", 1)[0]
    return " ".join((line if len(line) <= QUOTE else line[:QUOTE].rpartition(" ")[0] or line[:QUOTE]).split())


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRules:
    """Finds kinds of errors in a trace: by the texts of failed spans, and by what was called. No score.

    `goal_deviation` is looked for only where the case says that tools are needed, the system offered some, or the trace
    shows that the agent had a tool to give its answer with.
    """

    name: str = "error_rules"
    version: str = "1"
    tier: Tier = 3
    metrics: tuple[str, ...] = ()

    async def evaluate(self, run: Run, context: EvaluationContext) -> Evaluation:  # noqa: ARG002  the port hands it to all
        """Apply every rule."""
        if run.trace is None or not run.trace.spans:
            return silent(self, "not_measured", "the run has no trace", UNITS)
        findings = tuple(_findings(run, run.trace))
        kinds = len({finding.name for finding in findings})
        return Evaluation(measures=(Measure(name="error_kinds", value=kinds, unit="kinds"),), findings=findings)


def _findings(run: Run, trace: Trace) -> Iterator[Finding]:
    for kind, errors in errors_by_text(trace).items():
        first, quote = errors[0]
        more = f" ({len(errors)} times in all)" if len(errors) > 1 else ""
        sentence = f"{_what(first)} by {trace.agent_name(first.agent_id)} {SAYS[kind][1]}{more}: \u201c{quote}\u201d."
        finding = process_finding(f"{kind}_error", "warning", sentence, (span.id for span, _ in errors))
        yield finding.changed(evidence=Evidence(span_ids=finding.evidence.span_ids, quotes=(quote,)))
    for what, spans in resource_abuse(trace):
        yield process_finding("resource_abuse", "warning", f"{what}.", (span.id for span in spans))
    needs_tools = bool(run.case.needs_tools or run.system.tools_offered)
    if (answer := answer_without_tools(trace, needs_tools=needs_tools)) is not None:
        sentence = f"{trace.agent_name(answer.agent_id)} answered without using any of its tools."
        yield process_finding("goal_deviation", "warning", sentence, (answer.id,))


def _what(span: Span) -> str:
    return f"A call of {span.tool.name}" if span.tool is not None else f"\u201c{span.name}\u201d"
