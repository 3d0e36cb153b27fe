"""Cursors: where a list or a text goes on. They say nothing that a client has to understand."""

import base64
import binascii

from agents_eval_core.errors import UsageError


def cursor_at(place: int) -> str:
    """Return the cursor of a place in a list.

    >>> place_of(cursor_at(120))
    120
    """
    return base64.urlsafe_b64encode(f"at:{place}".encode()).decode().rstrip("=")


def place_of(cursor: str | None) -> int:
    """Return the place that a cursor stands for; without one, the beginning.

    Raises:
        UsageError: It is none of ours.
    """
    if cursor is None or cursor == "":
        return 0
    try:
        kind, _, place = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        kind, place = "", ""
    if kind != "at" or not place.isdecimal():
        raise UsageError(f"{cursor!r} is no cursor; give next_cursor of the reply before, or none for the beginning")
    return int(place)
