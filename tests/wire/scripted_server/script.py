"""Scripts: what a scripted model says."""

import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic_ai.messages import ToolCallPart

from agents_eval_agents.providers.offline_conversation import Conversation
from agents_eval_agents.providers.offline_roles import next_parts
from scripted_server.exchange import Ask, Call, Fault, Json, Say, Script

ANSWERS_OF_THE_TEAM: Final = frozenset({"give_research", "give_analysis", "give_critique", "give_review"})


def capable(ask: Ask) -> Say:
    """Carry the review team from the first call to the review; answer any other question in the shape asked for."""
    if ANSWERS_OF_THE_TEAM & ask.tools.keys():
        parts = next_parts(Conversation.of(ask.messages), frozenset(ask.tools))
        calls = [part for part in parts if isinstance(part, ToolCallPart)]
        return Say(
            calls=tuple(_call(ask, place, each.tool_name, each.args_as_dict()) for place, each in enumerate(calls))
        )
    return in_shape(ask)


def in_shape(ask: Ask, **known: Any) -> Say:
    """Answer with made-up values in the shape that is asked for; `known` are values by the name of their field."""
    if ask.schema is not None:
        return Say(text=json.dumps(filled(ask.schema, ask.schema, known)))
    if not ask.tools:
        return Say(text="All is well.")
    name, schema = list(ask.tools.items())[-1]
    return Say(calls=(_call(ask, 0, name, filled(schema, schema, known)),))


def always(said: Say | Fault) -> Script:
    """Say the same to everybody."""

    def script(_ask: Ask) -> Say | Fault:
        return said

    return script


def one_after_another(says: Sequence[Say | Fault], then: Script = capable) -> Script:
    """Say these first, one for each request, and then what another script says."""
    left = list(says)

    def script(ask: Ask) -> Say | Fault:
        return left.pop(0) if left else then(ask)

    return script


def filled(schema: Json, root: Json, known: Json) -> Any:
    """Return a value that a JSON schema allows."""
    schema = _resolved(schema, root)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    kind = schema["type"].lower() if isinstance(schema.get("type"), str) else schema.get("type")
    if kind == "object" or "properties" in schema:
        return {name: known.get(name, filled(each, root, known)) for name, each in schema.get("properties", {}).items()}
    if kind == "array":
        return [filled(schema.get("items", {}), root, known)] if schema.get("minItems") else []
    return _scalar(kind, schema)


def _scalar(kind: Any, schema: Json) -> Any:
    least = schema.get("minimum", 1)
    values = {"integer": int(least), "number": float(least), "boolean": True, "null": None}
    return values.get(kind if isinstance(kind, str) else kind[0] if kind else "", "words")


def _resolved(schema: Json, root: Json) -> Json:
    if "$ref" in schema:
        place: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        return _resolved(place, root)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return _resolved(schema[several][0], root)
    return schema


def _call(ask: Ask, place: int, tool: str, arguments: Json) -> Call:
    return Call(tool=tool, arguments=arguments, id=f"call_{ask.number}_{place}")
