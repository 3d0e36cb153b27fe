"""Text of others on one line, on its way to a model."""

from hashlib import sha256
from typing import Final

from agents_eval_core.report.trace_skeleton import shown_text
from agents_eval_core.visible_text import visible

LONGEST_ID: Final = 200


def one_line(text: str, longest: int = 160) -> str:
    r"""Return untrusted text on one line, with what is invisible written out, at most `longest` characters.

    >>> one_line("a\x1b[31m \u200bb")
    'a[U+001B][31m [U+200B]b'
    """
    return shown_text(visible(text[: 4 * longest]), longest)


def shown_id(given: str) -> str:
    r"""Return an identity as it is told: on one line and not too long, and still another one for another one.

    >>> shown_id("a\x1bb"), len(shown_id("a" * 10**6)), shown_id("a" * 300) == shown_id("a" * 301)
    ('a[U+001B]b', 200, False)
    >>> shown_id("\x1b" * 100) == shown_id("\x1b" * 101)
    False
    """
    line = one_line(given, LONGEST_ID)
    if len(given) <= LONGEST_ID and len(visible(given)) <= LONGEST_ID:
        return line
    return f"{line[: LONGEST_ID - 17]}…{sha256(given.encode('utf-8', 'replace')).hexdigest()[:16]}"
