"""Traces that Agents-eval itself exported, read back as they were."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import asdict, replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.formats.building.sound_trace import sound_trace
from agents_eval_core.formats.json_text.json_values import as_record, as_records
from agents_eval_core.formats.opentelemetry.otlp_facts import (
    ARGUMENTS,
    ATTRIBUTES,
    FACTS,
    HEADER,
    RESULT,
    SAID,
    TEXT,
    WRITTEN,
    Header,
    from_exact_json,
    header_of,
)
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan, Reading
from agents_eval_core.trace import Agent, Source, Span, Trace


def imported_trace(
    trace_id: str, records: Sequence[RawSpan], source: Source, reading: Reading, *, longest_text: int | None
) -> Trace | None:
    """Return the trace that the records were exported from, or None if no span is whole and none tells of the trace.

    Where the beginning of the file is missing, what was said about the trace as a whole is unknown; its agents are then
    those of the spans.

    Args:
        trace_id: The id that the trace has in OTLP.
        records: Its spans in file order.
        source: Where they come from.
        reading: What was not understood in the file.
        longest_text: Longer texts are cut.
    """
    missed = Counter[str]()
    spans: dict[str, Span] = {}
    for raw in records:
        span = _span(raw)
        if span is None:
            missed["damaged span"] += raw.name != HEADER
            continue
        missed["repeated span"] += raw.id in spans
        spans[raw.id] = cut_span(span, longest_text)
    told = next((header for raw in records if (header := header_of(raw.resource.get(HEADER)))), None)
    if told is None and not spans:
        reading.miss("damaged span", "a span that Agents-eval exported, without what it says about it")
        return None
    header = told or Header(id=trace_id, agents=_agents(list(spans.values())))
    header = replace(header, unread=dict(Counter(header.unread) + reading.unread + missed))
    return sound_trace(Trace(source=source, spans=tuple(spans.values()), **asdict(header)))


def _span(raw: RawSpan) -> Span | None:
    """Return the span that a record was exported from, or None where its facts are missing."""
    try:
        facts = msgspec.convert(from_exact_json(raw.attributes.get(FACTS)), Span)
    except (ValueError, RecursionError):
        return None
    about = raw.attributes
    text = _text(about.get(TEXT)) if TEXT in about else _said(about.get(SAID))
    tool = facts.tool
    if tool is not None:
        tool = replace(tool, arguments=from_exact_json(about.get(ARGUMENTS)), result=_text(about.get(RESULT)))
    kept = {key: value for key, value in about.items() if key not in WRITTEN}
    return replace(facts, text=text, tool=tool, attributes=kept | as_record(from_exact_json(about.get(ATTRIBUTES))))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _said(messages: Any) -> str | None:
    parts = [part for one in as_records(from_exact_json(messages)) for part in as_records(one.get("parts"))]
    texts = [cast("str", part["content"]) for part in parts if isinstance(part.get("content"), str)]
    return texts[0] if texts else None


def _agents(spans: Sequence[Span]) -> tuple[Agent, ...]:
    ids = dict.fromkeys(agent_id for span in spans for agent_id in (span.agent_id, span.to_agent_id) if agent_id)
    return tuple(Agent(id=agent_id, name=agent_id) for agent_id in ids)
