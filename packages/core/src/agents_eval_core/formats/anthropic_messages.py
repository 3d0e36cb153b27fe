"""The trace format `anthropic_messages`: conversations as Anthropic's Messages API has them.

Read are: a list of messages; an object with `messages` (a request; a response's `content` beside them is the last
message); lines of either; responses alone. What an object says beside its messages is kept with the root span where it
is configuration, else as annotations, since it may be a label.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from agents_eval_core.formats.chat.anthropic_blocks import INSTRUCTIONS, BlockLog, has_signs, is_message
from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_file import JsonFile, open_json
from agents_eval_core.formats.json_text.json_sketch import Sketch, sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_number, as_record, as_text
from agents_eval_core.trace import Outcome, Source, Trace

CONFIGURATION: Final = (
    "model", "max_tokens", "temperature", "top_p", "top_k", "tools", "tool_choice", "thinking", "stop_sequences",
    "anthropic_version", "service_tier",
)  # fmt: skip
RESPONSE: Final = ("role", "content", "id", "type", "model", "usage", "stop_reason", "stop_sequence")
OTHERS_KEYS: Final = frozenset(("trajectory_format", "trajectory", "history", "samples", "steps", "simulations"))


class AnthropicMessagesFormat:
    """Reads lists of messages in blocks; see the module for what they may lie in."""

    @property
    def name(self) -> str:
        """The name it is declared under."""
        return "anthropic_messages"

    def recognises(self, source: Path, head: bytes) -> bool:  # noqa: ARG002  the content tells, not the name
        """Whether the first messages of a file are such messages, and one of them has what no others have.

        >>> block = b'{"type": "tool_use", "id": "t", "name": "add", "input": {}}'
        >>> AnthropicMessagesFormat().recognises(Path("any"), b'[{"role": "assistant", "content": [' + block + b"]}]")
        True
        """
        seen = sketch(head)
        if seen is None or OTHERS_KEYS & as_record(seen.first).keys():
            return False
        found = _first_messages(seen)
        whole = seen.whole(found)
        return bool(found) and all(map(is_message, whole)) and (_is_request(seen.first) or any(map(has_signs, found)))

    def read(self, source: Path, *, longest_text: int | None = None) -> Iterator[Trace]:
        """Yield one trace for each list of messages.

        Raises:
            UnreadableError: The file cannot be read, or holds no message.
        """
        file = open_json(source, longest_text)
        yield from file.closing(self._traces(file, longest_text), "Anthropic message")

    def _traces(self, file: JsonFile, longest_text: int | None) -> Iterator[Trace]:
        values = file.values()
        first = next(values, None)
        if first is None:
            return
        values = chain([first], values)
        if "role" in as_record(first) and "messages" not in as_record(first):
            yield _trace(values, {}, file.source(self.name), longest_text, file.trace_id(None, 0))
            return
        for number, value in enumerate(values):
            run = as_record(value) or {"messages": as_list(value)}
            if "messages" in run:
                messages = iter(as_list(run["messages"]))
                yield _trace(messages, run, file.source(self.name), longest_text, file.trace_id(None, number))
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
