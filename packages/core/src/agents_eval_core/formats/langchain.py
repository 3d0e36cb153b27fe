"""The trace format `langchain`: what LangChain, LangGraph and LangSmith leave behind.

Read are: messages in any of the ways in which they are dumped (a list, lines, or a state's `messages`); states of a
graph one after another (a stream of values, or a history), of which those that begin with the same message are one run
and each message is taken once; updates by node; and runs as LangSmith exports them (`run_type`), alone, in lists, in
lines or nested in `child_runs`.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from agents_eval_core.formats.chat.langchain_log import LangChainLog
from agents_eval_core.formats.chat.langchain_messages import (
    is_state,
    plain_message,
    same_message,
    state_messages,
    update_messages,
)
from agents_eval_core.formats.chat.langchain_runs import is_run, traces_of_runs
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_record
from agents_eval_core.trace import Trace

NAME: Final = "langchain"
Heard: TypeAlias = list[tuple[str | None, dict[str, Any]]]
"""Messages in plain form, with the nodes they came from where that is known."""

STATE_KEYS: Final = ("messages", "values", "channel_values")


def _is_known(seen: Sketch) -> bool:
    """Whether a file begins with messages of LangChain's types, or with LangSmith's runs.

    >>> from pathlib import Path
    >>> LangChainFormat().recognises(Path("any"), b'{"messages": [{"type": "human", "content": "Hello"}, {"ty')
    True
    """
    first = seen.first
    if isinstance(first, list):
        first = next(iter(as_list(first)), None)
    return _is_of_langchain(first)


def _traces(first: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    if is_run(first):
        yield from traces_of_runs(values, file.source(NAME), file.longest_text, file.miss)
    elif plain_message(first) is not None:
        yield _trace([_plain(values, file)], file, 0)
    else:
        for number, states in enumerate(_runs(values, file)):
            yield _trace(states, file, number)


def _trace(states: list[Heard], file: JsonFile, number: int) -> Trace:
    log = LangChainLog(file.longest_text)
    taken: list[dict[str, Any]] = []
    for state in states:
        for place, (node, message) in enumerate(state):
            if place < len(taken) and node is None and same_message(taken[place], message):
                continue
            if node is None:
                taken[place:] = [message]
            log.take(message, str(len(log.spans)), node=node)
    log.finish()
    return log.trace(file.trace_id(None, number), file.source(NAME))


def _is_of_langchain(value: Any) -> bool:
    record = as_record(value)
    if is_run(record) or _is_plain_list(record.get("messages")):
        return True
    if any(is_state(record) for key in STATE_KEYS if key in record):
        return True
    return plain_message(record) is not None or bool(update_messages(record))


def _is_plain_list(value: Any) -> bool:
    messages = as_list(value)
    return bool(messages) and plain_message(messages[0]) is not None


def _plain(values: Iterator[Any], file: JsonFile) -> Heard:
    heard: Heard = []
    for number, value in enumerate(values):
        message = plain_message(file.shorter(value))
        if message is None:
            file.miss("entry that is no message", f"entry {number}")
        else:
            heard.append((None, message))
    return heard


def _runs(values: Iterator[Any], file: JsonFile) -> Iterator[list[Heard]]:
    """Yield the states of each run; a history that has its newest state first is turned round."""
    run: list[Heard] = []
    updates: Heard = []
    for number, value in enumerate(values):
        state: Heard = [(None, message) for message in _messages_of(file.shorter(value))]
        if state and run and not same_message(run[0][0][1], state[0][1]):
            yield _in_order(run)
            run = []
        if state:
            run.append(state)
        elif found := update_messages(value):
            updates += found
        else:
            file.miss("entry without messages", f"entry {number}")
    if run:
        yield _in_order(run)
    if updates:
        yield [updates]


def _messages_of(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [plain for message in as_list(value) if (plain := plain_message(message)) is not None]
    return state_messages(value)


def _in_order(run: list[Heard]) -> list[Heard]:
    return run[::-1] if len(run) > 1 and len(run[0]) > len(run[-1]) else run


LangChainFormat: Final = partial(
    JsonFormat, name=NAME, holds="message or run of LangChain", is_known=_is_known, traces=_traces
)
