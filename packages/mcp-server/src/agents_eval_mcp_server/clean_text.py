"""Text of others on one line, on its way to a model."""

from agents_eval_core.report.trace_skeleton import shown_text
from agents_eval_core.visible_text import visible


def one_line(text: str, longest: int = 160) -> str:
    r"""Return untrusted text on one line, with what is invisible written out, at most `longest` characters.

    >>> one_line("a\x1b[31m \u200bb")
    'a[U+001B][31m [U+200B]b'
    """
    return shown_text(visible(text[: 4 * longest]), longest)
