"""The trace format `who_and_when`: failed runs with the agent and the step that failed them, and Magentic-One's logs.

Read are the files of the Who&When data set, of both halves (Magentic-One, where the speaker with its addressee is in
`role`; CaptainAgent, where it is in `name` and `role` says nothing), and the lines that Magentic-One itself logs. The
labels become annotations; that of the step points to the span of that entry. Every run of the set is a failure.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from agents_eval_core.formats.chat.content_parts import text_of
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_record, as_text
from agents_eval_core.formats.speakers.magentic_one import MagenticLog, is_magentic_event, is_magentic_speaker
from agents_eval_core.formats.speakers.speaker_log import SpeakerLog
from agents_eval_core.trace import Annotation, Outcome, Trace

NAME: Final = "who_and_when"
LABELS: Final = ("mistake_agent", "mistake_step", "mistake_reason")
NOT_LABELS: Final = ("history", "question_ID", "system_prompt")
CORRECT: Final = ("is_correct", "is_corrected")
ANNOTATORS: Final = "Who&When annotators"
TRUTHS: Final = {"true": True, "false": False}


def _is_known(seen: Sketch) -> bool:
    """Whether a file has a history of speakers with the data set's other fields, or lines of Magentic-One's log.

    >>> from pathlib import Path
    >>> WhoAndWhenFormat().recognises(Path("any"), b'{"history": [{"role": "Orchestrator (thought)", "content": "A')
    True
    """
    first = as_record(seen.first)
    if seen.shape != "object":
        return is_magentic_event(first)
    entries = seen.whole(as_list(first.get("history")))
    return bool(entries) and all(map(_is_entry, entries)) and _is_of_the_set(first, entries)


def _traces(first: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    if is_magentic_event(first):
        yield _log(values, file)
        return
    for number, value in enumerate(values):
        run = as_record(value)
        if isinstance(run.get("history"), list):
            yield _trace(run, file, number)
        else:
            file.miss("entry without history", f"entry {number}")


def _log(events: Iterator[Any], file: JsonFile) -> Trace:
    log = MagenticLog(file.longest_text)
    for place, event in enumerate(events):
        if is_magentic_event(event):
            log.take_event(as_record(event), str(place))
        else:
            log.miss("line of another kind")
    return log.trace(file.trace_id(None, 0), file.source(NAME))


def _trace(run: Mapping[str, Any], file: JsonFile, number: int) -> Trace:
    entries = as_list(run["history"])
    prompts = as_record(run.get("system_prompt"))
    attributes = {"gen_ai.system_instructions": prompts} if prompts else {}
    log = _heard(entries, file.longest_text, attributes)
    task = as_text(run.get("question_ID"))
    return log.trace(
        file.trace_id(task, number),
        file.source(NAME),
        task_id=task,
        outcome=_outcome(run),
        annotations=_annotations(run, log),
    )


def _is_entry(value: Any) -> bool:
    entry = as_record(value)
    return as_text(entry.get("role")) is not None and not {"agent", "message_type", "tool_calls"} & entry.keys()


def _is_of_the_set(run: Mapping[str, Any], entries: list[Any]) -> bool:
    if {"question", "question_ID", *LABELS} & run.keys():
        return True
    heard = [as_record(entry) for entry in entries]
    return any(is_magentic_speaker(entry.get("role")) for entry in heard) or all("name" in entry for entry in heard)


def _heard(entries: list[Any], longest_text: int | None, attributes: Mapping[str, Any]) -> SpeakerLog:
    is_magentic = any(is_magentic_speaker(as_record(entry).get("role")) for entry in entries)
    log = (
        MagenticLog(longest_text, attributes=attributes)
        if is_magentic
        else SpeakerLog(longest_text, attributes=attributes)
    )
    for place, value in enumerate(entries):
        entry = as_record(value)
        speaker = as_text(entry.get("name")) or as_text(entry.get("role"))
        if speaker is None:
            log.miss("entry without a speaker")
        elif isinstance(log, MagenticLog):
            log.hear(speaker, text_of(entry.get("content")), str(place))
        else:
            log.say(speaker, text_of(entry.get("content")), str(place))
    log.with_receivers()
    return log


def _annotations(run: Mapping[str, Any], log: SpeakerLog) -> list[Annotation]:
    step = str(run.get("mistake_step", ""))
    failing = step if any(span.id == step for span in log.spans) else None
    labels = [
        log.annotation(name, _step(run[name]) if name == "mistake_step" else run[name], span_id=failing, by=ANNOTATORS)
        for name in LABELS
        if name in run
    ]
    known = (*LABELS, *NOT_LABELS, *CORRECT)
    return labels + [log.annotation(name, value) for name, value in run.items() if name not in known]


def _step(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10 else value  # noqa: PLR2004  a number of a step


def _outcome(run: Mapping[str, Any]) -> Outcome | None:
    told = next((str(run[key]).lower() for key in CORRECT if key in run), None)
    return None if told is None else Outcome(success=TRUTHS.get(told))


WhoAndWhenFormat: Final = partial(
    JsonFormat, name=NAME, holds="run of Who&When or Magentic-One", is_known=_is_known, traces=_traces
)
