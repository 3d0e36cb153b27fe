"""A trace: its steps under each other, one step with all that is known about it, or the traces of a file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from rich.console import Group
from rich.text import Text

from agents_eval_cli.views.page import columns, heading, pairs
from agents_eval_cli.views.run import whole_line
from agents_eval_core.report.trace_skeleton import SkeletonStep, agent_labels, shown_text
from agents_eval_core.report.wording import number
from agents_eval_core.trace import Outcome, Span, Trace

DEEPEST: Final = 20
FAILED: Final = "✗"


def trace_object(trace: Trace) -> dict[str, Any]:
    """Return what the JSON result says about a trace apart from its steps."""
    names = ("id", "source", "task_id", "group_id", "outcome", "clock", "agents", "annotations", "unread")
    return {**{name: msgspec.to_builtins(getattr(trace, name)) for name in names}, "spans": len(trace.spans)}


def span_object(span: Span) -> dict[str, Any]:
    """Return what the JSON result says about one span: everything."""
    return msgspec.to_builtins(span, enc_hook=str)


def skeleton_view(trace: Trace, figures: Mapping[str, Any], steps: Sequence[SkeletonStep], skipped: int) -> Group:
    """Return a trace's page: what it is, its agents, and a part of its steps."""
    width = max((len(step.id) for step in steps), default=1)
    lines = [_line(step, width) for step in steps]
    left = len(trace.spans) - skipped - len(steps)
    rest = f"{left} more steps: --skip {skipped + len(steps)} shows the next, --limit 0 all." if left > 0 else ""
    more = "--span ID shows a step whole." if steps else ""
    return Group(
        Text(shown_text(trace.id), style="bold"),
        pairs(*_facts(trace, figures)),
        heading("Steps" if not skipped else f"Steps after the first {skipped}"),
        *(lines or [Text("none")]),
        Text(f"\n{' '.join(filter(None, (rest, more)))}".rstrip()),
    )


def span_view(trace: Trace, span: Span) -> Group:
    """Return one step with its texts as they are."""
    texts = [("Arguments", _json(span.tool.arguments)), ("Result", span.tool.result)] if span.tool else []
    texts += [("Text", span.text), ("Error", span.error_text)]
    texts += [("Attributes", _json(span.attributes))] if span.attributes else []
    parts = [part for title, text in texts if text is not None for part in (heading(title), Text(_plain(text)))]
    return Group(Text(_plain(span.name), style="bold"), pairs(*_span_facts(trace, span)), *parts)


def trace_list_view(traces: Sequence[Mapping[str, Any]], total: int) -> Group:
    """Return the traces of a file as a table; of a folder, with their files instead of their tasks."""
    second = "file" if any("file" in trace for trace in traces) else "task_id"
    table = columns(
        "trace", second.removesuffix("_id"), "steps", "agents", "outcome", right=frozenset({"steps", "agents"})
    )
    table.columns[0].overflow = "fold"
    for trace in traces:
        table.add_row(
            Text(shown_text(str(trace["id"]))),
            Text(shown_text(str(trace[second] or "-"))),
            str(trace["spans"]),
            str(trace["agents"]),
            Text(str(trace["outcome"])),
        )
    rest = f" {len(traces)} of them are shown; --skip and --limit show others." if len(traces) < total else ""
    return Group(table, Text(f"\n{total} traces.{rest} --trace ID shows one."))


def outcome_words(outcome: Outcome | None) -> str:
    """Return what the source says about success.

    >>> outcome_words(Outcome(success=True, reward=1.0)), outcome_words(None)
    ('success, reward 1', 'not declared')
    """
    if outcome is None:
        return "not declared"
    told = {True: "success", False: "failure", None: ""}[outcome.success]
    reward = "" if outcome.reward is None else f"reward {number(outcome.reward)}"
    text = "" if outcome.text is None else shown_text(outcome.text, 40)
    return ", ".join(filter(None, (told, reward, text))) or "not declared"


def _facts(trace: Trace, figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "format", trace.source.format
    if trace.task_id is not None:
        yield "task", shown_text(trace.task_id)
    yield "outcome", outcome_words(trace.outcome)
    who = agent_labels(trace)
    yield "agents", ", ".join(f"{shown_text(who[one.id], 60)} ({one.role})" for one in trace.agents) or "none named"
    calls = f"{figures['tool_calls']} calls, {figures['failed_calls']} failed, {figures['delegations']} delegations"
    yield "steps", f"{len(trace.spans)}; {calls}"
    yield "tokens", f"{number(figures['input_tokens'])} in, {number(figures['output_tokens'])} out"
    yield "cost", "unknown" if figures["cost_usd"] is None else f"${figures['cost_usd']:.4f}"
    elapsed = trace.elapsed_seconds
    yield "time", f"{'unknown' if elapsed is None else f'{elapsed:.2f} s'} (clock: {trace.clock})"
    if trace.unread:
        yield "not understood", ", ".join(f"{count} {shown_text(kind, 60)}" for kind, count in trace.unread.items())


def _line(step: SkeletonStep, width: int) -> Text:
    mark = FAILED if step.status == "error" else " "
    who = f"{step.agent} " if step.agent and step.operation not in ("invoke_agent", "invoke_workflow") else ""
    parts = [f"{step.id:>{width}} {mark} {'  ' * min(step.depth, DEEPEST)}{who}{step.words}"]
    if step.input_tokens is not None or step.output_tokens is not None:
        total = " below" if step.is_total_of_steps_below else ""
        parts.append(f"[{number(step.input_tokens)} in, {number(step.output_tokens)} out{total}]")
    if step.seconds is not None:
        parts.append(f"[{step.seconds:.2f} s]")
    if step.status == "error":
        kind = f" {step.error_type}" if step.error_type else ""
        parts.append(f"failed{kind}{' (inferred)' if step.is_status_inferred else ''}")
    line = whole_line("  ".join(parts))
    line.stylize("red" if step.status == "error" else "")
    return line


def _span_facts(trace: Trace, span: Span) -> Iterator[tuple[str, str]]:
    yield "step", f"{span.id}, number {span.seq} of {len(trace.spans)}, {span.operation}"
    yield "part of", span.parent_id or "nothing"
    yield "parts", ", ".join(below.id for below in trace.children.get(span.id, ())) or "none"
    yield "agent", "not known" if span.agent_id is None else shown_text(span.agent_id)
    if span.to_agent_id is not None:
        yield "to", shown_text(span.to_agent_id)
    yield "status", f"{span.status}{f' ({span.error_type})' if span.error_type else ''}, {span.status_source}"
    if span.tool is not None:
        yield "tool", shown_text(f"{span.tool.name}{f', call {span.tool.call_id}' if span.tool.call_id else ''}")
    if span.model is not None:
        yield "model", shown_text(span.model)
    if span.usage is not None:
        told = (
            ("in", span.usage.input_tokens),
            ("out", span.usage.output_tokens),
            ("cached", span.usage.cached_tokens),
        )
        tokens = ", ".join(f"{number(value)} {name}" for name, value in told)
        cost = "" if span.usage.cost_usd is None else f", ${span.usage.cost_usd:.6f}"
        yield "usage", f"{tokens}{cost} ({'its own' if span.usage.scope == 'self' else 'all below'})"
    yield "time", f"{span.started_at or 'unknown'} to {span.ended_at or 'unknown'}"


def _json(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=2).decode()


def _plain(text: str) -> str:
    """Return an untrusted text with its lines, without characters that a terminal would act on."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
