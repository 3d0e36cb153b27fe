"""What a convention takes out of a record's attributes, so that what is not understood is what is left."""

from typing import Any

from agents_eval_core.formats.json_text.json_values import as_amount, as_json, parsed
from agents_eval_core.trace import ToolUse

LONGEST_NUMBER = 18


def take_text(rest: dict[str, Any], *names: str) -> str | None:
    """Take the first of some attributes that is a text, and the others where they say the same.

    >>> rest = {"a": "", "b": "x", "c": "x", "d": "y"}
    >>> take_text(rest, "a", "b", "c", "d"), rest
    ('x', {'a': '', 'd': 'y'})
    """
    for name in names:
        found = rest.get(name)
        if isinstance(found, str) and found:
            for other in names:
                if rest.get(other) == found:
                    del rest[other]
            return found
    return None


def take_count(rest: dict[str, Any], *names: str) -> int | None:
    """Take the first of some attributes that is a whole number and not negative; digits are a number."""
    for name in names:
        value = rest.get(name)
        if isinstance(value, str) and value.isdecimal() and len(value) <= LONGEST_NUMBER:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            del rest[name]
            return value
    return None


def take_cost(rest: dict[str, Any], *names: str) -> float | None:
    """Take the first of some attributes that is an amount of money."""
    for name in names:
        value = as_amount(rest.get(name))
        if value is not None:
            del rest[name]
            return value
    return None


def take_tool(
    rest: dict[str, Any], span_name: str, *, name: tuple[str, ...], call_id: str, arguments: str, result: str
) -> ToolUse:
    """Take a tool call; where it has no name, the span's is its name."""
    returned = rest.pop(result, None)
    return ToolUse(
        name=take_text(rest, *name) or span_name,
        call_id=take_text(rest, call_id),
        arguments=parsed(rest.pop(arguments, None)),
        result=returned if returned is None or isinstance(returned, str) else as_json(returned),
    )
