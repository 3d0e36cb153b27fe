"""The trace that a gathered Claude Code session makes.

The session is an `invoke_workflow` span, the main agent and each sub-agent that was seen at work an `invoke_agent`
span: the main one below the session, a sub-agent's below the tool call that started it. Requests and tool calls lie
below their agent's span; messages below the session, those sent by a `SendMessage` call below that call.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from operator import attrgetter
from sys import intern
from typing import Any, Final, cast

from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from agents_eval_core.formats.claude_code.cast import Cast
from agents_eval_core.formats.claude_code.draft import SessionDraft
from agents_eval_core.formats.claude_code.records import MAIN, CallDraft, ChatDraft, NoteDraft
from agents_eval_core.formats.claude_code.wire import Tokens
from agents_eval_core.trace import Agent, Operation, Outcome, Source, Span, Status, ToolUse, Trace, Usage

FAILED: Final = ("failed", "killed", "stopped", "error", "cancelled", "timed_out")
NOTHING: Final[Mapping[str, Any]] = {}
"""Shared by the spans without attributes: an empty mapping of its own would cost each 80 bytes."""
DONE: Final = ("completed", "done", "success")


class Session(Struct, kw_only=True):
    """What is known of the session as a whole."""

    id: str
    status: Status = "unknown"
    error_type: str | None = None
    error_text: str | None = None
    usage: Usage | None = None
    outcome: Outcome | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


def trace_of_session(draft: SessionDraft, session: Session, source: Source) -> Trace:
    """Return the trace, its spans in causal order."""
    who = Cast(draft, session.id)
    spans = [*_agents(draft, session, who), *_notes(draft, who, session.id)]
    spans += _works(draft, who)  # last: the others ask about calls
    ordered = _in_causal_order(spans)
    times = [moment for span in ordered for moment in (span.started_at, span.ended_at) if moment is not None]
    root = Span(
        id=session.id,
        seq=0,
        operation="invoke_workflow",
        name="claude_code",
        started_at=min(times, default=None),
        ended_at=max(times, default=None),
        status=session.status,
        error_type=session.error_type,
        error_text=session.error_text,
        usage=session.usage,
        source_span_ids=(session.id,),
        attributes=session.attributes,
    )
    return Trace(
        id=session.id,
        source=source,
        spans=(root, *ordered),
        agents=tuple(_roles(who, ordered)),
        clock="wall" if times else "none",
        outcome=session.outcome,
        unread=dict(draft.unread),
    )


def usage_of(tokens: Tokens | None, *, with_output: bool) -> Usage | None:
    """Return the usage of a request; input includes what was written to and read from the cache.

    >>> usage_of(Tokens(input_tokens=3, cache_read_input_tokens=20, output_tokens=1), with_output=False)
    Usage(input_tokens=23, output_tokens=None, cached_tokens=20, cost_usd=None, scope='self')
    """
    if tokens is None:
        return None
    fresh, read = count(tokens.input_tokens), count(tokens.cache_read_input_tokens)
    output = count(tokens.output_tokens) if with_output else None
    if fresh is None:
        return None if output is None else Usage(output_tokens=output)
    written = count(tokens.cache_creation_input_tokens)
    return Usage(input_tokens=fresh + (read or 0) + (written or 0), output_tokens=output, cached_tokens=read)


def count(figure: Any) -> int | None:
    """Return a number of tokens; None for what cannot be one."""
    if type(figure) is int and figure >= 0:
        return figure
    return int(figure) if isinstance(figure, float) and 0 <= figure < inf else None


def _agents(draft: SessionDraft, session: Session, who: Cast) -> Iterator[Span]:
    for key, agent in draft.agents.items():
        if key in who.at_work:
            ended: tuple[Status, str | None] = (
                (session.status, session.error_type) if key == MAIN else _ending(who.word_of(key))
            )
            yield Span(
                id=who.span_id(key),
                seq=who.began(key),
                operation="invoke_agent",
                name=f"invoke_agent {who.name(key)}",
                parent_id=who.span_above(key),
                agent_id=who.id(key),
                started_at=agent.first,
                ended_at=agent.last,
                status=ended[0],
                error_type=ended[1],
                attributes=agent.attributes,
            )


def _works(draft: SessionDraft, who: Cast) -> Iterator[Span]:
    """Yield the requests and calls; each draft is let go when its span is made, so that they need no room together."""
    for key in list(draft.chats):
        yield _chat_span(draft.chats.pop(key), who)
    delegating = {agent.call_id for agent in draft.agents.values()}
    for key in list(draft.calls):
        call = draft.calls[key] if key in delegating else draft.calls.pop(key)
        yield _call_span(call, who)


def _chat_span(chat: ChatDraft, who: Cast) -> Span:
    is_made_up = "is_synthetic" in chat.attributes
    attributes = chat.attributes
    if chat.tokens is not None and chat.tokens.cache_creation_input_tokens and not is_made_up:
        attributes["cache_creation_input_tokens"] = count(chat.tokens.cache_creation_input_tokens)
    if chat.thoughts:
        attributes["thinking"] = "\n".join(chat.thoughts)
    text = "\n".join(chat.texts or ()) or None
    status: Status = "error" if chat.failure else "ok"
    return Span(
        id=who.own_span_id(chat.id),
        seq=chat.rank,
        operation="chat" if chat.failure or not is_made_up else "other",
        name=intern(f"chat {chat.model}") if chat.model else "chat",
        parent_id=who.span_id(chat.agent),
        agent_id=who.id(chat.agent),
        started_at=chat.first,
        ended_at=chat.last or chat.first,
        status=status,
        status_source="declared" if chat.failure or "stop_reason" in attributes else "inferred",
        error_type=chat.failure,
        error_text=text if chat.failure else None,
        model=chat.model,
        usage=None if is_made_up else usage_of(chat.tokens, with_output=chat.is_final),
        text=text,
        source_span_ids=tuple(chat.uuids or ()),
        attributes=attributes or NOTHING,
    )


def _call_span(call: CallDraft, who: Cast) -> Span:
    status, error_type = _call_ending(call, who)
    delegate = who.delegate(call.id)
    result, ended = who.answer(call)
    return Span(
        id=who.call_span_id(call.id),
        seq=call.rank,
        operation="execute_tool",
        name=intern(f"execute_tool {call.name}"),
        parent_id=who.span_id(call.agent),
        agent_id=who.id(call.agent),
        started_at=call.first,
        ended_at=ended,
        status=status,
        error_type=error_type,
        error_text=call.result if call.is_error else None,
        tool=ToolUse(name=call.name, call_id=call.id, arguments=call.arguments, result=result),
        to_agent_id=None if delegate is None else who.id(delegate),
        source_span_ids=call.uuids,
        attributes=call.attributes or NOTHING,
    )


def _call_ending(call: CallDraft, who: Cast) -> tuple[Status, str | None]:
    """Return how a call ended; one that started work which went on ended as that work did."""
    if call.is_error:
        return "error", call.error_type
    if call.launch:
        return _ending(who.outcome(call))
    return ("ok", None) if call.is_answered else ("unknown", None)


def _ending(word: str | None) -> tuple[Status, str | None]:
    if word in DONE:
        return "ok", None
    return ("error", word) if word in FAILED else ("unknown", None)


def _notes(draft: SessionDraft, who: Cast, session_id: str) -> Iterator[Span]:
    for note in (*draft.notes, *who.sent):
        if not who.is_echo(note):
            yield _note_span(note, who, session_id)


def _note_span(note: NoteDraft, who: Cast, session_id: str) -> Span:
    call = who.calls.get(note.call_id or "")
    status, error_type = ("ok", None) if call is None else _call_ending(call, who)
    return Span(
        id=who.own_span_id(note.id),
        seq=note.rank,
        operation=cast("Operation", note.operation),
        name=note.name,
        parent_id=session_id if call is None else who.call_span_id(call.id),
        agent_id=who.id(who.find(note.sender)),
        started_at=note.at,
        ended_at=None if call is None else call.last,
        status="error" if note.error_type else status,
        status_source="declared" if call is not None or note.error_type else "inferred",
        error_type=note.error_type or error_type,
        to_agent_id=None if note.receiver is None else who.id(who.find(note.receiver)),
        text=note.text,
        attributes=note.attributes,
    )


def _in_causal_order(spans: list[Span]) -> list[Span]:
    """Return the spans by rank, which is their `seq` so far, each after the span it lies below, and number them."""
    ordered = sorted(spans, key=attrgetter("seq"))
    if not _is_causal(ordered):
        ordered = _parents_first(ordered)
    for seq, span in enumerate(ordered, start=1):
        force_setattr(span, "seq", seq)  # nobody has seen the span yet, and a copy of each would take longer
    return ordered


def _is_causal(ordered: Sequence[Span]) -> bool:
    """Whether each span comes after the one it lies below."""
    parents = {span.parent_id for span in ordered}
    place = {span.id: at for at, span in enumerate(ordered) if span.id in parents}
    return all(place.get(span.parent_id or "", -1) < at for at, span in enumerate(ordered))


def _parents_first(ordered: Sequence[Span]) -> list[Span]:
    by_id = {span.id: span for span in ordered}
    done: dict[str, Span] = {}
    for span in ordered:
        if span.parent_id in done or span.parent_id not in by_id:
            done[span.id] = span
        elif span.id not in done:
            done.update(reversed(_path_to(span, by_id, done).items()))
    return list(done.values())


def _path_to(span: Span, by_id: Mapping[str, Span], done: Mapping[str, Span]) -> dict[str, Span]:
    """Return a span and those above it that are not in order yet, lowest first."""
    path: dict[str, Span] = {}
    above: Span | None = span
    while above is not None and above.id not in done and above.id not in path:
        path[above.id] = above
        above = by_id.get(above.parent_id or "")
    return path


def _roles(who: Cast, spans: Sequence[Span]) -> Iterator[Agent]:
    mentioned = {span.agent_id for span in spans}
    received = [span for span in spans if span.to_agent_id is not None]
    in_charge = {span.agent_id for span in received if span.is_delegation}
    mentioned.update(span.to_agent_id for span in received)
    for agent in who.agents():
        if agent.id in mentioned:
            yield agent if agent.role != "worker" or agent.id not in in_charge else replace(agent, role="orchestrator")
