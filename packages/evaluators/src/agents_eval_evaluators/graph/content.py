"""What arguments and results say, without the names of their fields."""

from collections.abc import Mapping
from typing import Any, cast

from agents_eval_evaluators.graph.calls import normal


def content(value: Any) -> str:
    r"""Return the texts and figures in a JSON value, one a line; text that is no JSON object or list is kept as it is.

    Field names are the program's words, not the agents': two unrelated answers share them.

    >>> content('{"points": [{"text": "No baseline.", "table": 3}]}')
    'No baseline.\n3'
    >>> content("No baseline.")
    'No baseline.'
    """
    if isinstance(value, str):
        value = normal(value)
        if isinstance(value, str):
            return value
    found: list[str] = []
    _gather(value, found)
    return "\n".join(found)


def _gather(value: Any, found: list[str]) -> None:
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, Mapping):
        for part in cast("Mapping[str, Any]", value).values():
            _gather(part, found)
    elif isinstance(value, list | tuple):
        for part in cast("list[Any]", value):
            _gather(part, found)
    elif value is not None and not isinstance(value, bool):
        found.append(str(value))
