"""The trace format `openai_messages`: chat messages with roles, bare or with what a benchmark says about the run.

Read are: a list of messages; an object with `messages` (a request, a completion with `choices`, a fine-tuning example);
lines of either; tau-bench's list of runs (`traj`, `task_id`, `trial`, `reward`) and tau²-bench's `simulations`. A run
of tau-bench is one trial of its task, so the task is its group. Its reward is the outcome, a success at 1.

What a file says about a run beside its messages may be a label, so it is kept as annotations, except for what is known
to be configuration (the model, its settings, the offered tools), which is kept with the root span.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from agents_eval_core.formats.chat.chat_messages import ChatLog, has_chat_role, is_chat_message
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_number, as_record, as_records, as_text
from agents_eval_core.trace import Outcome, Source, Trace

NAME: Final = "openai_messages"
MESSAGES: Final = ("traj", "messages")
CONFIGURATION: Final = (
    "model", "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "tool_choice", "tools", "functions",
    "parallel_tool_calls", "response_format", "reasoning_effort", "service_tier", "system_fingerprint",
)  # fmt: skip
OTHERS_KEYS: Final = frozenset(
    ("trajectory_format", "trajectory", "history", "anthropic_version", "samples", "new_items", "steps")
)


def _is_known(seen: Sketch) -> bool:
    """Whether the first messages of a file are chat messages.

    >>> from pathlib import Path
    >>> OpenAIMessagesFormat().recognises(Path("any"), b'[{"role": "user", "content": "Hello"}, {"role": "assi')
    True
    """
    first, *others = messages = seen.whole(_first_messages(seen)) or [None]
    is_alone = seen.is_cut and not others
    is_chat = (has_chat_role(first) if is_alone else is_chat_message(first)) and all(map(is_chat_message, others))
    return is_chat and not all(map(_is_by_a_named_speaker, messages))


def _traces(first: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    if "role" in as_record(first):
        yield _trace(values, {}, file.source(NAME), file.longest_text, file.trace_id(None, 0))
        return
    runs = (run for value in values for run in _runs(value, file))
    for number, run in enumerate(runs):
        yield _trace(iter(_messages_of(run)), run, file.source(NAME), file.longest_text, file.trace_id(None, number))


def _first_messages(seen: Sketch) -> list[Any]:
    first = as_record(seen.first)
    if "role" in first:
        return as_list(seen.value) if seen.shape != "object" else [first]
    if not first:
        return as_list(seen.first)
    if OTHERS_KEYS & first.keys() or "exit_status" in as_record(first.get("info")):
        return []
    run = next(iter(as_records(first.get("simulations"))), first)
    return _messages_of(run)


def _messages_of(run: Mapping[str, Any]) -> list[Any]:
    lists = (as_list(run[key]) for key in MESSAGES if key in run)
    return next(lists, list[Any]())


def _runs(value: Any, file: JsonFile) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield {"messages": value}
        return
    run = as_record(value)
    if "simulations" in run:
        yield from as_records(run["simulations"])
    elif any(key in run for key in MESSAGES):
        yield run
    else:
        file.miss("entry without messages", f"entry with {', '.join(sorted(run)[:5]) or 'nothing'}")


def _trace(
    messages: Iterator[Any], run: Mapping[str, Any], source: Source, longest_text: int | None, number: str
) -> Trace:
    settings = {key: run[key] for key in CONFIGURATION if run.get(key) is not None}
    log = ChatLog(longest_text, attributes=settings)
    for place, message in enumerate(messages):
        if isinstance(message, dict):
            log.take(as_record(message), str(place))
        else:
            log.miss("entry that is no message")
    for choice in as_records(run.get("choices")):
        message = {"usage": run.get("usage"), "model": run.get("model"), **as_record(choice.get("message"))}
        log.take(message, f"choices.{choice.get('index', 0)}")
    log.finish()
    return _labelled(log, run, source, number)


def _labelled(log: ChatLog, run: Mapping[str, Any], source: Source, number: str) -> Trace:
    task, trial = run.get("task_id"), run.get("trial")
    task_id = str(task) if isinstance(task, int | str) else None
    known = {*MESSAGES, *CONFIGURATION, "task_id", "id", "choices", "usage", "reward"}
    labels = [log.annotation(key, value) for key, value in run.items() if key not in known]
    trace_id = as_text(run.get("id")) or (f"task-{task_id}-trial-{trial}" if task_id and trial is not None else number)
    return log.trace(
        trace_id,
        source,
        annotations=labels,
        outcome=_outcome(run),
        task_id=task_id,
        group_id=task_id if trial is not None else None,
    )


def _outcome(run: Mapping[str, Any]) -> Outcome | None:
    reward = as_number(run.get("reward", as_record(run.get("reward_info")).get("reward")))
    return None if reward is None else Outcome(success=reward >= 1, reward=reward)


def _is_by_a_named_speaker(message: Any) -> bool:
    """Whether a message is one of a conversation between named agents, which has a reader of its own."""
    return bool(as_record(message).get("name")) and as_record(message).get("role") in ("user", "assistant")


OpenAIMessagesFormat: Final = partial(JsonFormat, name=NAME, holds="chat message", is_known=_is_known, traces=_traces)
