"""A trace: the agents of one run and what they did, whatever format it came in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field

if TYPE_CHECKING:
    import networkx

Role = Literal["worker", "orchestrator", "user", "environment", "system"]
Operation = Literal[
    "invoke_workflow", "invoke_agent", "chat", "execute_tool", "handoff", "message", "retrieval", "plan", "other"
]
Status = Literal["ok", "error", "unknown"]
Clock = Literal["wall", "monotonic", "none"]


class Agent(Struct, frozen=True, kw_only=True):
    """Somebody who acts in a trace. The id tells agents apart; names collide."""

    id: str
    name: str
    role: Role = "worker"


class ToolUse(Struct, frozen=True, kw_only=True, gc=False):
    """A tool call: what was called, with what, and what came back.

    `arguments` is the parsed JSON value where the source gave JSON, else the text as it was.
    """

    name: str
    call_id: str | None = None
    arguments: Any = None
    result: str | None = None


class Usage(Struct, frozen=True, kw_only=True, gc=False):
    """Tokens and cost in US dollars; `scope` says whether children are included. None is unknown, not zero.

    As in OpenTelemetry, `input_tokens` are all that were read, `cached_tokens` the part of them that came from a cache.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    scope: Literal["self", "subtree"] = "self"


class Span(Struct, frozen=True, kw_only=True, gc=False):
    """One thing an agent did; what it holds is JSON, which has no cycles for a collector to look for.

    Attributes:
        seq: Order of beginning within the trace, from 0.
        agent_id: Who did it; for `invoke_agent`, the agent that was invoked.
        status_source: Whether the source declared the status or the reader inferred it from text.
        to_agent_id: Who received it: the receiver of a hand-off or message, the delegate of a delegating tool call.
        source_span_ids: The ids of the source's records that became this span.
        attributes: What the source said beyond these fields, kept as it was.
    """

    id: str
    seq: int
    operation: Operation
    name: str
    parent_id: str | None = None
    agent_id: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    status: Status = "unknown"
    status_source: Literal["declared", "inferred"] = "declared"
    error_type: str | None = None
    error_text: str | None = None
    tool: ToolUse | None = None
    to_agent_id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    text: str | None = None
    source_span_ids: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def is_delegation(self) -> bool:
        """Whether this hands work to another agent."""
        return self.to_agent_id is not None and self.operation in ("handoff", "execute_tool")

    @property
    def seconds(self) -> float | None:
        """Duration on the trace's own clock, or None where the source gave no times."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds()


class Source(Struct, frozen=True, kw_only=True):
    """Where a trace came from: the format, the file, and the digest (SHA-256) of its bytes."""

    format: str
    path: str | None = None
    digest: str | None = None


class Outcome(Struct, frozen=True, kw_only=True):
    """What the source itself declares about success; `reward` as the source scaled it."""

    success: bool | None = None
    reward: float | None = None
    text: str | None = None


class Annotation(Struct, frozen=True, kw_only=True):
    """A label that travels with a data set: what somebody said about a trace or one of its spans.

    It is never part of the spans' texts, so that no judge can see it.
    """

    name: str
    value: Any
    span_id: str | None = None
    by: str | None = None


class Trace(Struct, frozen=True, kw_only=True, dict=True):
    """The agents and spans of one run, in the order in which the spans began.

    Attributes:
        annotations: Labels of the data set it comes from.
        unread: What the reader did not understand, as kind and count.

    >>> trace = Trace(id="t", source=Source(format="native"), spans=(
    ...     Span(id="a", seq=0, operation="invoke_agent", name="invoke_agent manager", agent_id="m"),
    ...     Span(id="b", seq=1, operation="chat", name="chat", parent_id="a", agent_id="m")),
    ...     agents=(Agent(id="m", name="manager"),))
    >>> [span.id for span in trace.ancestors(trace.spans[1])]
    ['a']
    """

    id: str
    source: Source
    spans: tuple[Span, ...] = ()
    agents: tuple[Agent, ...] = ()
    clock: Clock = "wall"
    task_id: str | None = None
    group_id: str | None = None
    outcome: Outcome | None = None
    annotations: tuple[Annotation, ...] = ()
    unread: Mapping[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def span_by_id(self) -> Mapping[str, Span]:
        """The spans by their ids."""
        return {span.id: span for span in self.spans}

    @cached_property
    def agent_by_id(self) -> Mapping[str, Agent]:
        """The agents by their ids."""
        return {agent.id: agent for agent in self.agents}

    @cached_property
    def children(self) -> Mapping[str | None, tuple[Span, ...]]:
        """The spans under each span id; under None, those without a known parent."""
        gathered: dict[str | None, list[Span]] = {}
        for span in self.spans:
            parent = span.parent_id if span.parent_id in self.span_by_id else None
            gathered.setdefault(parent, []).append(span)
        return {parent: tuple(spans) for parent, spans in gathered.items()}

    def ancestors(self, span: Span) -> Iterator[Span]:
        """Yield the spans above one, nearest first; a cycle in the source ends the walk."""
        seen = {span.id}
        while span.parent_id is not None and span.parent_id not in seen:
            parent = self.span_by_id.get(span.parent_id)
            if parent is None:
                return
            seen.add(parent.id)
            yield parent
            span = parent

    def agent_name(self, agent_id: str | None) -> str:
        """Return the name of an agent, or its id where it has none; '?' for nobody."""
        if agent_id is None:
            return "?"
        agent = self.agent_by_id.get(agent_id)
        return agent.name if agent else agent_id

    @property
    def elapsed_seconds(self) -> float | None:
        """Time from the first beginning to the last end on the trace's own clock, or None without one."""
        starts = [span.started_at for span in self.spans if span.started_at is not None]
        ends = [span.ended_at for span in self.spans if span.ended_at is not None]
        if self.clock == "none" or not starts or not ends:
            return None
        return (max(ends) - min(starts)).total_seconds()

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """Return the graph of agents and tools.

        Nodes are `agent:<id>` and `tool:<name>` with attributes `kind` and `label`; edges are `delegates`, `handoff`,
        `message` and `calls`, each with its `span_id`, `seq` and `status`.
        """
        from agents_eval_core.interaction_graph import interaction_graph  # noqa: PLC0415  networkx costs 0.5 s to load

        return interaction_graph(self)
