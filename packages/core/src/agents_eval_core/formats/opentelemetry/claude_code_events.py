"""Claude Code's events (OTLP logs), which it exports even where spans are not switched on: a session as a trace.

`api_request` is a `chat`, with the text of its `assistant_response`; `tool_result` an `execute_tool`, as is a
`tool_decision` that rejects; `user_prompt` a `message` of the user; `subagent_completed` the invocation of a sub-agent,
by the `Agent` call of its kind whose result comes next. An event tells of an end; the beginning is that less the
duration.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from agents_eval_core.formats.building.cut_texts import cut_span
from agents_eval_core.formats.building.span_draft import SpanDraft, trace_of_drafts
from agents_eval_core.formats.building.unix_time import moment
from agents_eval_core.formats.json_text.json_values import as_record, as_text, parsed
from agents_eval_core.formats.opentelemetry.claude_code_telemetry import DELEGATING, MAIN_AGENT, take_usage
from agents_eval_core.formats.opentelemetry.taken_attributes import take_count, take_text
from agents_eval_core.trace import Operation, Source, Span, ToolUse, Trace

NAME: Final = "event.name"
SPANS: Final = frozenset(("api_request", "api_error", "tool_result", "user_prompt", "subagent_completed"))
BESIDE: Final = frozenset(
    ("assistant_response", "tool_decision", "mcp_server_connection", "plugin_loaded", "managed_settings_resolved")
)
"""Events that tell of a span's details, or of nothing that an agent did."""
REDACTED: Final = "<REDACTED>"
MILLISECOND: Final = 10**6


class Event(Struct, frozen=True, kw_only=True):
    """An event: when it was told, and what was."""

    at: int | None
    attributes: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its kind."""
        return str(self.attributes.get(NAME))

    def text(self, name: str) -> str | None:
        """Return an attribute that is a text and known."""
        found = as_text(self.attributes.get(name))
        return None if found == REDACTED else found


def trace_of_events(
    session_id: str, events: Sequence[Event], source: Source, unread: Mapping[str, int], *, longest_text: int | None
) -> Trace | None:
    """Return the trace of a session, or None if no model was asked and no tool called in it.

    Args:
        session_id: Its id.
        events: Its events in any order.
        source: Where they come from.
        unread: What was not understood in the file.
        longest_text: Longer texts are cut.
    """
    session = _Session(sorted(events, key=lambda event: take_count(dict(event.attributes), "event.sequence") or 0))
    drafts = session.drafts()
    if all(draft.span.operation == "message" for draft in drafts):
        return None
    drafts = [replace(draft, span=cut_span(draft.span, longest_text)) for draft in drafts]
    return trace_of_drafts(session_id, drafts, source, unread=Counter(unread) + session.unread())


class _Session:
    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._repeated = 0
        self._said = {
            one.text("request_id"): one.text("response") for one in events if one.name == "assistant_response"
        }
        self._answered = {one.text("tool_use_id") for one in events if one.name == "tool_result"}
        self._ended = {one.text("agent_id") for one in events if one.name == "subagent_completed"}
        self._callers = _callers(events)

    def unread(self) -> Counter[str]:
        strange = Counter(f"event {one.name}" for one in self._events if one.name not in SPANS | BESIDE)
        return strange + Counter({"repeated event": self._repeated})

    def drafts(self) -> list[SpanDraft]:
        """Return a draft for each thing done; of events that tell of the same call, the last one counts."""
        drafts: dict[str, SpanDraft] = {}
        for place, event in enumerate(self._events):
            if self._is_span(event):
                draft = self._draft(event, place)
                self._repeated += draft.span.id in drafts
                drafts[draft.span.id] = draft
        return list(drafts.values())

    def _is_span(self, event: Event) -> bool:
        is_rejected = event.name == "tool_decision" and event.text("decision") == "reject"
        return event.name in SPANS or (is_rejected and event.text("tool_use_id") not in self._answered)

    def _draft(self, event: Event, place: int) -> SpanDraft:
        agent_id = event.text("agent_id")
        span = self._span(event, f"event-{place}")
        parent_id = f"agent-{agent_id}" if agent_id in self._ended else None
        if span.operation == "invoke_agent":
            parent_id = self._callers.get(span.id)
        is_user = span.operation == "message"
        named = event.text("agent_type") or event.text("agent.name")
        kind = _parameters(event).get("subagent_type")
        return SpanDraft(
            span=replace(span, parent_id=parent_id),
            started=_started(event),
            agent_name="user" if is_user else named or (MAIN_AGENT if agent_id is None else "sub-agent"),
            agent_key=agent_id,
            agent_role="user" if is_user else None,
            delegate_name=as_text(kind) if span.tool is not None and span.tool.name in DELEGATING else None,
        )

    def _span(self, event: Event, own_id: str) -> Span:
        match event.name:
            case "user_prompt":
                return _made(event, own_id, "message", ("ok", None, None), text=event.text("prompt"))
            case "subagent_completed":
                return _made(event, f"agent-{event.text('agent_id') or own_id}", "invoke_agent", ("ok", None, None))
            case "api_request" | "api_error":
                return self._chat(event, own_id)
            case _:
                return _call(event, own_id)

    def _chat(self, event: Event, own_id: str) -> Span:
        rest = dict(event.attributes)
        usage = take_usage(rest)
        failed = event.name == "api_error"
        ended = ("error", event.text("status_code"), event.text("error")) if failed else ("ok", None, None)
        said = self._said.get(event.text("request_id")) if event.text("request_id") else None
        return _made(event, own_id, "chat", ended, text=said, usage=usage, model=take_text(rest, "model"), rest=rest)


def _made(
    event: Event,
    own_id: str,
    operation: Operation,
    ended: tuple[Literal["ok", "error"], str | None, str | None],
    *,
    rest: dict[str, Any] | None = None,
    **facts: Any,
) -> Span:
    status, error_type, error_text = ended
    return Span(
        id=own_id,
        seq=0,
        operation=operation,
        name=f"claude_code.{event.name}",
        started_at=moment(_started(event)),
        ended_at=moment(event.at),
        status=status,
        error_type=error_type,
        error_text=error_text,
        source_span_ids=(own_id,),
        attributes=dict(event.attributes) if rest is None else rest,
        **facts,
    )


def _call(event: Event, own_id: str) -> Span:
    rest = dict(event.attributes)
    given = _parameters(event)
    name = take_text(rest, "tool_name") or event.name
    if name == "mcp_tool" and "mcp_tool_name" in given:
        name = f"mcp__{given.get('mcp_server_name')}__{given['mcp_tool_name']}"
    call_id = take_text(rest, "tool_use_id")
    tool = ToolUse(name=name, call_id=call_id, arguments=parsed(rest.pop("tool_input", None)))
    ended: tuple[Literal["ok", "error"], str | None, str | None] = ("ok", None, None)
    if event.name == "tool_decision":
        ended = ("error", "denied", None)
    elif event.attributes.get("success") in ("false", False):
        ended = ("error", event.text("error_type"), event.text("error"))
    return _made(event, call_id or own_id, "execute_tool", ended, tool=tool, rest=rest)


def _parameters(event: Event) -> Mapping[str, Any]:
    return as_record(parsed(event.attributes.get("tool_parameters")))


def _started(event: Event) -> int | None:
    duration = take_count(dict(event.attributes), "duration_ms") or 0
    return None if event.at is None else event.at - duration * MILLISECOND


def _callers(events: Sequence[Event]) -> Mapping[str, str]:
    """Return, by the spans of the sub-agents, the calls that invoked them."""
    callers: dict[str, str] = {}
    waiting: list[Event] = []
    for event in events:
        if event.name == "subagent_completed":
            waiting.append(event)
        elif event.name == "tool_result" and event.text("tool_name") in DELEGATING:
            kind = _parameters(event).get("subagent_type")
            ended = next((one for one in waiting if kind in (None, one.text("agent_type"))), None)
            if ended is not None:
                waiting.remove(ended)
                callers[f"agent-{ended.text('agent_id')}"] = event.text("tool_use_id") or ""
    return callers
