"""The keys that a file's first bytes have, for telling formats apart without being deceived by texts within."""

from io import BytesIO
from typing import Final

from agents_eval_core.formats.json_text.json_stream import BadJsonError, JsonStream

LISTS_ENTERED: Final = ("spans",)
MOST_KEYS: Final = 200


def first_keys(head: bytes) -> frozenset[str]:
    """Return the keys of the first object, or of the first object in the first list, as far as the bytes go.

    Of an object with a list of `spans`, the keys of its first entry are there as `spans.<key>`; the keys of objects
    within the object as `<key>.<inner key>`.

    >>> sorted(first_keys(b'[{"name": "a", "context": {"trace_id": 1, "span'))
    ['context', 'context.trace_id', 'name']
    """
    found: set[str] = set()
    stream = JsonStream(BytesIO(head))
    try:
        if stream.peek() == b"[":
            next(stream.elements(), None)
        _gather(stream, "", found, depth=0)
    except BadJsonError:
        pass
    return frozenset(found)


def _gather(stream: JsonStream, prefix: str, found: set[str], *, depth: int) -> None:
    if stream.peek() != b"{":
        return
    for key in stream.members():
        found.add(prefix + key)
        mark = stream.peek()
        if mark == b"{" and depth < 2:  # noqa: PLR2004  an object, its spans, and what these hold
            _gather(stream, f"{prefix}{key}.", found, depth=depth + 1)
        elif mark == b"[" and key in LISTS_ENTERED and depth == 0:
            for place, _ in enumerate(stream.elements()):
                if place == 0:
                    _gather(stream, f"{prefix}{key}.", found, depth=depth + 1)
                else:
                    stream.value()
        else:
            stream.value()
        if len(found) > MOST_KEYS:
            return
