"""What Agents-eval adds to spans that it exports, so that reading them gives the same trace again."""

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from agents_eval_core.trace import Agent, Annotation, Clock, Outcome

HEADER: Final = "agents_eval.trace"
"""The resource attribute with what is said about the trace, and the name of the span of a trace that has none."""
FACTS: Final = "agents_eval.span"
"""The attribute with what is said about a span, except for what has an attribute of its own."""
TEXT: Final = "agents_eval.text"
ATTRIBUTES: Final = "agents_eval.attributes"
"""Attributes that cannot be attributes of an exported span, as JSON."""
OPERATION: Final = "gen_ai.operation.name"
SAID: Final = "gen_ai.output.messages"
ARGUMENTS: Final = "gen_ai.tool.call.arguments"
RESULT: Final = "gen_ai.tool.call.result"
WRITTEN: Final = frozenset(
    (
        FACTS,
        TEXT,
        ATTRIBUTES,
        OPERATION,
        SAID,
        ARGUMENTS,
        RESULT,
        "gen_ai.agent.name",
        "gen_ai.agent.id",
        "gen_ai.tool.name",
        "gen_ai.tool.call.id",
        "gen_ai.response.model",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.cache_read.input_tokens",
        "operation.cost",
        "error.type",
    )
)
"""The attributes that an export writes itself."""


class Header(Struct, frozen=True, kw_only=True):
    """A trace without its spans and its source."""

    id: str
    agents: tuple[Agent, ...] = ()
    clock: Clock = "wall"
    task_id: str | None = None
    group_id: str | None = None
    outcome: Outcome | None = None
    annotations: tuple[Annotation, ...] = ()
    unread: Mapping[str, int] = field(default_factory=dict[str, int])


def as_exact_json(value: Any) -> str:
    """Return a value as JSON that also has what JSON does not: NaN, and integers of any size."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_exact_json(text: Any) -> Any:
    """Return the value of such JSON; what is something else, as it is.

    >>> from_exact_json(as_exact_json({"a": [1, None, "x"]}))
    {'a': [1, None, 'x']}
    """
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def header_of(text: Any) -> Header | None:
    """Return a header, or None where it is damaged."""
    try:
        return msgspec.convert(from_exact_json(text), Header)
    except (ValueError, RecursionError):
        return None
