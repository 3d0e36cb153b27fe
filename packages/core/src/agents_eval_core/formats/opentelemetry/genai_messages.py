"""What a model said, in the ways in which OpenTelemetry's conventions have written messages down.

Since 1.37 `gen_ai.output.messages` (JSON in a text, or values); before, events of the span or JSON lists of events
in an attribute; before that, `gen_ai.completion`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from agents_eval_core.formats.json_text.json_values import as_record, as_records, as_text, parsed
from agents_eval_core.formats.opentelemetry.raw_span import RawEvent

OUTPUT: Final = "gen_ai.output.messages"
HISTORIES: Final = frozenset(
    (
        "gen_ai.input.messages",
        "gen_ai.prompt",
        "pydantic_ai.all_messages",
        "all_messages_events",
        "logfire.json_schema",
        "raw_input",
    )
)
"""Attributes that repeat what other spans say, or describe other attributes."""
SAID: Final = ("gen_ai.choice", "gen_ai.content.completion", "gen_ai.client.inference.operation.details")
HISTORY_EVENTS: Final = frozenset(
    (
        *SAID,
        "exception",
        "gen_ai.system.message",
        "gen_ai.user.message",
        "gen_ai.assistant.message",
        "gen_ai.tool.message",
        "gen_ai.content.prompt",
    )
)


class Part(Struct, gc=False):
    """A part of a message."""

    type: str = ""
    content: str | None = None


class Message(Struct):
    """A message in parts."""

    parts: list[Part] = field(default_factory=list[Part])


_messages: Final = msgspec.json.Decoder(list[Message])


def take_said(rest: dict[str, Any], events: Sequence[RawEvent]) -> str | None:
    """Take what the model said out of a chat's attributes and events; None where it only called tools.

    >>> take_said({"gen_ai.output.messages": '[{"parts": [{"type": "text", "content": "hi"}]}]'}, ())
    'hi'
    """
    output = rest.pop(OUTPUT, None)
    if output is not None:
        return _joined(_of_output(output))
    listed = rest.get("events")
    if listed is not None and (found := as_records(parsed(listed))) and _are_messages(found):
        del rest["events"]
        return _joined(_of_event_list(found))
    completion = rest.pop("gen_ai.completion", None)
    if completion is not None:
        return _joined(_of_completion(completion))
    return _joined(text for event in events if event.name in SAID for text in _of_event(event))


def unread_events(events: Sequence[RawEvent]) -> Sequence[str]:
    """Return the kinds of events that nothing is known about."""
    return [f"event {event.name}" for event in events if event.name not in HISTORY_EVENTS] if events else ()


def _joined(texts: Iterator[str]) -> str | None:
    return "\n".join(text for text in texts if text) or None


def _of_output(output: Any) -> Iterator[str]:
    if isinstance(output, str):
        try:
            messages = _messages.decode(output)
        except (ValueError, RecursionError):
            output = parsed(output)
        else:
            yield from (part.content or "" for one in messages for part in one.parts if part.type == "text")
            return
    for message in as_records(output):
        for part in as_records(message.get("parts")):
            if part.get("type") == "text":
                yield as_text(part.get("content")) or ""


def _are_messages(found: Sequence[dict[str, Any]]) -> bool:
    return any(str(event.get("event.name", "")).startswith("gen_ai.") for event in found)


def _of_event_list(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the answers: the choices, or where there is none what the assistant said after the last user or tool."""
    choices = [event for event in found if event.get("event.name") == "gen_ai.choice"]
    if choices:
        for event in choices:
            yield from texts_of(as_record(event.get("message")).get("content"))
        return
    answers: list[dict[str, Any]] = []
    for event in found:
        answers = [*answers, event] if event.get("event.name") == "gen_ai.assistant.message" else []
    for event in answers:
        yield from texts_of(event.get("content"))


def _of_completion(completion: Any) -> Iterator[str]:
    value = parsed(completion)
    if isinstance(value, str):
        yield value
    for message in as_records(value):
        yield from texts_of(message.get("content"))


def _of_event(event: RawEvent) -> Iterator[str]:
    if OUTPUT in event.attributes:
        yield from _of_output(event.attributes[OUTPUT])
    elif "gen_ai.completion" in event.attributes:
        yield from _of_completion(event.attributes["gen_ai.completion"])
    else:
        body = {**event.attributes, **as_record(parsed(event.attributes.get("gen_ai.event.content")))}
        message = as_record(parsed(body.get("message"))) or body
        yield from texts_of(message.get("content"))


def texts_of(content: Any) -> Iterator[str]:
    """Yield the texts of a message's content: a text, or a list of parts.

    >>> list(texts_of([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "output_text", "text": "b"}]))
    ['a', 'b']
    """
    if isinstance(content, str):
        yield content
    for part in as_records(content):
        if part.get("type") in ("text", "output_text"):
            yield as_text(part.get("text")) or as_text(part.get("content")) or ""
