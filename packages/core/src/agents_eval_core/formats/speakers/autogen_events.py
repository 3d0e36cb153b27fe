"""What agents of AutoGen from version 0.4 on send and emit, as their message types have it.

A message with `models_usage` is a model call, as is a request for tools; one delegation is shown as a tool call, its
execution and a `HandoffMessage`, and is counted once: the call gets the receiver. Streaming chunks repeat what follows,
and are left out. Code executions declare their exit code, tool executions whether they are errors.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from agents_eval_core.formats.building.trace_log import Answer
from agents_eval_core.formats.chat.chat_messages import usage_of
from agents_eval_core.formats.chat.content_parts import other_parts, text_of
from agents_eval_core.formats.json_text.json_values import as_list, as_moment, as_record, as_records, as_text, parsed
from agents_eval_core.formats.speakers.speaker_log import SpeakerLog
from agents_eval_core.trace import Operation

SAID: Final = ("TextMessage", "MultiModalMessage", "StopMessage", "ToolCallSummaryMessage", "CodeGenerationEvent")
CHUNK: Final = "ModelClientStreamingChunkEvent"
NOTED: Final[Mapping[str, Operation]] = {
    "ThoughtEvent": "other",
    "UserInputRequestedEvent": "other",
    "MemoryQueryEvent": "retrieval",
}
EVENTS: Final = (
    *SAID, *NOTED, CHUNK, "ToolCallRequestEvent", "ToolCallExecutionEvent", "ToolCallMessage", "ToolCallResultMessage",
    "HandoffMessage", "SelectSpeakerEvent", "SelectorEvent", "CodeExecutionEvent",
)  # fmt: skip
UNDERSTOOD: Final = frozenset(("source", "content", "type", "models_usage", "created_at", "id", "target", "result"))


def is_event(value: Any) -> bool:
    """Whether a value is a message or event of AutoGen 0.4 and later.

    >>> is_event({"type": "TextMessage", "source": "writer", "content": "Hello"})
    True
    """
    kind = as_record(value).get("type")
    return is_typed(value) and (kind in EVENTS or str(kind).startswith("StructuredMessage"))


def is_typed(value: Any) -> bool:
    """Whether a value is built like an event, though perhaps of a type that is not known."""
    event = as_record(value)
    return isinstance(event.get("type"), str) and isinstance(event.get("source"), str) and "timestamp" not in event


def take_event(log: SpeakerLog, event: dict[str, Any], place: str) -> None:
    """Add an event to a log; `place` is where it lies in the source."""
    kind, source = str(event.get("type")), as_text(event.get("source")) or "?"
    about = {"source_ids": [place], "ended_at": as_moment(event.get("created_at")), "attributes": _rest(event)}
    if kind in NOTED:
        text = text_of(event.get("content"))
        _add(log, NOTED[kind], kind, agent_id=log.speaker(source), text=text, **about)
    elif kind in TAKERS:
        TAKERS[kind](log, event, source, about)
    elif kind in SAID or kind.startswith("StructuredMessage"):
        _take_said(log, event, source, place)
    elif kind != CHUNK:
        log.miss(f"event {kind}")


def _take_said(log: SpeakerLog, event: Mapping[str, Any], source: str, place: str) -> None:
    usage, at = usage_of(event.get("models_usage")), as_moment(event.get("created_at"))
    log.say(
        source,
        text_of(event.get("content")),
        as_text(event.get("id")) or place,
        usage=usage,
        started_at=at if usage is None else None,
        ended_at=at,
        attributes=_rest(event),
    )


def _take_request(log: SpeakerLog, event: Mapping[str, Any], source: str, about: Mapping[str, Any]) -> None:
    agent = log.speaker(source)
    _add(log, "chat", f"chat {source}", agent_id=agent, usage=usage_of(event.get("models_usage")), **about)
    for call in as_records(event.get("content")):
        log.call(
            as_text(call.get("name")) or "?",
            parsed(call.get("arguments")),
            call_id=as_text(call.get("id")),
            agent_id=agent,
            parent_id=log.root,
            started_at=about["ended_at"],
            source_ids=about["source_ids"],
        )


def _take_choice(log: SpeakerLog, event: Mapping[str, Any], source: str, about: Mapping[str, Any]) -> None:
    chosen = next((name for name in as_list(event.get("content")) if isinstance(name, str)), "?")
    manager = log.agent(source, "orchestrator")
    _add(log, "handoff", "select_speaker", agent_id=manager, to_agent_id=log.speaker(chosen), **about)


def _take_results(log: SpeakerLog, event: Mapping[str, Any], _: str, about: Mapping[str, Any]) -> None:
    for result in as_records(event.get("content")):
        declared = result.get("is_error")
        answer = Answer(
            text=text_of(result.get("content")),
            is_error=declared if isinstance(declared, bool) else None,
            at=about["ended_at"],
            source_id=about["source_ids"][0],
        )
        if not log.answer(as_text(result.get("call_id")), answer):
            log.miss("tool result without its call")


def _take_handoff(log: SpeakerLog, event: Mapping[str, Any], source: str, about: Mapping[str, Any]) -> None:
    target = as_text(event.get("target")) or "?"
    receiver, sender = log.speaker(target), log.speaker(source)
    at = log.last_call(f"transfer_to_{target.lower()}")
    at = log.last_call(f"transfer_to_{target}") if at is None else at
    if at is not None and log.spans[at].to_agent_id is None and log.spans[at].agent_id == sender:
        log.change(at, to_agent_id=receiver, source_span_ids=(*log.spans[at].source_span_ids, *about["source_ids"]))
        return
    text = text_of(event.get("content"))
    _add(log, "handoff", f"handoff {target}", agent_id=sender, to_agent_id=receiver, text=text, **about)


def _take_execution(log: SpeakerLog, event: Mapping[str, Any], source: str, about: Mapping[str, Any]) -> None:
    result = as_record(event.get("result"))
    code = result.get("exit_code")
    at = log.call("code", None, agent_id=log.speaker(source), parent_id=log.root, **about)
    is_error = code != 0 if isinstance(code, int) else None
    log.answer_at(at, Answer(text=text_of(result.get("output")), is_error=is_error, attributes={"exit_code": code}))


def _add(log: SpeakerLog, operation: Operation, name: str, **fields: Any) -> None:
    log.add(operation, name, parent_id=log.root, **fields)


def _rest(event: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in event.items() if key not in UNDERSTOOD and value not in (None, {}, [])}
    if event.get("type") == "MultiModalMessage" and (parts := other_parts(event.get("content"))):
        rest["other_parts"] = parts
    return rest


TAKERS: Final[Mapping[str, Callable[[SpeakerLog, Mapping[str, Any], str, Mapping[str, Any]], None]]] = {
    "ToolCallRequestEvent": _take_request,
    "ToolCallMessage": _take_request,
    "ToolCallExecutionEvent": _take_results,
    "ToolCallResultMessage": _take_results,
    "HandoffMessage": _take_handoff,
    "SelectSpeakerEvent": _take_choice,
    "SelectorEvent": _take_choice,
    "CodeExecutionEvent": _take_execution,
}
