"""A scripted judge: gives levels to the criteria of whatever rubric it is asked about."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scripted_server.exchange import Ask, Say
from scripted_server.script import ANSWERS_OF_THE_TEAM, capable, in_shape

CRITERION: Final = re.compile(r"^- (?P<id>[a-z][a-z0-9_]*) \(1 to (?P<levels>\d+)\):", re.MULTILINE)


def criteria(instructions: str) -> Mapping[str, int]:
    """Return the criteria of a question and their numbers of levels."""
    return {found["id"]: int(found["levels"]) for found in CRITERION.finditer(instructions)}


def answers(instructions: str, level: int, **more: Any) -> dict[str, Any]:
    """Return an answer that gives every criterion the same level, or its highest where that is lower."""
    given: list[dict[str, Any]] = [
        {"criterion": name, "evidence": [], "reason": "seen", "level": min(level, levels)} | more
        for name, levels in criteria(instructions).items()
    ]
    return {"answers": given, "instructions_found": []}


def judging(level: int = 4, **more: Any) -> Callable[[Ask], Say]:
    """Return a script that reviews as `capable` does, and judges with one level."""

    def script(ask: Ask) -> Say:
        if ANSWERS_OF_THE_TEAM & ask.tools.keys():
            return capable(ask)
        return in_shape(ask, **answers(ask.instructions, level, **more))

    return script


def judgements(asked: Iterator[Ask] | list[Ask]) -> list[Ask]:
    """Return the questions to a judge among the requests."""
    return [ask for ask in asked if not ANSWERS_OF_THE_TEAM & ask.tools.keys()]
