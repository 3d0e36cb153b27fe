"""JSON that is damaged or not quite JSON, read as far as it goes.

Bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD, NaN and infinity become null, and what breaks off
is closed after its last whole value. Whoever asks is told what was wrong, so that it can be counted.
"""

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from agents_eval_core.formats.json_text.json_pieces import closed
from agents_eval_core.formats.json_text.legible import with_whole_pairs

Shape = Literal["object", "list", "lines"]
BAD_JSON: Final = (ValueError, RecursionError)
PLACE: Final = re.compile(r"\(byte (\d+)\)")
MENDINGS: Final = 3


def unmarked(data: bytes) -> bytes:
    """Return the bytes as UTF-8 without a byte order mark."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(BOM_UTF8)


def shape_of(head: bytes) -> Shape | None:
    r"""Return what the first bytes of a file show it to be; None where they are no JSON.

    >>> shape_of(b'{"a": 1}\n{"a": 2}'), shape_of(b'{\n "a": 1}'), shape_of(b'[{"a": 1},\n{"a": 2}]')
    ('lines', 'object', 'list')
    """
    line, _, rest = head.partition(b"\n")
    line, following = line.rstrip(), rest.lstrip()[:1]
    if line[:1] == b"{" and following == b"{" and line[-1:] not in b"{[:,":
        return "lines"
    if line[:1] == b"[":
        return "lines" if following == b"[" and line[-1:] == b"]" else "list"
    return "object" if line[:1] == b"{" else None


def decoded(data: bytes) -> Any:
    """Return the value of strict JSON; None where it is damaged."""
    try:
        return msgspec.json.decode(data)
    except BAD_JSON:
        return None


def mended(data: bytes, miss: Callable[[str], None], damage: str) -> Any:
    """Return what can be read of JSON that is not strict, or damaged; None where nothing can.

    Args:
        data: The JSON.
        miss: Is told each kind of thing that was wrong.
        damage: The kind that broken JSON is called.

    >>> mended(b'{"a": 1, "b": [2, 3', print, "damaged part")
    damaged part
    {'a': 1, 'b': [2]}
    """
    clean = data.decode(errors="replace").encode()
    if clean != data:
        miss("text with bytes that are not UTF-8")
    paired = with_whole_pairs(clean)
    if paired != clean:
        miss("text with half of a surrogate pair")
    try:
        return json.loads(paired, parse_constant=lambda _: miss("number that is not finite"))
    except BAD_JSON:
        miss(damage)
    for _ in range(MENDINGS):
        try:
            return msgspec.json.decode(paired)
        except BAD_JSON as problem:
            place = PLACE.search(str(problem))
            shorter = closed(paired[: int(place.group(1))] if place else paired)
            if shorter is None or shorter == paired:
                return None
            paired = shorter
    return None
