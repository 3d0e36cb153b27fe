"""The trace format `openai_agents`: what the OpenAI Agents SDK leaves behind.

Read are: lists and lines of items (`to_input_list()`, a session); run results and saved run states (items with their
agents, and the responses that have the usage); responses of the Responses API, alone, in lists or lines; and exported
traces and spans. Usage that a result sums up over the run is not taken; a response whose items are not among those of
the run is counted in `unread`.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from agents_eval_core.formats.chat.openai_agents_spans import is_export, traces_of_exports
from agents_eval_core.formats.chat.response_items import ItemLog, is_input, is_item
from agents_eval_core.formats.json_text.json_file import JsonFile
from agents_eval_core.formats.json_text.json_format import JsonFormat
from agents_eval_core.formats.json_text.json_sketch import Sketch
from agents_eval_core.formats.json_text.json_values import as_list, as_record, as_records, as_text
from agents_eval_core.trace import Trace

NAME: Final = "openai_agents"
ITEMS: Final = ("new_items", "newItems", "generated_items", "generatedItems", "items")
RESPONSES: Final = ("raw_responses", "rawResponses", "model_responses", "modelResponses")
INPUTS: Final = ("input", "original_input", "originalInput")


def _is_known(seen: Sketch) -> bool:
    """Whether a file has items, results or exports of the SDK.

    >>> from pathlib import Path
    >>> OpenAIAgentsFormat().recognises(Path("any"), b'{"object": "trace", "id": "trace_1", "workflow_name": "w"}')
    True
    """
    first = as_record(seen.first)
    if _is_whole_run(first) or is_export(first) or is_export(_first(first.get("data"))):
        return True
    entries = seen.whole(as_list(seen.value) if seen.shape != "object" else [first])
    if not first:
        entries = as_list(seen.first)
    return bool(entries) and all(map(is_input, entries)) and any(map(is_item, entries))


def _traces(first: Any, values: Iterator[Any], file: JsonFile) -> Iterator[Trace]:
    if is_export(first) or is_export(_first(as_record(first).get("data"))):
        exported = (entry for value in values for entry in (as_list(as_record(value).get("data")) or [value]))
        yield from traces_of_exports(exported, file.source(NAME), file.longest_text, file.miss)
    elif is_input(first) or as_record(first).get("object") == "response":
        yield _items(values, file)
    else:
        for number, value in enumerate(values):
            yield _run(value, file, number)


def _items(values: Iterator[Any], file: JsonFile) -> Trace:
    log = ItemLog(file.longest_text)
    for place, value in enumerate(values):
        record = as_record(value)
        if record.get("object") == "response":
            _take_response(log, record, str(place))
        elif is_input(record):
            log.take(record, str(place))
        else:
            log.miss("entry that is no item")
    log.finish()
    return log.trace(file.trace_id(None, 0), file.source(NAME))


def _run(value: Any, file: JsonFile, number: int) -> Trace:
    log = ItemLog(file.longest_text)
    run = as_record(value) or {"items": as_list(value)}
    _take_input(log, next((run[key] for key in INPUTS if key in run), None))
    items = next((as_list(run[key]) for key in ITEMS if key in run), list[Any]())
    for place, entry in enumerate(as_records(items)):
        item = as_record(entry.get("raw_item")) or as_record(entry.get("rawItem")) or entry
        if entry.get("type") != "handoff_output_item" or str(item.get("type")).endswith("_output"):
            log.take(item, str(place), agent=_agent_of(entry))
    for responses in (as_records(run[key]) for key in RESPONSES if key in run):
        for response in responses:
            _tell_usage(log, response)
    log.finish()
    return log.trace(file.trace_id(as_text(run.get("id")), number), file.source(NAME))


def _first(value: Any) -> Any:
    return next(iter(as_list(value)), None)


def _is_whole_run(run: Mapping[str, Any]) -> bool:
    if run.get("object") == "response" and "output" in run:
        return True
    if not any(key in run for key in ITEMS[:-1]):
        return False
    return any(
        key in run for key in (*RESPONSES, *INPUTS, "last_agent", "_last_agent", "final_output", "$schemaVersion")
    )


def _take_input(log: ItemLog, given: Any) -> None:
    if isinstance(given, str):
        log.take({"role": "user", "content": given}, "input")
    for place, item in enumerate(as_records(given)):
        log.take(item, f"input.{place}")


def _take_response(log: ItemLog, response: Mapping[str, Any], place: str) -> None:
    log.next_response()
    output = as_records(response.get("output"))
    for number, item in enumerate(output):
        log.take(item, f"{place}.output.{number}")
    _tell_usage(log, response)
    log.next_response()


def _tell_usage(log: ItemLog, response: Mapping[str, Any]) -> None:
    keys = (as_text(item.get(key)) for item in as_records(response.get("output")) for key in ("id", "call_id"))
    told = any(log.tell(key, usage=response.get("usage"), model=response.get("model")) for key in keys if key)
    if not told and response.get("usage"):
        log.miss("response without its items")


def _agent_of(entry: Mapping[str, Any]) -> str | None:
    agent = entry.get("agent") or entry.get("source_agent") or entry.get("sourceAgent")
    return as_text(agent) or as_text(as_record(agent).get("name"))


OpenAIAgentsFormat: Final = partial(
    JsonFormat, name=NAME, holds="item, result or span of the OpenAI Agents SDK", is_known=_is_known, traces=_traces
)
