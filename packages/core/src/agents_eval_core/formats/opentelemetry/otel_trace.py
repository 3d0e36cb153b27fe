"""A trace from the span records that have its id."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.formats.building.span_draft import SpanDraft, trace_of_drafts
from agents_eval_core.formats.opentelemetry.conventions import Convention, convention_of
from agents_eval_core.formats.opentelemetry.otlp_facts import FACTS, HEADER
from agents_eval_core.formats.opentelemetry.otlp_import import imported_trace
from agents_eval_core.formats.opentelemetry.raw_span import RawSpan, Reading
from agents_eval_core.formats.opentelemetry.request_wrappers import without_wrappers
from agents_eval_core.formats.opentelemetry.shared_texts import SharedTexts
from agents_eval_core.trace import Source, Trace

SHORTEST_EARLY: Final = 200
"""Texts are cut when they are read if they may be this long; else later, for kinds and ids are needed until then."""


def trace_of_raw_spans(
    trace_id: str, spans: Iterable[RawSpan], source: Source, reading: Reading, *, longest_text: int | None
) -> Trace | None:
    """Return the trace, or None if there is no span that can be read.

    Args:
        trace_id: Its id.
        spans: Its records in file order; they are taken one by one, so that only what is kept of them is in memory.
        source: Where they come from.
        reading: What was not understood in the file.
        longest_text: Longer texts are cut.
    """
    found: OtelTrace | None = None
    for raw in spans:
        found = found or OtelTrace(trace_id, longest_text=longest_text)
        found.take(raw)
    return found.trace(source, reading) if found is not None else None


class OtelTrace:
    """A trace in the making, from span records as they come; only what is needed of them is kept.

    >>> made = OtelTrace("t", longest_text=None)
    >>> made.take(RawSpan(trace_id="t", id="a", name="chat", attributes={"gen_ai.operation.name": "chat"}))
    >>> made.trace(Source(format="otlp"), Reading()).spans[0].operation
    'chat'
    """

    def __init__(self, trace_id: str, *, longest_text: int | None) -> None:
        self._id = trace_id
        self._longest_text = longest_text
        self._exported: list[RawSpan] = []
        self._gathered: _Gathered | None = None

    def take(self, raw: RawSpan) -> None:
        """Take in a record; if the first is one that we exported, all are."""
        if self._gathered is None:
            if self._exported or FACTS in raw.attributes or HEADER in raw.resource:
                self._exported.append(raw)
                return
            self._gathered = _Gathered(self._longest_text)
        self._gathered.take(raw)

    def trace(self, source: Source, reading: Reading) -> Trace | None:
        """Return the trace, or None if its records are damaged exports.

        Args:
            source: Where the records come from.
            reading: What was not understood in the file.
        """
        if self._gathered is None:
            return imported_trace(self._id, self._exported, source, reading, longest_text=self._longest_text)
        drafts = self._gathered.settled()
        return trace_of_drafts(self._id, drafts, source, unread=self._gathered.all_unread(reading))


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
        """Return the drafts and let go of them, records that tell of the same thing as one."""
        drafts: Sequence[SpanDraft] = list(self._drafts.values())
        self._drafts.clear()
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
