"""What is in trace files, counted: one row a file, also for those that hold no trace."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from pydantic import Field

from agents_eval_core import registry
from agents_eval_core.content_kind import content_kind
from agents_eval_core.errors import UnreadableError, UsageError
from agents_eval_core.frozen import Frozen
from agents_eval_core.ports import CompoundFormat
from agents_eval_core.resources import declared_total
from agents_eval_core.trace import Span, Trace, Usage
from agents_eval_core.trace_source import read_traces, recognised

Recognition: TypeAlias = tuple[str | None, str | None]
"""The name of the format, or why there is none."""

FIGURES: Final = ("input_tokens", "output_tokens", "cached_tokens", "cost_usd")


class TraceFile(NamedTuple):
    """A file or folder: its format or why it has none, and the file together with which it is read."""

    path: Path
    trace_format: str | None
    reason: str | None
    part_of: Path | None


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


def trace_files(sources: Sequence[Path], *, trace_format: str | None = None) -> Iterator[TraceFile]:
    """Yield every file of some files and folders, in the order of their paths, and what format it has.

    Args:
        sources: Files and folders.
        trace_format: By default each file's is recognised by its content.

    Raises:
        UsageError: There is no such file or folder.
        UnknownNameError: There is no format of that name.
    """
    for source in sources:
        if not source.exists():
            raise UsageError(f"there is no file or folder {source}; give trace files or folders of them")
    if trace_format is not None:
        registry.trace_format(trace_format)
    recognitions = {path: _recognition(path, trace_format) for path in _paths(sources)}
    parts = _parts(recognitions)
    for path, (name, reason) in recognitions.items():
        if path in parts:
            yield TraceFile(path, name, f"it is read as part of {parts[path].name}", parts[path])
        elif name is not None or not path.is_dir():
            yield TraceFile(path, name, reason, None)


def is_folder_of_files(path: Path, trace_format: str | None = None) -> bool:
    """Whether a path is a folder that is no trace itself but has files with traces in it."""
    if not path.is_dir() or _is_trace_itself(path, trace_format):
        return False
    files = (one for one in _paths([path]) if one.is_file())
    return any(_recognition(one, trace_format)[0] is not None for one in files)


def readable_files(folder: Path, trace_format: str | None, unread: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield what can be read below a folder, with its format; why other files cannot goes to `unread`.

    A file that is read along with another is not yielded again.
    """
    recognitions = {path: _recognition(path, trace_format) for path in _paths([folder])}
    parts = _parts(recognitions)
    for path, (name, reason) in recognitions.items():
        if name is not None and path not in parts:
            yield path, name
        elif reason is not None and path not in parts:
            unread.append(f"{path}: {reason}")


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


def _paths(sources: Iterable[Path]) -> Iterator[Path]:
    """Yield the files of the sources and the folders they are in."""
    for source in sources:
        if not source.is_dir():
            yield source
            continue
        for place, folders, files in os.walk(source):
            folders.sort()
            yield Path(place)
            yield from (Path(place) / name for name in sorted(files))


def _recognition(path: Path, trace_format: str | None) -> Recognition:
    if path.is_dir():
        return _folder_recognition(path, trace_format)
    if not path.is_file():
        return None, "it is no regular file"
    if trace_format is not None:
        return trace_format, None
    try:
        return recognised(path).name, None
    except UnreadableError:
        return None, content_kind(path)


def _folder_recognition(folder: Path, trace_format: str | None) -> Recognition:
    """Return the format of a folder that is a trace as a whole only: of its files, none has that format alone."""
    try:
        reader = registry.trace_format(trace_format) if trace_format else recognised(folder)
    except UnreadableError:
        return None, None
    if trace_format is not None and not reader.recognises(folder, b""):
        return None, None
    files = (path for path in folder.rglob("*") if path.is_file())
    alone = any(_recognition(path, None)[0] == reader.name for path in files)
    return (None, None) if alone else (reader.name, None)


def _is_trace_itself(folder: Path, trace_format: str | None) -> bool:
    try:
        reader = registry.trace_format(trace_format) if trace_format else recognised(folder)
    except UnreadableError:
        return False
    return trace_format is None or reader.recognises(folder, b"")


def _parts(recognitions: Mapping[Path, Recognition]) -> Mapping[Path, Path]:
    """Return the files that are read along with others, and with which."""
    parts: dict[Path, Path] = {}
    for path, (name, _) in recognitions.items():
        if name is None or path in parts:
            continue
        reader = registry.trace_format(name)
        if path.is_dir():
            beside = [one for one in recognitions if path in one.parents and recognitions[one][0] is None]
        else:
            beside = [*reader.parts(path)] if isinstance(reader, CompoundFormat) else []
        for part in beside:
            if part in recognitions and part != path and not part.is_dir():
                parts.setdefault(part, path)
    return parts
