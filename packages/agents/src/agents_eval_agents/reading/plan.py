"""The plan of reading: a paper at once, in parts, or only what matters most of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from opentelemetry.util.types import AttributeValue

from agents_eval_agents.reading.excerpt import MARKS, Excerpt, excerpt_of, parts_of
from agents_eval_agents.reading.relevance import by_relevance
from agents_eval_agents.reading.room import Room
from agents_eval_core.errors import UsageError
from agents_eval_core.paper import Paper

MOST_PARTS: Final = 12
LEAST_CHARACTERS: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPlan:
    """How a paper that is longer than the model can read at once is read.

    Attributes:
        room: What the model can read at once.
        characters: The characters of the paper's sections.
        parts: What is read, one after another; one part is what matters most.
    """

    room: Room
    characters: int
    parts: tuple[Excerpt, ...]

    @property
    def characters_read(self) -> int:
        """The characters of sections that are given to the model."""
        return sum(each.characters for each in self.parts)

    @property
    def sentence(self) -> str:
        """What of the paper is given to the model, and why not all at once."""
        room = self.room
        size = f"the paper has {room.paper_tokens:,} tokens (counted by {_counter(room)})"
        context = f"the model reads {room.context_tokens:,} at once"
        how = f"in {len(self.parts)} parts" if len(self.parts) > 1 else "by relevance"
        whole = self.characters_read >= self.characters
        share = "the whole text" if whole else f"{self.characters_read:,} of {self.characters:,} characters"
        return f"{size} and {context}: {share} was given to it {how}, the abstract whole"

    @property
    def attributes(self) -> Mapping[str, AttributeValue]:
        """What the trace says about it."""
        return {
            "agents_eval.paper.tokens": self.room.paper_tokens,
            "agents_eval.paper.tokens_counted_by": self.room.counted_by,
            "agents_eval.paper.context_tokens": self.room.context_tokens,
            "agents_eval.paper.characters": self.characters,
            "agents_eval.paper.characters_read": self.characters_read,
            "agents_eval.paper.parts": len(self.parts),
        }


def reading_plan(
    paper: Paper, room: Room | None, *, in_parts: bool, wish: str = "", share: float = 1.0
) -> ReadingPlan | None:
    """Return how a paper is read; None is at once, because it fits or because nothing bounds it.

    Args:
        paper: The paper; its abstract is part of every excerpt.
        room: What the model can read at once; None is not known.
        in_parts: Whether it may be read part by part.
        wish: What the user wants to know in addition.
        share: The part of the room that sections may take, where something else needs the rest.

    Raises:
        UsageError: There is not even room for the abstract and something beside it.
    """
    if room is None or len(paper.text) + MARKS * len(paper.sections) <= room.characters:
        return None
    each = int(room.characters * share) - len(paper.abstract) - len(paper.title) - MARKS
    if each < LEAST_CHARACTERS:
        raise UsageError(
            f"a model that reads {room.context_tokens} tokens at once has no room for this paper's abstract and a "
            "stretch of its text; name a larger model, or correct AGENTS_EVAL_CONTEXT_TOKENS"
        )
    excerpt = excerpt_of(paper, by_relevance(paper, wish), each * MOST_PARTS if in_parts else each)
    characters = sum(len(section.text) for section in paper.sections)
    parts = parts_of(paper, excerpt, each) if in_parts else (excerpt,)
    return ReadingPlan(room=room, characters=characters, parts=parts)


def _counter(room: Room) -> str:
    return "the provider" if room.counted_by == "the provider" else f"an estimate, {room.counted_by}"
