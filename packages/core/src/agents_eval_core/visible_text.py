"""Text of others with nothing hidden in it: what cannot be seen is written out."""

import re
from functools import lru_cache
from typing import Final

HIDDEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U000e0000-\U000e01ef\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
CONTROLS: Final = bytes({*range(32), 127} - {9, 10, 13})
BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")


@lru_cache(maxsize=16)  # a paper is shown once for each judge and repeat, and looked through for each quotation
def visible(text: str) -> str:
    r"""Return a text in which nothing is hidden: characters without a shape are written as their code points.

    >>> visible("fine\U000e0041\u200b \\frac{a}{b}")
    'fine[U+E0041][U+200B] \\frac{a}{b}'
    """
    data = text.encode("utf-8", "replace")
    shown = data.decode()
    if len(data.translate(None, CONTROLS)) < len(data):
        return HIDDEN.sub(_code_point, shown)
    return BEYOND_ASCII.sub(lambda run: HIDDEN.sub(_code_point, run[0]), shown)  # a third of the time of the line above


def _code_point(found: re.Match[str]) -> str:
    return f"[U+{ord(found[0]):04X}]"
