"""A trace from the span records that have its id."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.formats.opentelemetry.conventions import Convention, convention_of
from agents_eval_core.formats.opentelemetry.otlp_facts import FACTS, HEADER
from agents_eval_core.formats.opentelemetry.otlp_import import imported_trace
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan, Reading
from agents_eval_core.formats.opentelemetry.request_wrappers import without_wrappers
from agents_eval_core.formats.opentelemetry.shared_texts import SharedTexts
from agents_eval_core.formats.opentelemetry.span_draft import SpanDraft, trace_of_drafts
from agents_eval_core.trace import Source, Trace

SHORTEST_EARLY: Final = 200
"""Texts are cut when they are read if they may be this long; else later, for kinds and ids are needed until then."""


def trace_of_raw_spans(
    trace_id: str, spans: Iterable[RawSpan], source: Source, reading: Reading, *, longest_text: int | None
) -> Trace | None:
    """Return the trace, or None if there is no span.

    Args:
        trace_id: Its id.
        spans: Its records in file order; they are taken one by one, so that only what is kept of them is in memory.
        source: Where they come from.
        reading: What was not understood in the file.
        longest_text: Longer texts are cut.
    """
    records = iter(spans)
    first = next(records, None)
    if first is None:
        return None
    if FACTS in first.attributes or HEADER in first.resource:
        return imported_trace(trace_id, [first, *records], source, reading, longest_text=longest_text)
    gathered = _Gathered(longest_text)
    gathered.take(first)
    for raw in records:
        gathered.take(raw)
    return trace_of_drafts(trace_id, gathered.settled(), source, unread=gathered.all_unread(reading))


class _Gathered:
    """The drafts of a trace, each span once and in its last form."""

    def __init__(self, longest_text: int | None) -> None:
        self.unread = Counter[str]()
        self._longest_text = longest_text
        self._drafts: dict[str, SpanDraft] = {}
        self._used: dict[int, Convention] = {}
        self._pending: set[str] = set()
        self._shared = SharedTexts()
        self._is_early = longest_text is not None and longest_text >= SHORTEST_EARLY

    def take(self, raw: RawSpan) -> None:
        """Take in a record."""
        is_pending = raw.attributes.get("logfire.span_type") == "pending_span"
        if is_pending:
            raw = _of_pending(raw)
        known = self._drafts.get(raw.id)
        if known is not None:
            self.unread["repeated span"] += not is_pending and raw.id not in self._pending
            if raw.ended is None and (is_pending or known.span.ended_at is not None):
                return
        self._pending.discard(raw.id)
        if is_pending:
            self._pending.add(raw.id)
        convention = convention_of(raw)
        self._used[id(convention)] = convention
        draft = convention.draft(raw)
        self._drafts[raw.id] = self._slim(draft) if self._is_early else draft

    def all_unread(self, reading: Reading) -> Counter[str]:
        """Return what was not understood in the file and in the trace."""
        return reading.unread + self.unread if self.unread else reading.unread

    def settled(self) -> Sequence[SpanDraft]:
        """Return the drafts, records that tell of the same thing as one."""
        drafts: Sequence[SpanDraft] = list(self._drafts.values())
        for used in self._used.values():
            if used.settle is not None:
                drafts = used.settle(drafts)
        drafts = without_wrappers(drafts)
        return drafts if self._is_early else [self._slim(draft) for draft in drafts]

    def _slim(self, draft: SpanDraft) -> SpanDraft:
        """Return a draft that takes little memory; as it is where all texts are wanted."""
        if self._longest_text is None:
            return draft
        span = cut_span(draft.span, self._longest_text)
        self._shared.put_into(span)
        return replace(draft, span=span)


def _of_pending(raw: RawSpan) -> RawSpan:
    """Return the span that Logfire announced when it began: the announcement's parent, not yet ended.

    It counts where the span itself never came, as in a run that was killed.
    """
    above = raw.attributes.pop("logfire.pending_parent_id", None)
    del raw.attributes["logfire.span_type"]
    parent_id = above if isinstance(above, str) and above.strip("0") else None
    return replace(raw, id=raw.parent_id or raw.id, parent_id=parent_id, ended=None)
