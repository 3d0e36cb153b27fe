"""The trace format `agents_eval_mas`: what the public Agents-eval's own team of agents left behind (`trace.json`)."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from agents_eval_core.formats.building.first_bytes import first_bytes
from agents_eval_core.formats.building.trace_builder import TraceBuilder
from agents_eval_core.formats.building.unix_time import EPOCH
from agents_eval_core.formats.json_text.json_document import JsonDocument
from agents_eval_core.formats.json_text.json_outline import outline
from agents_eval_core.formats.json_text.json_values import as_number, as_text
from agents_eval_core.formats.json_text.small_record import small_record
from agents_eval_core.trace import Annotation, Status, ToolUse, Trace

TRACE_FILE: Final = "trace.json"
SCORES_FILE: Final = "evaluation.json"
METADATA_FILE: Final = "metadata.json"
DELEGATING: Final = "delegate_"


class Call(Struct):
    """A tool call; `timestamp` is when it ended, in seconds of a monotonic clock."""

    tool_name: str
    success: Any = None
    duration: Any = None
    context: Any = None
    timestamp: Any = None
    agent_id: str = "?"

    @property
    def ended(self) -> float | None:
        """When it ended."""
        return as_number(self.timestamp)

    @property
    def started(self) -> float | None:
        """When it began: its duration before it ended."""
        taken = as_number(self.duration)
        return None if self.ended is None or taken is None or taken < 0 else self.ended - taken


class Interaction(Struct, rename={"sender": "from", "kind": "type"}):
    """One agent turning to another."""

    sender: str
    to: str
    kind: Any = None
    query: Any = None
    task_type: Any = None


class AgentsEvalMasFormat:
    """Reads the trace of one execution, alone or in its folder.

    Calls are written when they end, so a delegation stands after what its delegate did; here they are in the order in
    which they began. A delegation is in the file three times: as a call `delegate_…`, as an interaction and as a
    coordination event. It becomes one call with its delegate, and what the delegate did within that time lies beneath.
    The times are those of a monotonic clock. Scores that the old evaluation left beside it become annotations.
    """

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "agents_eval_mas"

    def recognises(self, source: Path, head: bytes) -> bool:
        """Whether a file, or the `trace.json` in a folder, has the keys of such a trace.

        >>> AgentsEvalMasFormat().recognises(Path("any"), b'{"execution_id": "e", "agent_interactions": [')
        True
        """
        if not head:
            head = first_bytes(source / TRACE_FILE)
        if head.lstrip()[:1] != b"{" or b'"execution_id"' not in head:
            return False
        return {"execution_id", "agent_interactions"} <= outline(head)

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield the trace of a file or of a run's folder.

        Raises:
            UnreadableError: The file cannot be read, or is no such trace.
        """
        path = source / TRACE_FILE if source.is_dir() else source
        document = JsonDocument(path, self.name)
        execution = as_text(document.value("execution_id"))
        if execution is None:
            raise document.refusal("it has no execution_id" if "tool_calls" in document else "")
        calls = list(document.elements("tool_calls", Call, "tool call"))
        interactions = list(document.elements("agent_interactions", Interaction, "interaction"))
        builder = TraceBuilder(document.source, longest_text=longest_text)
        _fill(builder, document, calls, interactions)
        papers = (_paper(call.context) for call in calls)
        yield builder.trace(
            execution,
            clock="monotonic",
            task_id=next((paper for paper in papers if paper), None),
            annotations=_old_scores(path.with_name(SCORES_FILE)) if path.name == TRACE_FILE else (),
            unread=document.unread + builder.unread,
        )

    def parts(self, source: Path) -> tuple[Path, ...]:
        """Return what the run left beside its trace: the old scores and a note of how it was started."""
        beside = (source.with_name(name) for name in (SCORES_FILE, METADATA_FILE))
        return tuple(path for path in beside if source.name == TRACE_FILE and path.exists())


def _fill(
    builder: TraceBuilder, document: JsonDocument, calls: Sequence[Call], interactions: Sequence[Interaction]
) -> None:
    ordered = sorted(calls, key=lambda call: (call.started is None, call.started or 0.0, -(call.ended or 0.0)))
    pairs, left = _paired(ordered, interactions)
    root = builder.add(
        "invoke_workflow",
        "invoke_workflow agents-eval",
        started_at=_moment(as_number(document.value("start_time"))),
        ended_at=_moment(as_number(document.value("end_time"))),
        attributes={"performance_metrics": document.value("performance_metrics")},
    )
    running: list[tuple[Call, str, str]] = []
    for interaction in left:
        _handoff(builder, interaction, root)
    for call in ordered:
        interaction = pairs.get(id(call))
        if interaction is not None:
            running.append((call, _delegation(builder, call, interaction, _above(running, call, root)), interaction.to))
        else:
            _call(builder, call, _above(running, call, root))
    events = sum(1 for _ in document.elements("coordination_events", dict[str, Any], "coordination event"))
    if events > len(interactions):
        builder.unread["coordination event without interaction"] += events - len(interactions)


def _paired(ordered: Sequence[Call], interactions: Sequence[Interaction]) -> tuple[dict[int, Interaction], list[Any]]:
    """Return the interaction of each delegating call: of the same agent and kind of task, in their order."""
    left = list(interactions)
    pairs: dict[int, Interaction] = {}
    for call in ordered:
        if not call.tool_name.startswith(DELEGATING):
            continue
        task = call.tool_name.removeprefix(DELEGATING)
        own = [one for one in left if one.sender == call.agent_id]
        same = [one for one in own if one.task_type == task] or own
        if same:
            pairs[id(call)] = same[0]
            left = [one for one in left if one is not same[0]]
    return pairs, left


def _above(running: Sequence[tuple[Call, str, str]], call: Call, root: str) -> str:
    """Return under which span a call lies: the latest invocation of its agent that it began and ended in."""
    for delegation, span_id, delegate in reversed(running):
        if delegate == call.agent_id and _within(call, delegation):
            return span_id
    return root


def _within(call: Call, outer: Call) -> bool:
    began, ended = outer.started, outer.ended
    return began is not None and ended is not None and call.ended is not None and began <= call.ended <= ended


def _delegation(builder: TraceBuilder, call: Call, interaction: Interaction, above: str) -> str:
    delegate = builder.agent(interaction.to)
    sender = _call(builder, call, above, delegate, interaction)
    builder.lead(builder.span(sender).agent_id)
    return builder.add(
        "invoke_agent",
        f"invoke_agent {interaction.to}",
        parent_id=sender,
        agent_id=delegate,
        started_at=_moment(call.started),
        ended_at=_moment(call.ended),
        status=_status(call),
    )


def _call(
    builder: TraceBuilder, call: Call, above: str, delegate: str | None = None, interaction: Interaction | None = None
) -> str:
    arguments: Any = as_text(call.context)
    if interaction is not None:
        arguments = {"query": interaction.query, "task_type": interaction.task_type}
    status = _status(call)
    return builder.add(
        "execute_tool",
        f"execute_tool {call.tool_name}",
        parent_id=above,
        agent_id=builder.agent(call.agent_id),
        to_agent_id=delegate,
        started_at=_moment(call.started),
        ended_at=_moment(call.ended),
        status=status,
        error_type="ToolError" if status == "error" else None,
        tool=ToolUse(name=call.tool_name, arguments=arguments),
    )


def _handoff(builder: TraceBuilder, interaction: Interaction, root: str) -> None:
    sender, receiver = builder.agent(interaction.sender), builder.agent(interaction.to)
    delegates = interaction.kind == "delegation"
    if delegates:
        builder.lead(sender)
    builder.add(
        "handoff" if delegates else "message",
        f"{as_text(interaction.kind) or 'interaction'} to {interaction.to}",
        parent_id=root,
        agent_id=sender,
        to_agent_id=receiver,
        text=as_text(interaction.query),
        attributes={"task_type": interaction.task_type},
    )


def _status(call: Call) -> Status:
    return "unknown" if not isinstance(call.success, bool) else "ok" if call.success else "error"


def _moment(seconds: float | None) -> datetime | None:
    try:
        return None if seconds is None else EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return None


def _paper(context: Any) -> str | None:
    parts = (as_text(context) or "").split(",")
    return next((part.partition("=")[2] for part in parts if part.startswith("paper_id=")), None)


def _old_scores(path: Path) -> tuple[Annotation, ...]:
    scores = small_record(path)
    names = ("composite_score", "recommendation", "tier1_score", "tier2_score", "tier3_score")
    return tuple(
        Annotation(name=name, value=scores[name], by="agents-eval") for name in names if scores.get(name) is not None
    )
