"""Spans before they know their order and their agents, and the trace that many of them make."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

from agents_eval_core.formats.building.agent_positions import AgentPositions
from agents_eval_core.trace import Clock, Role, Source, Span, Trace

PLACEHOLDERS_END: Final = 86400 * 10**9
"""Times of the first day of 1970 are counters that a test put in place of times."""


class SpanDraft(Struct, frozen=True, kw_only=True):
    """What a convention makes of one record.

    Attributes:
        span: The span without its order, its agent and its delegate; nobody else has it yet.
        started: Nanoseconds since 1970, finer than the span's own time.
        agent_name: Who did it by the record's own words; for `invoke_agent`, who was invoked.
        agent_key: What tells the agent apart from others of its name, where the record says it.
        agent_role: The agent's role, where the record tells it.
        delegate_name: To whom a tool call or hand-off gives work, where the record says it.
        unread: Kinds of things in the record that were not understood.
    """

    span: Span
    started: int | None = None
    agent_name: str | None = None
    agent_key: str | None = None
    agent_role: Role | None = None
    delegate_name: str | None = None
    unread: Sequence[str] = ()


def trace_of_drafts(trace_id: str, drafts: Sequence[SpanDraft], source: Source, *, unread: Mapping[str, int]) -> Trace:
    """Return the trace, its spans ordered by beginning and, of those that begin together, parents first."""
    ordered, parents_first = _orders(drafts)
    positions = AgentPositions()
    for draft in parents_first:
        positions.place(
            draft.span,
            agent_name=draft.agent_name,
            delegate_name=draft.delegate_name,
            agent_key=draft.agent_key,
            role=draft.agent_role,
        )
    spans = tuple(draft.span for draft in ordered)
    for seq, span in enumerate(spans):
        force_setattr(span, "seq", seq)
    return Trace(
        id=trace_id,
        source=source,
        agents=positions.settle(spans),
        spans=spans,
        clock=_clock(drafts),
        task_id=_task(drafts),
        unread=_unread(drafts, unread),
    )


def _orders(drafts: Sequence[SpanDraft]) -> tuple[Sequence[SpanDraft], Sequence[SpanDraft]]:
    """Return the drafts by beginning, and the same by depth."""
    if len(drafts) == 1:
        return drafts, drafts
    depths = _depths(drafts)
    ordered = sorted(drafts, key=lambda draft: (inf if draft.started is None else draft.started, depths[draft.span.id]))
    return ordered, sorted(ordered, key=lambda draft: depths[draft.span.id])


def _unread(drafts: Sequence[SpanDraft], unread: Mapping[str, int]) -> Mapping[str, int]:
    kinds = Counter(kind for draft in drafts if draft.unread for kind in draft.unread)
    kinds.update(unread)
    return {kind: count for kind, count in kinds.items() if count}


def _clock(drafts: Sequence[SpanDraft]) -> Clock:
    started = [draft.started for draft in drafts if draft.started is not None]
    if not started:
        return "none"
    return "wall" if max(started) > PLACEHOLDERS_END else "monotonic"


def _depths(drafts: Sequence[SpanDraft]) -> Mapping[str, int]:
    """Return how deep each span lies; a span whose parents form a circle lies where the circle was entered."""
    parents = {draft.span.id: draft.span.parent_id for draft in drafts}
    depths: dict[str, int] = {}
    for start in parents:
        path: list[str] = []
        above: str | None = start
        on_path: set[str] = set()
        while above is not None and above in parents and above not in depths and above not in on_path:
            path.append(above)
            on_path.add(above)
            above = parents[above]
        known = depths.get(above, -1) if above is not None else -1
        for distance, span_id in enumerate(reversed(path), start=1):
            depths[span_id] = known + distance
    return depths


def _task(drafts: Sequence[SpanDraft]) -> str | None:
    named = (draft.span.attributes.get("agents_eval.paper.id") for draft in drafts)
    return next((str(name) for name in named if name), None)
