"""A neutral edit: the same JSON with other spaces and another order of keys."""

import json
from typing import Any, cast

from msgspec.structs import replace

from agents_eval_core.run import Run
from agents_eval_core.trace import ToolUse
from agents_eval_evaluators.validity.mutations.planted import Planted, trace_of, with_spans


def reformatted_json(run: Run) -> Planted | None:
    """Write the arguments and results of all calls that are JSON objects or lists anew."""
    trace = trace_of(run)
    spans = [span if span.tool is None else replace(span, tool=_tool(span.tool)) for span in trace.spans]
    if spans == list(trace.spans):
        return None
    return Planted(before=run, after=with_spans(run, spans))


def _tool(tool: ToolUse) -> ToolUse:
    result = None if tool.result is None else cast("str", _written_anew(tool.result))
    return replace(tool, arguments=_written_anew(tool.arguments), result=result)


def _written_anew(value: Any) -> Any:
    if not isinstance(value, str):
        return _turned(value)
    if not value.lstrip().startswith(("{", "[")):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return json.dumps(_turned(parsed), indent=3, ensure_ascii=False)


def _turned(value: Any) -> Any:
    """Return a JSON value with the keys of its objects in the reverse order."""
    if isinstance(value, dict):
        return {key: _turned(inner) for key, inner in reversed(cast("dict[str, Any]", value).items())}
    if isinstance(value, list):
        return [_turned(inner) for inner in cast("list[Any]", value)]
    return value
