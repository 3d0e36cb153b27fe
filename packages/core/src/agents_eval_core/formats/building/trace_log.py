"""A trace in the making, for sources that are lists of messages: spans are added in order, results join their calls."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from agents_eval_core.formats.building.failure_text import error_type_in, failure_in
from agents_eval_core.formats.building.shared_cuts import CUT, SharedCuts
from agents_eval_core.formats.json_text.json_values import shortened
from agents_eval_core.trace import Agent, Annotation, Operation, Outcome, Role, Source, Span, Status, ToolUse, Trace

KINDS_COUNTED: Final = 50
KIND_LENGTH: Final = 60
ERROR_TEXT_LENGTH: Final = 2000
NOTHING: Final[Mapping[str, Any]] = {}


class Answer(Struct, frozen=True, kw_only=True):
    """What came back from a tool. `is_error` is what the source declares; None where it declares nothing."""

    text: str | None
    is_error: bool | None = None
    error_type: str | None = None
    at: datetime | None = None
    source_id: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])


class TraceLog:
    """Gathers the agents and spans of one trace in causal order.

    >>> log = TraceLog()
    >>> model, user = log.agent("assistant"), log.agent("user", "user")
    >>> at = log.add("message", "user", agent_id=user, text="What is in a.txt?")
    >>> at = log.call("read", {"file": "a.txt"}, agent_id=model, call_id="c1")
    >>> log.answer("c1", Answer(text="Error: no such file"))
    True
    >>> [(span.operation, span.status, span.error_type) for span in log.spans]
    [('message', 'ok', None), ('execute_tool', 'error', 'ToolError')]
    """

    def __init__(self, longest_text: int | None = None) -> None:
        self.spans: list[Span] = []
        self.unread: Counter[str] = Counter()
        self._longest = longest_text
        self._agents: dict[str, Agent] = {}
        self._agent_ids = _Names()
        self._span_ids = _Names()
        self._waiting: dict[str, deque[int]] = {}
        self._cuts = SharedCuts()

    def agent(self, name: str, role: Role = "worker", *, key: str | None = None) -> str:
        """Return the id of an agent; it is the name, or the name with a number where another agent has that one.

        Args:
            name: What it is called.
            role: A role other than `worker` replaces `worker`, should it become known later.
            key: What tells it from others of its name; by default the name itself.
        """
        key = name if key is None else key
        known = self._agents.get(key)
        if known is None:
            self._agents[key] = Agent(id=self._agent_ids.take(name), name=name, role=role)
        elif known.role == "worker" and role != "worker":
            self._agents[key] = replace(known, role=role)
        return self._agents[key].id

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents so far, in the order in which they came."""
        return tuple(self._agents.values())

    def add(
        self,
        operation: Operation,
        name: str,
        *,
        id: str | None = None,  # noqa: A002  the field's name
        text: str | None = None,
        status: Status = "ok",
        declared: bool = False,
        source_ids: Iterable[str] = (),
        attributes: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> int:
        """Add a span and return its place.

        Args:
            operation: What was done.
            name: The span's name.
            id: The id by the source; a number is added where it is taken, and the place serves where there is none.
            text: The full text; it is cut if the limit says so.
            status: How it ended; what was said or handed over is `ok` by having been said.
            declared: Whether the source says the status.
            source_ids: The ids of the source's records that became this span.
            attributes: What else the source said.
            **fields: Further fields of `Span`.
        """
        cuts: dict[str, int] = {}
        kept: dict[str, Any] = {
            f"source.{CUT}" if key == CUT else key: shortened(value, self._longest, cuts, f"attributes.{key}")
            for key, value in (attributes or {}).items()
        }
        text = shortened(text, self._longest, cuts, "text")
        span = Span(
            id=self._span_ids.take(id or f"s{len(self.spans)}"),
            seq=len(self.spans),
            operation=operation,
            name=name,
            text=text or None,
            status=status,
            status_source="declared" if declared else "inferred",
            source_span_ids=tuple(source_ids),
            attributes=self._with_cuts(kept, cuts),
            **fields,
        )
        self.spans.append(span)
        return span.seq

    def call(self, name: str, arguments: Any, *, call_id: str | None = None, **fields: Any) -> int:
        """Add a tool call that waits for its answer; until then its status is unknown."""
        cuts: dict[str, int] = {}
        short = shortened(arguments, self._longest, cuts, "arguments")
        at = self.add("execute_tool", name, status="unknown", **fields)
        tool = ToolUse(name=name, call_id=call_id, arguments=short)
        self.change(at, tool=tool, attributes=self._with_cuts(self.spans[at].attributes, cuts))
        if call_id is not None:
            self._waiting.setdefault(call_id, deque()).append(at)
        return at

    def waiting(self, call_id: str | None) -> int | None:
        """Return the place of the call that the next answer to a call id joins, or None."""
        waiting = self._waiting.get(call_id or "")
        return waiting[0] if waiting else None

    def answer(self, call_id: str | None, answer: Answer) -> bool:
        """Join a result to the first call of that id that waits for one; False where there is none."""
        at = self.waiting(call_id)
        if at is None:
            return False
        self._waiting[call_id or ""].popleft()
        if not self._waiting[call_id or ""]:
            del self._waiting[call_id or ""]
        self.answer_at(at, answer)
        return True

    def answer_at(self, at: int, answer: Answer) -> None:
        """Join a result to the call at a place."""
        span, cuts = self.spans[at], dict[str, int]()
        status, error_type, error_text = _ending(answer)
        tool = span.tool or ToolUse(name=span.name)
        given = answer.attributes.items()
        kept = {key: shortened(value, self._longest, cuts, f"attributes.{key}") for key, value in given}
        self.change(
            at,
            tool=replace(tool, result=shortened(answer.text, self._longest, cuts, "result")),
            status=status,
            status_source="inferred" if answer.is_error is None else "declared",
            error_type=error_type,
            error_text=error_text,
            ended_at=span.ended_at or answer.at,
            source_span_ids=(*span.source_span_ids, *((answer.source_id,) if answer.source_id is not None else ())),
            attributes=self._with_cuts({**span.attributes, **kept}, cuts),
        )

    def change(self, at: int, **fields: Any) -> None:
        """Replace fields of the span at a place."""
        self.spans[at] = replace(self.spans[at], **fields)

    def extend(self, at: int, text: str | None) -> None:
        """Add a further part to the text of the span at a place."""
        span = self.spans[at]
        if not text:
            return
        cuts: dict[str, int] = {}
        longer = shortened(f"{span.text}\n{text}" if span.text else text, self._longest, cuts, "text")
        if cuts:
            cuts["text"] += span.attributes.get(CUT, {}).get("text", len(span.text or "")) - len(span.text or "")
        self.change(at, text=longer, attributes=self._with_cuts(span.attributes, cuts))

    def note(self, at: int, key: str, value: Any) -> None:
        """Add an attribute to the span at a place; texts of the same key are joined."""
        span, cuts = self.spans[at], dict[str, int]()
        before = span.attributes.get(key)
        value = f"{before}\n{value}" if isinstance(before, str) and isinstance(value, str) else value
        kept = {**span.attributes, key: shortened(value, self._longest, cuts, f"attributes.{key}")}
        self.change(at, attributes=self._with_cuts(kept, cuts))

    def last_call(self, name: str) -> int | None:
        """Return the place of the last call of a tool, or None."""
        calls = (span.seq for span in reversed(self.spans) if span.tool is not None and span.tool.name == name)
        return next(calls, None)

    def miss(self, kind: str) -> None:
        """Count something that was not understood; the kinds are at most 50, further ones are counted together."""
        kind = kind[:KIND_LENGTH]
        known = kind in self.unread or len(self.unread) < KINDS_COUNTED
        self.unread[kind if known else "other kinds"] += 1

    def annotation(self, name: str, value: Any, **fields: Any) -> Annotation:
        """Return a label; deep values are kept as JSON text."""
        return Annotation(name=name, value=shortened(value, None, {}, name), **fields)

    def _with_cuts(self, attributes: Mapping[str, Any], cuts: Mapping[str, int]) -> Mapping[str, Any]:
        """Return attributes that also tell of cuts."""
        return (
            self._cuts.of({**attributes, CUT: {**attributes.get(CUT, {}), **cuts}}) if cuts else attributes or NOTHING
        )

    def trace(
        self,
        trace_id: str,
        source: Source,
        *,
        unread: Mapping[str, int] | None = None,
        annotations: Iterable[Annotation] = (),
        outcome: Outcome | None = None,
        task_id: str | None = None,
        group_id: str | None = None,
    ) -> Trace:
        """Return what was gathered; `unread` of the file is added to that of the trace."""
        has_times = any(span.started_at is not None or span.ended_at is not None for span in self.spans)
        return Trace(
            id=trace_id,
            source=source,
            spans=tuple(self.spans),
            agents=self.agents,
            clock="wall" if has_times else "none",
            task_id=task_id,
            group_id=group_id,
            outcome=outcome,
            annotations=tuple(annotations),
            unread={kind: count for kind, count in (self.unread + Counter(unread or {})).items() if count},
        )


class _Names:
    """Names that are given once; a second one of the same is numbered."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._repeats: Counter[str] = Counter()

    def take(self, name: str) -> str:
        found = name
        while found in self._taken:
            self._repeats[name] += 1
            found = f"{name}#{self._repeats[name] + 1}"
        self._taken.add(found)
        return found


def _ending(answer: Answer) -> tuple[Status, str | None, str | None]:
    if answer.is_error is False:
        return "ok", None, None
    if answer.is_error:
        text = answer.text or ""
        return "error", answer.error_type or error_type_in(text), text.strip()[:ERROR_TEXT_LENGTH] or None
    failure = failure_in(answer.text)
    return ("ok", None, None) if failure is None else ("error", failure.error_type, failure.error_text)
