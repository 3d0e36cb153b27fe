"""Logs of Inspect as they are written: events, messages to models, usage."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Raw, Struct, field

from agents_eval_core.formats.building.known_usage import known_usage
from agents_eval_core.formats.json_text.json_values import as_amount, as_count, as_record, as_records, as_text
from agents_eval_core.trace import Usage

NOTHING: Final = Raw(b"[]")


class Event(Struct):
    """Something that happened; which fields are set depends on the kind `event`."""

    event: Any = None
    span_id: Any = None
    timestamp: Any = None
    completed: Any = None
    id: Any = None
    parent_id: Any = None
    type: Any = None
    name: Any = None
    model: Any = None
    role: Any = None
    input: Raw = NOTHING
    output: Any = None
    error: Any = None
    function: Any = None
    arguments: Any = None
    result: Any = None
    failed: Any = None
    pending: Any = None
    retries: Any = None
    cache: Any = None
    action: Any = None
    cmd: Any = None
    data: Any = None
    message: Any = None
    limit: Any = None
    decision: Any = None
    explanation: Any = None
    approver: Any = None
    source: Any = None
    events: list[Raw] = field(default_factory=list[Raw])


class ModelInput(Struct):
    """A message that a model was asked with."""

    id: Any = None
    role: Any = None
    content: Any = None


def content_text(content: Any) -> str | None:
    """Return the text of a content, which may be a list of parts."""
    if isinstance(content, list):
        parts = (as_text(part.get("text")) for part in as_records(content) if part.get("type", "text") == "text")
        return "\n".join(part for part in parts if part) or None
    return as_text(content)


def model_usage(told: Mapping[str, Any]) -> Usage | None:
    """Return the usage of one model as a log tells it, or None where it tells none."""
    return known_usage(
        Usage(
            input_tokens=as_count(told.get("input_tokens")),
            output_tokens=as_count(told.get("output_tokens")),
            cached_tokens=as_count(told.get("input_tokens_cache_read")),
            cost_usd=as_amount(told.get("total_cost")),
        )
    )


def total_usage(by_model: Mapping[str, Any]) -> Usage | None:
    """Return what all models of a sample used together, for logs without events."""
    parts: Sequence[Usage] = [usage for told in by_model.values() if (usage := model_usage(as_record(told)))]
    if not parts:
        return None

    def total(name: str) -> Any:
        known = [getattr(part, name) for part in parts if getattr(part, name) is not None]
        return sum(known) if known else None

    names = ("input_tokens", "output_tokens", "cached_tokens", "cost_usd")
    return Usage(**{name: total(name) for name in names}, scope="subtree")
