"""JSON as a decoder takes it: UTF-8 without a mark, and no half of a surrogate pair."""

import re
from codecs import BOM_UTF8
from typing import Final

SURROGATES: Final = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def legible(data: bytes) -> bytes:
    r"""Return JSON with U+FFFD in place of bytes that are no UTF-8, and of escaped halves of surrogate pairs.

    >>> legible(b'"\xff"').decode(), legible(rb'"\ud800 \ud83d\ude00 \\ud800"')
    ('"\ufffd"', b'"\\ufffd \\ud83d\\ude00 \\\\ud800"')
    """
    return with_whole_pairs(data.removeprefix(BOM_UTF8).decode("utf-8", "replace").encode())


def with_whole_pairs(data: bytes) -> bytes:
    """Return JSON with U+FFFD in place of escaped halves of surrogate pairs: texts cut in the middle of a character."""
    return SURROGATES.sub(lambda found: rb"\ufffd" if found["half"] else found[0], data)
