"""What arguments and results say, without the names of their fields."""

import json
from collections.abc import Iterator
from typing import Any, cast


def content(value: Any) -> str:
    r"""Return the texts and figures in a JSON value, one a line; text that is no JSON object or list is kept as it is.

    Field names are the program's words, not the agents': two unrelated answers share them.

    >>> content('{"points": [{"text": "No baseline.", "table": 3}]}')
    'No baseline.\n3'
    >>> content("No baseline.")
    'No baseline.'
    """
    return "\n".join(_leaves(_parsed(value)))


def _parsed(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _leaves(value: Any) -> Iterator[str]:
    match value:
        case None | bool():
            return
        case dict():
            for part in cast("dict[str, Any]", value).values():
                yield from _leaves(part)
        case list() | tuple():
            for part in cast("list[Any]", value):
                yield from _leaves(part)
        case _:
            yield str(value)
