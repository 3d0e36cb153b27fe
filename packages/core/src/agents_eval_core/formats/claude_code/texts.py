"""What blocks of content say, and how the result of a tool call is to be understood."""

import re
from typing import Any, Final, cast

import msgspec

from agents_eval_core.formats.building.shared_cuts import CUT
from agents_eval_core.formats.json_text.json_values import shortened

FAILURES: Final = (
    ("PermissionDenied", r"claude requested permissions? to\b|permission to use .{0,4000}?\bhas been denied"),
    ("UserInterrupt", r"\[request interrupted by user|the user doesn't want to (?:proceed with|take)"),
    ("CancelledError", r"(?:error: )?(?:sibling tool call errored|cancell?ed: parallel tool call)"),
    ("InvalidArguments", r"(?:error: )?inputvalidationerror|error executing tool .{0,200}?: \d+ validation error"),
    ("UnknownTool", r"(?:error: )?no such tool available"),
    ("Timeout", r"(?:error: )?(?:command timed out|.{0,200}?\btimed out after)"),
    ("NonZeroExit", r"(?:error: )?exit code -?\d+"),
)
RULES: Final = tuple(
    (name, re.compile(rf"\s*(?:<tool_use_error>)?\s*(?:{pattern})", re.IGNORECASE | re.DOTALL))
    for name, pattern in FAILURES
)
LOOKED_AT: Final = 5000
BOOKKEEPING: Final = re.compile(r"\s*(?:agentId: \S+ \(|<usage>|<tools-used-before-summary>)")


class TextLimit:
    """Cuts texts as they are read, so that a huge file does not have to fit into memory.

    >>> limit, attributes = TextLimit(3), {}
    >>> limit.text("abcdef", "text", attributes), attributes
    ('abc', {'cut': {'text': 6}})
    """

    def __init__(self, longest: int | None) -> None:
        self._longest = longest

    def text(self, text: str | None, place: str, attributes: dict[str, Any]) -> str | None:
        """Return a text, cut if it is too long; its full length then goes into the attributes."""
        if text is None or self._longest is None or len(text) <= self._longest:
            return text
        attributes.setdefault(CUT, {})[place] = len(text)
        return text[: self._longest]

    def value(self, value: Any, place: str, attributes: dict[str, Any]) -> Any:
        """Return a JSON value with its texts cut."""
        if self._longest is None:
            return value
        cuts: dict[str, int] = {}
        short = shortened(value, self._longest, cuts, place)
        if cuts:
            attributes.setdefault(CUT, {}).update(cuts)
        return short


def content_text(content: Any) -> str | None:
    r"""Return the text of a tool's result: a text, or the texts of its blocks; other blocks by their kind in brackets.

    >>> content_text([{"type": "text", "text": "done"}, {"type": "image", "source": {}}])
    'done\n[image]'
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        return _as_json(content)
    return "\n".join(_block_text(block) for block in cast("list[Any]", content))


def answer_text(content: Any) -> str | None:
    """Return a sub-agent's answer out of the blocks that hand it back, without Claude Code's own notes about it.

    >>> answer_text([{"type": "text", "text": "It holds."}, {"type": "text", "text": "agentId: a1 (for resuming)"}])
    'It holds.'
    """
    if not isinstance(content, list):
        return content_text(content)
    said = (_block_text(block) for block in cast("list[Any]", content))
    return "\n".join(text for text in said if not BOOKKEEPING.match(text)) or None


def error_type_of(text: str | None) -> str:
    """Return the kind of failure that Claude Code's own words tell; any other failure is a `ToolError`.

    >>> error_type_of("Exit code 1"), error_type_of("<tool_use_error>Sibling tool call errored</tool_use_error>")
    ('NonZeroExit', 'CancelledError')
    """
    start = (text or "")[:LOOKED_AT]
    return next((name for name, pattern in RULES if pattern.match(start)), "ToolError")


def _block_text(block: Any) -> str:
    if not isinstance(block, dict):
        return _as_json(block)
    parts = cast("dict[str, Any]", block)
    text = parts.get("text")
    if isinstance(text, str):
        return text
    name = parts.get("tool_name")
    return str(name) if isinstance(name, str) else f"[{parts.get('type') or 'block'}]"


def _as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
