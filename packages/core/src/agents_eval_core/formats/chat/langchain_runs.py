"""Runs as LangChain's tracer and LangSmith have them: a tree of chains, model calls, tools and retrievers.

The topmost chain of a trace is an `invoke_workflow`. A chain is an `invoke_agent` if it is LangChain's `AgentExecutor`,
a graph, or a subgraph under its own name (what `lc_agent_name` says), else `other`. Token counts of chains are sums
over what is below and stay attributes; usage is that of the model calls. Errors and endings are declared.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.formats.building.failure_text import error_type_in
from agents_eval_core.formats.building.span_draft import SpanDraft, trace_of_drafts
from agents_eval_core.formats.building.unix_time import nanoseconds_of
from agents_eval_core.formats.chat.chat_messages import usage_of
from agents_eval_core.formats.chat.content_parts import result_of, text_of
from agents_eval_core.formats.chat.langchain_messages import plain_message, usage_of_message
from agents_eval_core.formats.json_text.json_values import (
    as_count,
    as_list,
    as_moment,
    as_record,
    as_text,
    parsed,
    shortened,
)
from agents_eval_core.trace import Annotation, Operation, Source, Span, Status, ToolUse, Trace, Usage

OPERATIONS: Final[Mapping[str, Operation]] = {"llm": "chat", "tool": "execute_tool", "retriever": "retrieval"}
TYPES: Final = ("chain", "llm", "tool", "retriever", "embedding", "prompt", "parser")
LABELS: Final = ("feedback_stats", "reference_example_id")
AGENT_CHAINS: Final = ("AgentExecutor", "LangGraph")
DEEPEST: Final = 500
USED: Final = frozenset(
    (
        "id", "name", "run_type", "inputs", "outputs", "start_time", "end_time", "parent_run_id", "error", "trace_id",
        "child_runs", "child_run_ids", "serialized", "events", "status", *LABELS,
    )
)  # fmt: skip


def is_run(value: Any) -> bool:
    """Whether a value is a run.

    >>> is_run({"run_type": "llm", "id": "r", "name": "ChatOpenAI"})
    True
    """
    run = as_record(value)
    return run.get("run_type") in TYPES and "id" in run and "name" in run


def traces_of_runs(
    values: Iterator[Any], source: Source, longest_text: int | None, miss: Callable[[str, str], None]
) -> Iterator[Trace]:
    """Yield the traces that some runs make, in the order in which they are first seen."""
    drafts: dict[str, dict[str, SpanDraft]] = {}
    labels: dict[str, list[Annotation]] = {}
    for number, value in enumerate(values):
        for run, parent, top in _flat(value):
            if not is_run(run):
                miss("entry that is no run", f"entry {number}")
                continue
            draft = _draft(run, parent, longest_text)
            trace_id = as_text(run.get("trace_id")) or top
            labels.setdefault(trace_id, []).extend(_labels(run))
            known = drafts.setdefault(trace_id, {})
            if draft.span.id in known:
                miss("repeated run", f"entry {number}")
            known[draft.span.id] = draft
    for trace_id, found in drafts.items():
        trace = trace_of_drafts(trace_id, list(found.values()), source, unread={})
        yield replace(trace, annotations=tuple(labels[trace_id]))


def _flat(value: Any) -> Iterator[tuple[dict[str, Any], str | None, str]]:
    """Yield a run and all below it with their parents and the id at the top."""
    top = str(as_record(value).get("id"))
    waiting: list[tuple[Any, str | None, int]] = [(value, None, 0)]
    while waiting:
        one, parent, depth = waiting.pop()
        run = as_record(one)
        yield run, as_text(run.get("parent_run_id")) or parent, top
        if depth < DEEPEST:
            waiting += [(child, str(run.get("id")), depth + 1) for child in reversed(as_list(run.get("child_runs")))]


def _draft(run: Mapping[str, Any], parent: str | None, longest_text: int | None) -> SpanDraft:
    agent = _agent_name(run, parent)
    operation = _operation(run, parent, agent)
    started, ended = as_moment(run.get("start_time")), as_moment(run.get("end_time"))
    status, error = _status(run, ended)
    span = Span(
        id=str(run["id"]),
        seq=0,
        operation=operation,
        name=as_text(run.get("name")) or operation,
        parent_id=parent,
        started_at=started,
        ended_at=ended,
        status=status,
        error_type=error_type_in(error) if error else None,
        error_text=error[:2000] if error else None,
        tool=_tool(run) if operation == "execute_tool" else None,
        model=_model(run) if operation == "chat" else None,
        usage=_usage(run) if operation == "chat" else None,
        text=_text(run) if operation == "chat" else None,
        source_span_ids=(str(run["id"]),),
        attributes={key: value for key, value in run.items() if key not in USED and value not in (None, {}, [])},
    )
    return SpanDraft(
        span=cut_span(span, longest_text),
        started=None if started is None else nanoseconds_of(started),
        agent_name=agent,
    )


def _labels(run: Mapping[str, Any]) -> Iterator[Annotation]:
    for name in LABELS:
        if run.get(name):
            yield Annotation(name=name, value=shortened(run[name], None, {}, name), span_id=str(run["id"]))


def _operation(run: Mapping[str, Any], parent: str | None, agent: str | None) -> Operation:
    if run.get("run_type") != "chain":
        return OPERATIONS.get(str(run.get("run_type")), "other")
    if agent is not None:
        return "invoke_agent"
    return "invoke_workflow" if parent is None else "other"


def _agent_name(run: Mapping[str, Any], parent: str | None) -> str | None:
    if run.get("run_type") != "chain":
        return None
    metadata = as_record(as_record(run.get("extra")).get("metadata"))
    name, told = as_text(run.get("name")), as_text(metadata.get("lc_agent_name"))
    if told is not None and told == name:
        return told
    return name if name in AGENT_CHAINS and (parent is not None or name == AGENT_CHAINS[0]) else None


def _status(run: Mapping[str, Any], ended: datetime | None) -> tuple[Status, str | None]:
    error = as_text(run.get("error"))
    if error is not None or run.get("status") == "error":
        return "error", error
    return ("ok" if ended is not None else "unknown"), None


def _tool(run: Mapping[str, Any]) -> ToolUse:
    inputs, outputs = as_record(run.get("inputs")), as_record(run.get("outputs"))
    output = outputs.get("output", run.get("outputs"))
    message = plain_message(output) or {}
    content = message.get("content", output) if message else output
    asked = inputs.get("input", inputs)
    return ToolUse(
        name=as_text(run.get("name")) or "?",
        call_id=as_text(message.get("tool_call_id")),
        arguments=parsed(asked) if asked else None,
        result=result_of(content),
    )


def _generation(run: Mapping[str, Any]) -> dict[str, Any]:
    generations = as_list(as_record(run.get("outputs")).get("generations"))
    first = generations[0] if generations else None
    return as_record(next(iter(as_list(first)), None)) if isinstance(first, list) else as_record(first)


def _message(run: Mapping[str, Any]) -> dict[str, Any]:
    return plain_message(_generation(run).get("message")) or {}


def _text(run: Mapping[str, Any]) -> str | None:
    return text_of(_generation(run).get("text")) or text_of(_message(run).get("content"))


def _usage(run: Mapping[str, Any]) -> Usage | None:
    """Return the usage of a model call: what its message says, else what the provider said, else LangSmith's count."""
    told = usage_of_message(_message(run))
    if told is not None:
        return told
    output = as_record(as_record(run.get("outputs")).get("llm_output"))
    return usage_of(output.get("token_usage")) or usage_of(
        {key: as_count(run.get(key)) for key in ("prompt_tokens", "completion_tokens")}
    )


def _model(run: Mapping[str, Any]) -> str | None:
    about = as_record(_message(run).get("response_metadata"))
    metadata = as_record(as_record(run.get("extra")).get("metadata"))
    found = (about.get("model_name"), about.get("model"), metadata.get("ls_model_name"))
    return next((name for name in found if isinstance(name, str) and name), None)
