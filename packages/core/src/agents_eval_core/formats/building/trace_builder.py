"""A trace in the making, from a log that tells what happened in order."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.trace import Agent, Annotation, Clock, Operation, Outcome, Role, Source, Span, Trace


class TraceBuilder:
    """Gathers agents and spans; a span's place in the order is its id.

    >>> builder = TraceBuilder(Source(format="native"))
    >>> who = builder.agent("writer")
    >>> _ = builder.add("chat", "chat", agent_id=who, text="Hello.")
    >>> trace = builder.trace("t", clock="none")
    >>> trace.spans[0].id, trace.agents[0].name
    ('0', 'writer')
    """

    def __init__(self, source: Source, *, longest_text: int | None = None) -> None:
        self._source = source
        self._longest = longest_text
        self._spans: list[Span] = []
        self._agents: dict[str, Agent] = {}
        self._taken: set[str] = set()
        self.unread: Counter[str] = Counter()

    def agent(self, name: str, *, role: Role = "worker", key: str | None = None) -> str:
        """Return the id of an agent; another key makes another agent, even of the same name."""
        key = f"{role} {name}" if key is None else key
        if key not in self._agents:
            numbered = (f"{name}#{number}" for number in range(2, len(self._taken) + 3))
            agent_id = name if name not in self._taken else next(one for one in numbered if one not in self._taken)
            self._taken.add(agent_id)
            self._agents[key] = Agent(id=agent_id, name=name, role=role)
        return self._agents[key].id

    def lead(self, agent_id: str | None) -> None:
        """Take note that a worker hands work to others."""
        for key, agent in self._agents.items():
            if agent.id == agent_id and agent.role == "worker":
                self._agents[key] = replace(agent, role="orchestrator")

    def add(self, operation: Operation, name: str, **fields: Any) -> str:
        """Add the next span and return its id."""
        span_id = str(len(self._spans))
        span = Span(id=span_id, seq=len(self._spans), operation=operation, name=name, **fields)
        self._spans.append(cut_span(span, self._longest))
        return span_id

    def change(self, span_id: str, **fields: Any) -> None:
        """Say more about a span."""
        self._spans[int(span_id)] = cut_span(replace(self._spans[int(span_id)], **fields), self._longest)

    def spans(self) -> tuple[Span, ...]:
        """Return the spans as they are known so far."""
        return tuple(self._spans)

    def span(self, span_id: str) -> Span:
        """Return a span as it is known so far."""
        return self._spans[int(span_id)]

    def __len__(self) -> int:
        return len(self._spans)

    def trace(
        self,
        trace_id: str,
        *,
        clock: Clock,
        task_id: str | None = None,
        group_id: str | None = None,
        outcome: Outcome | None = None,
        annotations: tuple[Annotation, ...] = (),
        unread: Mapping[str, int] | None = None,
    ) -> Trace:
        """Return the trace."""
        timed = any(span.started_at is not None or span.ended_at is not None for span in self._spans)
        return Trace(
            id=trace_id,
            source=self._source,
            spans=tuple(self._spans),
            agents=tuple(self._agents.values()),
            clock=clock if timed else "none",
            task_id=task_id,
            group_id=group_id,
            outcome=outcome,
            annotations=annotations,
            unread=dict(self.unread + Counter(unread or {})),
        )
