"""Code that agents write into their messages, and the texts by which an executor answers.

A fence is a call only if it was run: an execution is known by its output, and its code is what was last written and
not yet run. Outputs are known by their beginning: `exitcode: 0 (execution succeeded)` (AutoGen), `The script ran` (the
terminal of Magentic-One); the proxy of AutoGen's MathChat answers with the bare output, so there everything that
follows code is output, except for its request to continue. Failures are inferred as from any result, and from the two
refusals of MathChat's proxy (nothing printed, too much printed), which ask to mend the code.
"""

import re
from typing import Final

from msgspec import Struct

from agents_eval_core.formats.building.failure_text import Failure, failure_in

FENCE: Final = re.compile(r"```[ \t]*([\w+#.-]{0,30})[^\n]{0,200}\n(.*?)```", re.DOTALL)
OUTPUT: Final = re.compile(r"\s{0,9}(?:exitcode: -?\d+ \(|The script ran\b)")
CONTINUE: Final = "Continue. Please keep solving"
REFUSALS: Final = ("No output found. Make sure you print", "Your requested query response is too long")
REFUSED_LENGTH: Final = 200


class Code(Struct, frozen=True, kw_only=True):
    """Code in a message: who wrote it, in which language, where."""

    author_id: str
    language: str
    text: str
    source_id: str


def code_in(text: str, *, author_id: str, source_id: str) -> Code | None:
    r"""Return the fenced code of a message, its blocks joined; None where there is none.

    >>> code_in("Run this: ```python\nprint(1)\n```", author_id="a", source_id="0").text
    'print(1)'
    """
    if "```" not in text:
        return None
    blocks = [(match.group(1), match.group(2).strip()) for match in FENCE.finditer(text)]
    if not blocks:
        return None
    return Code(
        author_id=author_id,
        language=blocks[0][0].lower() or "code",
        text="\n\n".join(block for _, block in blocks),
        source_id=source_id,
    )


def is_output(text: str, *, of_math_proxy: bool = False, follows_code: bool = False) -> bool:
    """Whether a message is what an execution gave.

    >>> is_output("exitcode: 1 (execution failed)"), is_output("17")
    (True, False)
    >>> is_output("17", of_math_proxy=True, follows_code=True)
    True
    """
    if OUTPUT.match(text):
        return True
    return of_math_proxy and follows_code and not text.startswith(CONTINUE)


def execution_failure(text: str) -> Failure | None:
    """Return the failure that an execution's output shows, or None.

    >>> execution_failure("No output found. Make sure you print the results.").error_type
    'ToolRetryError'
    """
    if text.startswith(REFUSALS):
        return Failure(error_type="ToolRetryError", error_text=text[:REFUSED_LENGTH])
    return failure_in(text)
