"""Texts that look like failures: where a source has no status, this is what it is inferred from.

A result is a failure if it begins with `Error`, `Exception`, `Traceback (most recent call last)`, an exception's class
and a colon, or an error tag; if it is a JSON object with an `error` that says something; or if it reports an exit code
other than 0 in its first line. A text that says `exit code 0` in its first line is none, whatever follows. Everything
else, the empty text too, is a success. A word such as "error" further down is no sign: tools quote texts about errors.

The type tells three cases apart: `CancelledError` for what was cancelled or interrupted from outside, `ToolRetryError`
for a refusal that asks the caller to mend its call and try again, and for real failures the exception's class where the
text names one, else `TimeoutError`, the exit code, or `ToolError`.
"""

import re
from typing import Final

from msgspec import Struct

HEAD: Final = 2000
TAIL: Final = 4000
BEGINNING: Final = re.compile(
    r"\W{0,3}(?:error\b\s*(?:[:!(\[\d-]|$|(?:executing|calling|running|invoking|parsing|reading|in|while|occurred)\b)"
    r"|an error occurred\b|(?:an )?exception\b|traceback \(most recent|<(?:tool_use_)?error>|failed to\b|failure:"
    r"|(?:[a-z_]\w*\.){0,8}[a-z_]\w*(?:error|exception)\b\s*[:(])",
    re.IGNORECASE,
)
EXIT_CODE: Final = re.compile(r"[^\n]{0,80}?\bexit ?code(?: was| is)?:? ?(-?\d{1,9})\b", re.IGNORECASE)
JSON_ERROR: Final = re.compile(r'\s*\{\s*"(?:error|errors|error_message)"\s*:\s*+(?!null|""|false|\[\s*\]|\{\s*\})')
CLASS: Final = re.compile(r"(?:^|[\s.])([A-Z]\w{0,60}(?:Error|Exception|Interrupt|Exit))\b")
CANCELLED: Final = re.compile(r"\b(?:cancell?ed|interrupted|aborted)\b|KeyboardInterrupt|CancelledError", re.IGNORECASE)
RETRY: Final = re.compile(r"\b(?:please )?(?:fix|correct) (?:your|the) (?:mistakes?|errors?)\b", re.IGNORECASE)
TIMEOUT: Final = re.compile(r"\btimed? ?out\b|TimeoutError", re.IGNORECASE)
TIMEOUT_CODE: Final = 124


class Failure(Struct, frozen=True):
    """What went wrong, by a text."""

    error_type: str
    error_text: str


def failure_in(text: str | None) -> Failure | None:
    r"""Return the failure that a result's text shows, or None.

    >>> failure_in("Error: user not found").error_type
    'ToolError'
    >>> failure_in("exitcode: 1 (execution failed)\nTraceback (most recent call last):\nKeyError: 'a'").error_type
    'KeyError'
    >>> failure_in("How to read an error message") is None
    True
    """
    if not text:
        return None
    head = text[:HEAD]
    code = EXIT_CODE.match(head)
    if code is not None:
        return None if int(code.group(1)) == 0 else _failure(text, int(code.group(1)))
    if BEGINNING.match(head) or JSON_ERROR.match(head):
        return _failure(text, None)
    return None


def error_type_in(text: str, exit_code: int | None = None) -> str:
    """Return the type of a failure that is known to be one, by its text."""
    head, tail = text[:HEAD], text[-TAIL:]
    if CANCELLED.search(head[:300]):
        return "CancelledError"
    if RETRY.search(head) or RETRY.search(tail):
        return "ToolRetryError"
    classes = CLASS.findall(tail)
    if classes:
        return str(classes[-1])
    if exit_code == TIMEOUT_CODE or TIMEOUT.search(head[:300]):
        return "TimeoutError"
    return "ToolError" if exit_code is None else f"exit code {exit_code}"


def _failure(text: str, exit_code: int | None) -> Failure:
    return Failure(error_type=error_type_in(text, exit_code), error_text=text.strip()[:HEAD])
