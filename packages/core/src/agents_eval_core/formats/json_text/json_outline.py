"""Which keys some JSON has, seen from its first bytes: formats are told apart by it."""

import re
from functools import lru_cache
from typing import Final

TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{}\[\],:]', re.DOTALL)
DEEPEST: Final = 4


@lru_cache(maxsize=4)
def outline(head: bytes) -> frozenset[str]:
    """Return the paths of keys, down to the fourth level, that some JSON has, even if it is cut off.

    Of an array, all elements count; of several documents (JSON lines), the first.

    >>> sorted(outline(b'{"info": {"cost": 1}, "steps": [{"id": 1'))
    ['info', 'info.cost', 'steps', 'steps[].id']
    """
    paths: set[str] = set()
    above: list[str] = [""]
    here, previous = "", b""
    for token in TOKEN.finditer(head):
        mark = token[0]
        if mark == b":" and len(above) <= DEEPEST + 1:
            here = _below(above[-1], previous)
            paths.add(here)
        elif mark in (b"{", b"["):
            above.append(here if mark == b"{" or len(above) > DEEPEST else f"{here}[]")
            here = above[-1]
        elif mark in (b"}", b"]"):
            above.pop()
            if len(above) <= 1:
                break
        elif mark == b",":
            here = above[-1]
        previous = mark
    return frozenset(paths)


def _below(path: str, key: bytes) -> str:
    name = key[1:-1].decode("utf-8", "replace")
    return f"{path}.{name}" if path else name
