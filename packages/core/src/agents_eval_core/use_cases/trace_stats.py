"""What is in trace files, counted: one row a file, also for those that hold no trace."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from pydantic import Field

from agents_eval_core.errors import UnreadableError
from agents_eval_core.frozen import Frozen
from agents_eval_core.resources import declared_total
from agents_eval_core.trace import Span, Trace, Usage
from agents_eval_core.trace_source import read_traces
from agents_eval_core.use_cases.trace_files import trace_files

FIGURES: Final = ("input_tokens", "output_tokens", "cached_tokens", "cost_usd")


class FileStats(Frozen):
    """The row of one file or folder.

    Attributes:
        format: None where no format recognises it.
        agents: Over all traces, also users and environments; `roles` has them by role.
        spans: Number by operation.
        tool_calls: All calls, those that delegate among them.
        failed_calls: Those of which the status is `error`.
        delegations: Hand-offs, and calls that gave work to another agent.
        input_tokens: Each token once; None where nothing is known. It is the total that the trace declares, else the
            sum over its steps, which is a lower bound where `requests_without_usage` is not 0. The same holds for the
            other sums.
        unread: What the reader did not understand, by kind.
        reason: Why it holds no trace that can be read; None where it does.
        part_of: The file together with which it is read; its figures are there.
    """

    path: Path
    format: str | None = None
    traces: int = 0
    agents: int = 0
    roles: dict[str, int] = Field(default_factory=dict[str, int])
    spans: dict[str, int] = Field(default_factory=dict[str, int])
    tool_calls: int = 0
    failed_calls: int = 0
    delegations: int = 0
    requests_without_usage: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    unread: dict[str, int] = Field(default_factory=dict[str, int])
    reason: str | None = None
    part_of: Path | None = None


def trace_stats(sources: Sequence[Path], *, trace_format: str | None = None) -> Iterator[FileStats]:
    """Yield a row for every file, in the order of their paths; folders are walked.

    Args:
        sources: Files and folders.
        trace_format: By default each file's is recognised by its content.

    Raises:
        UsageError: There is no such file or folder.
        UnknownNameError: There is no format of that name.
    """
    for path, name, reason, part_of in trace_files(sources, trace_format=trace_format):
        if name is None or part_of is not None:
            yield FileStats(path=path, part_of=part_of, reason=reason)
        else:
            yield file_stats(path, name)


def file_stats(path: Path, trace_format: str) -> FileStats:
    """Return the row of a file in a known format; one that cannot be read says why."""
    try:
        return FileStats(path=path, format=trace_format, **counted(read_traces(path, trace_format)))
    except UnreadableError as problem:
        return FileStats(path=path, format=trace_format, reason=str(problem))


def counted(traces: Iterable[Trace]) -> dict[str, Any]:
    """Return the figures of some traces together.

    >>> from agents_eval_core.trace import Source, ToolUse
    >>> call = Span(id="a", seq=0, operation="execute_tool", name="read", status="error", tool=ToolUse(name="read"))
    >>> figures = counted([Trace(id="t", source=Source(format="native"), spans=(call,))])
    >>> figures["tool_calls"], figures["failed_calls"], figures["input_tokens"]
    (1, 1, None)
    """
    numbers: Counter[str] = Counter()
    roles: Counter[str] = Counter()
    spans: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    sums: dict[str, Any] = dict.fromkeys(FIGURES)
    for trace in traces:
        numbers["traces"] += 1
        numbers["agents"] += len(trace.agents)
        roles.update(agent.role for agent in trace.agents)
        spans.update(span.operation for span in trace.spans)
        unread.update(trace.unread)
        numbers.update(_calls(trace.spans))
        _add(sums, taken(trace))
    shown = ("traces", "agents", "tool_calls", "failed_calls", "delegations", "requests_without_usage")
    by_kind = {"roles": dict(sorted(roles.items())), "spans": dict(sorted(spans.items())), "unread": dict(unread)}
    return {**{name: numbers[name] for name in shown}, **by_kind, **sums}


def taken(trace: Trace) -> Usage:
    """Return what a trace took: its declared total, and for what that does not say the sum over its steps.

    >>> from agents_eval_core.trace import Source
    >>> total = Usage(input_tokens=9, scope="subtree")
    >>> run = Span(id="a", seq=0, operation="invoke_workflow", name="run", usage=total)
    >>> own = Usage(input_tokens=7, output_tokens=2)
    >>> chat = Span(id="b", seq=1, operation="chat", name="chat", parent_id="a", usage=own)
    >>> took = taken(Trace(id="t", source=Source(format="native"), spans=(run, chat)))
    >>> took.input_tokens, took.output_tokens
    (9, 2)
    """
    sums: dict[str, Any] = {}
    for usage in usages(trace):
        _add(sums, usage)
    declared = msgspec.structs.asdict(declared_total(trace) or Usage())
    known: dict[str, Any] = {name: value for name, value in declared.items() if name in FIGURES and value is not None}
    return Usage(**(sums | known))


def usages(trace: Trace) -> list[Usage]:
    """Return the usage of steps such that each token is in it once.

    What the spans used themselves counts; what a span says about all below it counts only where nothing below it is
    known, and of such spans the topmost.
    """
    own = [span for span in trace.spans if span.usage is not None and span.usage.scope == "self"]
    totals = {span.id for span in trace.spans if span.usage is not None and span.usage.scope == "subtree"}
    if not totals:
        return [span.usage for span in own if span.usage is not None]
    covered = {above.id for span in own for above in trace.ancestors(span)} | {span.id for span in own}
    topmost = [
        span
        for span in trace.spans
        if span.id in totals
        and span.id not in covered
        and not any(above.id in totals and above.id not in covered for above in trace.ancestors(span))
    ]
    return [span.usage for span in (*own, *topmost) if span.usage is not None]


def _calls(spans: Iterable[Span]) -> Counter[str]:
    found: Counter[str] = Counter()
    for span in spans:
        found["tool_calls"] += span.operation == "execute_tool"
        found["failed_calls"] += span.operation == "execute_tool" and span.status == "error"
        found["delegations"] += span.is_delegation
        found["requests_without_usage"] += span.operation == "chat" and span.usage is None
    return found


def _add(sums: dict[str, Any], usage: Usage) -> None:
    for name in FIGURES:
        value = getattr(usage, name)
        if value is not None:
            sums[name] = value + (sums.get(name) or 0)
