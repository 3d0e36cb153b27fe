"""What some servers do not take in the schema of a tool or an answer."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from scripted_server.exchange import Ask, Json

SchemaRule = Callable[[Ask, str, Json], str | None]


def broken_rule(rules: Sequence[SchemaRule], ask: Ask) -> str | None:
    """Return which rule a request breaks first, in words, or None."""
    schemas = [*ask.tools.items(), *([("answer", ask.schema)] if ask.schema else [])]
    said = (rule(ask, name, schema) for rule in rules for name, schema in schemas)
    return next((each for each in said if each), None)


def strict(ask: Ask, name: str, schema: Json) -> str | None:
    """Refuse a tool that calls itself strict and is not: open objects, or fields that are not required."""
    if not _says_strict(ask, name):
        return None
    for place in _objects(schema):
        if place.get("additionalProperties") is not False:
            return f"{name}: 'additionalProperties' is required to be supplied and to be false"
        if set(place.get("required", ())) != set(place.get("properties", {})):
            return f"{name}: 'required' is required to include every key in properties"
    return None


def without_additional_properties(_ask: Ask, name: str, schema: Json) -> str | None:
    """Refuse every schema that says anything about additional properties."""
    if any("additionalProperties" in place for place in _objects(schema)):
        return f'{name}: Unknown name "additionalProperties"'
    return None


def without_references(_ask: Ask, name: str, schema: Json) -> str | None:
    """Refuse every schema that refers to a part of itself."""
    return f"{name}: $ref is not supported" if "$ref" in repr(schema) else None


def _says_strict(ask: Ask, name: str) -> bool:
    for tool in ask.body.get("tools") or ():
        own = tool.get("function", tool)
        if own.get("name") == name:
            return bool(own.get("strict") or tool.get("strict"))
    return False


def _objects(schema: Any) -> Iterator[Json]:
    if isinstance(schema, dict):
        place = cast("Json", schema)
        if place.get("type") == "object":
            yield place
        for each in place.values():
            yield from _objects(each)
    elif isinstance(schema, list):
        for each in cast("list[Any]", schema):
            yield from _objects(each)
