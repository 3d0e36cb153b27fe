"""How much of a list or text fits into a reply: the client pays for every character of it."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from pydantic import BaseModel

LARGEST_REPLY: Final = 7800  # characters of JSON: 2,000 tokens of four characters, and some room
LARGEST_LIST: Final = 7000
Entry = TypeVar("Entry", bound=BaseModel)


def characters(reply: BaseModel) -> int:
    """Return how many characters a reply has as JSON.

    >>> from agents_eval_mcp_server.fence import Fenced
    >>> characters(Fenced(text="a", looks_like_instructions=[]))
    41
    """
    return len(reply.model_dump_json())


def that_fit(entries: Sequence[Entry], room: int = LARGEST_LIST) -> Sequence[Entry]:
    """Return as many entries from the first as take up so many characters, and one at least.

    >>> from agents_eval_mcp_server.fence import Fenced
    >>> len(that_fit([Fenced(text="a")] * 9, 100))
    2
    """
    taken = 0
    for count, entry in enumerate(entries):
        taken += characters(entry) + 1
        if taken > room and count:
            return entries[:count]
    return entries


def longest_that_fits(length: int, make: Callable[[int], Entry], room: int) -> Entry:
    """Return what is made of the most characters of a text that take up no more room; one at least.

    What is made may be longer than the text: what cannot be seen is written out.
    """
    made = make(length)
    while length > 1 and (size := characters(made)) > room:
        length = max(1, min(length - 1, length * room // size))
        made = make(length)
    return made
