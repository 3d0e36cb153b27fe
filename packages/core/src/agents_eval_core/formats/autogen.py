"""The trace format `autogen`: conversations of AutoGen and AG2.

Read are: chat histories of named speakers (a list, lines, or a result's `chat_history`), MAST's runs of AG2
(`trajectory` of such messages, with labels), and from version 0.4 on a task result's `messages`, lists and lines of
messages and events. The roles `user` and `assistant` in chat histories alternate and say nothing about who speaks.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from agents_eval_core.formats.building.trace_log import Answer
from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_record, as_records, as_text, parsed
from agents_eval_core.formats.speakers import mast_labels
from agents_eval_core.formats.speakers.autogen_events import is_event, is_typed, take_event
from agents_eval_core.formats.speakers.speaker_log import SpeakerLog
from agents_eval_core.trace import Trace

NAME: Final = "autogen"
LISTS: Final = ("trajectory", "chat_history", "messages")
ROLES: Final = ("user", "assistant", "tool", "function")
UNDERSTOOD: Final = frozenset(("role", "name", "content", "tool_calls", "tool_responses", "function_call"))
RESULT: Final = frozenset((*LISTS, "instance_id", "problem_statement", "other_data", "note", "chat_id", "cost"))


def _is_known(seen: Sketch) -> bool:
    """Whether a file has messages of named speakers, or messages and events of AutoGen's types.

    >>> from pathlib import Path
    >>> AutoGenFormat().recognises(Path("any"), b'[{"content": "Hello", "role": "user", "name": "coder"}, {"con')
    True
    """
    messages = seen.whole(_first_messages(seen))
    if any(map(is_event, messages)):
        return all(is_typed(message) or _repeats_all(message) for message in messages)
    return bool(messages) and all(map(_is_named_message, messages))


def _traces(first: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    if _is_entry(first):
        events = (value for value in values if not _repeats_all(value))
        yield _trace(events, {}, file, 0)
        return
    for number, value in enumerate(values):
        run = as_record(value) or {"messages": as_list(value)}
        key = next((key for key in LISTS if isinstance(run.get(key), list)), None)
        if key is None:
            file.miss("entry without messages", f"entry {number}")
        else:
            yield _trace(iter(as_list(run[key])), run, file, number)


def _trace(messages: Iterator[Any], run: Mapping[str, Any], file: JsonFile, number: int) -> Trace:
    log = SpeakerLog(file.longest_text)
    for place, message in enumerate(messages):
        if is_typed(message):
            take_event(log, message, str(place))
        elif isinstance(message, dict) and _speaker(as_record(message)):
            _take_message(log, as_record(message), str(place))
        else:
            log.miss("entry that is no message")
    log.with_receivers()
    task = as_text(run.get("instance_id"))
    others = [log.annotation(key, value) for key, value in run.items() if key not in RESULT]
    return log.trace(
        file.trace_id(task, number),
        file.source(NAME),
        task_id=task,
        group_id=task,
        outcome=mast_labels.outcome(run),
        annotations=[*mast_labels.annotations(run), *others],
    )


def _first_messages(seen: Sketch) -> list[Any]:
    first = as_record(seen.first)
    if _is_entry(first):
        return as_list(seen.value) if seen.shape != "object" else [first]
    if not first:
        return as_list(seen.first)
    if mast_labels.is_mast_run(first):
        return as_list(first["trajectory"])
    if "chat_history" in first:
        return as_list(first["chat_history"])
    messages = as_list(first.get("messages"))
    return messages if messages and is_event(messages[0]) else []


def _is_entry(value: Any) -> bool:
    return is_event(value) or (_is_named_message(value) and "messages" not in as_record(value))


def _is_named_message(value: Any) -> bool:
    message = as_record(value)
    content = message.get("content")
    is_plain = isinstance(content, str | None) or all(isinstance(part, str | dict) for part in as_list(content))
    is_answer = "tool_call_id" in message and "tool_responses" not in message
    return (
        message.get("role") in ROLES
        and bool(as_text(message.get("name")))
        and bool({"content", "tool_calls", "tool_responses"} & message.keys())
        and is_plain
        and not is_answer
        and "type" not in message
    )


def _repeats_all(value: Any) -> bool:
    """Whether a value is the result at the end of a stream, which has all messages again."""
    return "messages" in as_record(value) and not is_event(value)


def _speaker(message: Mapping[str, Any]) -> str | None:
    return as_text(message.get("name")) or as_text(message.get("role"))


def _take_message(log: SpeakerLog, message: dict[str, Any], place: str) -> None:
    name = _speaker(message) or "?"
    responses = as_records(message.get("tool_responses"))
    for response in responses:
        answer = Answer(text=text_of(response.get("content")), source_id=place)
        if not log.answer(as_text(response.get("tool_call_id")), answer):
            log.miss("tool result without its call")
    if message.get("role") == "function" and log.answer(f"function {name}", _plain_answer(message, place)):
        return
    text = text_of(message.get("content"))
    calls = as_records(message.get("tool_calls"))
    function = as_record(message.get("function_call"))
    if not responses and (text or not (calls or function)):
        rest = {key: value for key, value in message.items() if key not in UNDERSTOOD and value is not None}
        log.say(name, text, place, attributes=rest)
    for call in [*calls, *([{"function": function, "id": f"function {function.get('name')}"}] if function else [])]:
        called = as_record(call.get("function"))
        log.call(
            as_text(called.get("name")) or "?",
            parsed(called.get("arguments")),
            call_id=as_text(call.get("id")),
            agent_id=log.speaker(name),
            parent_id=log.root,
            source_ids=[place],
        )


def _plain_answer(message: Mapping[str, Any], place: str) -> Answer:
    return Answer(text=text_of(message.get("content")), source_id=place)


AutoGenFormat: Final = partial(
    JsonFormat, name=NAME, holds="conversation of AutoGen or AG2", is_known=_is_known, traces=_traces
)
