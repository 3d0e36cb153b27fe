"""How much of the material a judge reads: all that its context has room for, and what is left out is said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.paper import Paper
from agents_eval_core.ports.chat_model import ChatModel, SizedModel
from agents_eval_evaluators.judge.fence import Part

UNKNOWN_CONTEXT_TOKENS: Final = 32_000
CHARACTERS_A_TOKEN: Final = 3  # formulas have fewer characters a token than prose, which has about 4
INSTRUCTION_TOKENS: Final = 2_000
LEAST_TOKENS: Final = 1_000
HEADINGS_SHOWN: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a judge is shown, and in sentences what it is not."""

    parts: tuple[Part, ...]
    unread: tuple[str, ...]
    characters: int
    of_characters: int


def room(model: ChatModel, output_tokens: int) -> int:
    """Return the characters of material that a model has room for, at 3 characters a token.

    A model that does not say how much it can read is taken to have 32,000 tokens.
    """
    known = model.context_tokens if isinstance(model, SizedModel) else None
    tokens = (known or UNKNOWN_CONTEXT_TOKENS) - output_tokens - INSTRUCTION_TOKENS
    return CHARACTERS_A_TOKEN * max(LEAST_TOKENS, tokens)


def read(parts: Sequence[Part], characters: int, paper: Paper | None = None) -> Reading:
    """Return as much of the parts as there is room for, the first parts first; a part is cut at its end.

    Args:
        parts: In the order of their importance.
        characters: How much there is room for.
        paper: Whose text the part named `paper` is; its headings say what was not read.

    >>> reading = read([Part(name="review", text="Short."), Part(name="paper", text="x" * 90)], 50)
    >>> reading.unread
    ('44 of 90 characters of the paper were read',)
    >>> reading.parts[1].note
    'cut here: 44 of 90 characters are shown'
    """
    shown: list[Part] = []
    unread: list[str] = []
    left = characters
    for part in parts:
        taken = part.text[: max(0, left)]
        left -= len(taken)
        if len(taken) == len(part.text):
            shown.append(part)
            continue
        figures = f"{len(taken):,} of {len(part.text):,} characters"
        shown.append(Part(name=part.name, text=taken, note=f"cut here: {figures} are shown"))
        headings = tuple(_beyond(paper, len(taken))) if paper is not None and part.name == "paper" else ()
        unread.append(f"{figures} of the {part.name} were read{_listed(headings)}")
    return Reading(
        parts=tuple(shown),
        unread=tuple(unread),
        characters=sum(len(part.text) for part in shown),
        of_characters=sum(len(part.text) for part in parts),
    )


def _beyond(paper: Paper, end: int) -> Iterator[str]:
    place = 0
    for section in paper.sections:
        place = paper.text.find(section.text, place) if section.text.strip() else place
        if place + len(section.text) > end and section.heading.strip():
            yield section.heading.strip()


def _listed(headings: Sequence[str]) -> str:
    if not headings:
        return ""
    more = f" and {len(headings) - HEADINGS_SHOWN} more" if len(headings) > HEADINGS_SHOWN else ""
    return f"; not or not fully: {', '.join(headings[:HEADINGS_SHOWN])}{more}"
