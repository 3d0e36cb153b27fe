"""What a shell answered an agent, of which nothing but the text is known: whether the command failed."""

import re
from typing import Final

from agents_eval_core.formats.building.failure_text import Failure, failure_in

LOOKED_AT: Final = 600
_RULES: Final = (
    ("TimeoutError", r"(?:the )?(?:last )?command\b.{0,300}?\b(?:timed out|took more than)|execution timed out"),
    ("CommandNotFound", r"(?:/?[\w/]{0,40}: )?(?:line \d+: )?[\w./-]{1,80}: command not found"),
    ("RefusedError", r"your proposed edit has introduced new syntax error|interactive operation .{0,80}?not supported"),
    ("RefusedError", r"operation '?.{0,80}?'? is not supported by this environment|your command was blocked"),
    ("ToolError", r"command failed to execute|fatal: "),
)
RULES: Final = tuple((name, re.compile(rf"\s*(?:{rule})", re.IGNORECASE | re.DOTALL)) for name, rule in _RULES)


def shell_failure(text: str | None) -> Failure | None:
    """Return the failure that a shell's answer begins with, or None.

    The rules: a command that timed out; an unknown command; an edit or command that was refused; `fatal:`; else those
    for any tool's text.

    >>> shell_failure("bash: foo: command not found").error_type, shell_failure("src  tests")
    ('CommandNotFound', None)
    """
    start = (text or "")[:LOOKED_AT]
    found = next((name for name, rule in RULES if rule.match(start)), None)
    return failure_in(text) if found is None else Failure(error_type=found, error_text=start.strip())
