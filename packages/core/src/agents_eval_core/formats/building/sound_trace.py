"""A trace of ours that was written to a file, made sound again where the file says what no trace can say."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from msgspec.structs import replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.trace import Agent, Span, Trace, Usage

FIGURES: Final = ("input_tokens", "output_tokens", "cached_tokens", "cost_usd")


def sound_trace(found: Trace, longest_text: int | None = None) -> Trace:
    """Return a trace of which spans and agents have ids of their own, in the order of `seq`, with zones and no debts.

    What had to be mended is counted in `unread`: the second of two spans of one id is left out, a time without zone is
    taken as UTC, a negative figure as unknown, and an agent that is named but not listed is listed.

    >>> from agents_eval_core.trace import Source
    >>> span = Span(id="a", seq=4, operation="chat", name="chat", agent_id="writer")
    >>> trace = sound_trace(Trace(id="t", source=Source(format="native"), spans=(span, span)))
    >>> len(trace.spans), trace.spans[0].seq, dict(trace.unread)
    (1, 0, {'repeated span': 1, 'agent that is not listed': 1})
    """
    unread = Counter({kind: count for kind, count in found.unread.items() if count > 0})
    spans: dict[str, Span] = {}
    for span in sorted(found.spans, key=lambda span: span.seq):
        if span.id in spans:
            unread["repeated span"] += 1
            continue
        sound = span if _is_sound(span) else _mended(span, unread)
        if sound.seq != len(spans):
            sound = replace(sound, seq=len(spans))
        spans[span.id] = cut_span(sound, longest_text)
    agents = _agents(found, spans, unread)
    values: dict[str, Any] = {name: getattr(found, name) for name in Trace.__struct_fields__}
    values.update(spans=tuple(spans.values()), agents=tuple(agents.values()), unread=dict(unread))
    return Trace(**values)


def _agents(found: Trace, spans: Mapping[str, Span], unread: Counter[str]) -> dict[str, Agent]:
    agents: dict[str, Agent] = {}
    for agent in found.agents:
        agents.setdefault(agent.id, agent)
    if len(agents) < len(found.agents):
        unread["repeated agent"] += len(found.agents) - len(agents)
    for name in (name for span in spans.values() for name in (span.agent_id, span.to_agent_id)):
        if name is not None and name not in agents:
            unread["agent that is not listed"] += 1
            agents[name] = Agent(id=name, name=name)
    return agents


def _is_sound(span: Span) -> bool:
    return (
        (span.started_at is None or span.started_at.tzinfo is not None)
        and (span.ended_at is None or span.ended_at.tzinfo is not None)
        and (span.usage is None or not _negative(span.usage))
    )


def _negative(usage: Usage) -> list[str]:
    return [name for name in FIGURES if (getattr(usage, name) or 0) < 0]


def _mended(span: Span, unread: Counter[str]) -> Span:
    changes: dict[str, Any] = {}
    for name in ("started_at", "ended_at"):
        moment: datetime | None = getattr(span, name)
        if moment is not None and moment.tzinfo is None:
            unread["time without zone"] += 1
            changes[name] = moment.replace(tzinfo=UTC)
    if span.usage is not None and (negative := _negative(span.usage)):
        unread["negative usage"] += 1
        changes["usage"] = replace(span.usage, **dict.fromkeys(negative))
    return replace(span, **changes)
