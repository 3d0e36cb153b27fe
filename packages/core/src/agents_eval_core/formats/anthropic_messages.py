"""The trace format `anthropic_messages`: conversations as Anthropic's Messages API has them.

Read are: a list of messages; an object with `messages` (a request; a response's `content` beside them is the last
message); lines of either; responses alone. What an object says beside its messages is kept with the root span where it
is configuration, else as annotations, since it may be a label.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from agents_eval_core.formats.chat.anthropic_blocks import INSTRUCTIONS, BlockLog, has_signs, is_message
from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_number, as_record, as_text
from agents_eval_core.trace import Outcome, Source, Trace

NAME: Final = "anthropic_messages"
CONFIGURATION: Final = (
    "model", "max_tokens", "temperature", "top_p", "top_k", "tools", "tool_choice", "thinking", "stop_sequences",
    "anthropic_version", "service_tier",
)  # fmt: skip
RESPONSE: Final = ("role", "content", "id", "type", "model", "usage", "stop_reason", "stop_sequence")
OTHERS_KEYS: Final = frozenset(("trajectory_format", "trajectory", "history", "samples", "steps", "simulations"))


def _is_known(seen: Sketch) -> bool:
    """Whether the first messages of a file are such messages, and one of them has what no others have.

    >>> from pathlib import Path
    >>> block = b'{"type": "tool_use", "id": "t", "name": "add", "input": {}}'
    >>> AnthropicMessagesFormat().recognises(Path("any"), b'[{"role": "assistant", "content": [' + block + b"]}]")
    True
    """
    if OTHERS_KEYS & as_record(seen.first).keys():
        return False
    found = _first_messages(seen)
    whole = seen.whole(found)
    return bool(found) and all(map(is_message, whole)) and (_is_request(seen.first) or any(map(has_signs, found)))


def _traces(first: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    if "role" in as_record(first) and "messages" not in as_record(first):
        yield _trace(values, {}, file.source(NAME), file.longest_text, file.trace_id(None, 0))
        return
    for number, value in enumerate(values):
        run = as_record(value) or {"messages": as_list(value)}
        if "messages" in run:
            messages = iter(as_list(run["messages"]))
            yield _trace(messages, run, file.source(NAME), file.longest_text, file.trace_id(None, number))
        else:
            file.miss("entry without messages", f"entry {number}")


def _first_messages(seen: Sketch) -> list[Any]:
    first = as_record(seen.first)
    if "messages" in first:
        return as_list(first["messages"])
    if "role" in first:
        return as_list(seen.value) if seen.shape != "object" else [first]
    return [] if first else as_list(seen.first)


def _is_request(value: Any) -> bool:
    request = as_record(value)
    return "anthropic_version" in request or ("max_tokens" in request and "messages" in request and "system" in request)


def _trace(
    messages: Iterator[Any], run: Mapping[str, Any], source: Source, longest_text: int | None, number: str
) -> Trace:
    settings = {key: run[key] for key in CONFIGURATION if run.get(key) is not None}
    if run.get("system"):
        settings[INSTRUCTIONS] = text_of(run["system"])
    log = BlockLog(longest_text, attributes=settings)
    for place, message in enumerate(messages):
        if isinstance(message, dict):
            log.take(as_record(message), str(place))
        else:
            log.miss("entry that is no message")
    if run.get("role") == "assistant" and "content" in run:
        log.take({key: run[key] for key in RESPONSE if run.get(key) is not None}, "response")
    known = {*CONFIGURATION, *RESPONSE, "messages", "system", "task_id", "reward"}
    labels = [log.annotation(key, value) for key, value in run.items() if key not in known]
    reward = as_number(run.get("reward"))
    task = run.get("task_id")
    return log.trace(
        as_text(run.get("id")) or number,
        source,
        annotations=labels,
        outcome=None if reward is None else Outcome(success=reward >= 1, reward=reward),
        task_id=str(task) if isinstance(task, int | str) else None,
    )


AnthropicMessagesFormat: Final = partial(
    JsonFormat, name=NAME, holds="Anthropic message", is_known=_is_known, traces=_traces
)
