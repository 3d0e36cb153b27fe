"""Excerpts of a paper: which stretch of each section is given, in the paper's order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from agents_eval_core.paper import Paper

MARKS: Final = 120
SHORTEST_STRETCH: Final = 400
SEARCHED_BACK: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Characters `start` to `end` of a section that has `length` of them."""

    section: int
    start: int
    end: int
    length: int

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the section."""
        return self.start == 0 and self.end == self.length


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is given of a paper beside its title and abstract, which are always given whole.

    Attributes:
        stretches: At most one a section, in the paper's order; sections without one are left out.
        part: Which part of the paper it is, from 1.
        parts: How many parts there are; 1 where only what matters most is read.
    """

    stretches: tuple[Stretch, ...]
    part: int = 1
    parts: int = 1

    @property
    def characters(self) -> int:
        """How many characters of sections it has."""
        return sum(each.end - each.start for each in self.stretches)

    def of_section(self, number: int) -> Stretch | None:
        """Return what it has of a section, or None."""
        return next((each for each in self.stretches if each.section == number), None)

    @property
    def sentence(self) -> str:
        """What it is, in a few words.

        >>> Excerpt(stretches=(Stretch(section=2, start=0, end=9, length=9),), part=1, parts=3).sentence
        'part 1 of 3 of the paper: section 2'
        """
        what = f"part {self.part} of {self.parts}" if self.parts > 1 else "what matters most"
        return f"{what} of the paper: {named_stretches(self.stretches) or 'no section'}"


def excerpt_of(paper: Paper, order: Iterable[int], characters: int) -> Excerpt:
    """Return the sections that come first in an order and fit, whole as far as they fit; the last one may be cut.

    >>> from agents_eval_core.paper import Section
    >>> paper = Paper(id="1", dataset="d", title="T", sections=tuple(Section(heading="", text="word " * 200)
    ...     for _ in range(3)))
    >>> [(each.section, each.end) for each in excerpt_of(paper, [3, 1, 2], 2000).stretches]
    [(1, 760), (3, 1000)]
    """
    left = characters
    taken: list[Stretch] = []
    for number in order:
        section = paper.sections[number - 1]
        room = left - MARKS - len(section.heading)
        end = boundary(section.text, 0, room)
        if end == len(section.text) or end >= SHORTEST_STRETCH:
            taken.append(Stretch(section=number, start=0, end=end, length=len(section.text)))
            left = room - end
    return Excerpt(stretches=tuple(sorted(taken, key=lambda each: each.section)))


def parts_of(paper: Paper, excerpt: Excerpt, characters: int) -> tuple[Excerpt, ...]:
    """Return an excerpt in parts of a size, in the paper's order; sections that are longer go over several parts."""
    parts: list[list[Stretch]] = [[]]
    left = characters
    for each in excerpt.stretches:
        section = paper.sections[each.section - 1]
        start = each.start
        while start < each.end or each.length == 0:
            room = left - MARKS - len(section.heading)
            end = min(each.end, boundary(section.text, start, room))
            if end < each.end and end - start < SHORTEST_STRETCH and parts[-1]:
                parts.append([])
                left = characters
                continue
            end = max(end, min(start + SHORTEST_STRETCH, each.end))
            parts[-1].append(Stretch(section=each.section, start=start, end=end, length=each.length))
            left = room - (end - start)
            start = end
            if each.length == 0:
                break
    return tuple(
        Excerpt(stretches=tuple(stretches), part=place, parts=len(parts)) for place, stretches in enumerate(parts, 1)
    )


def boundary(text: str, start: int, most: int) -> int:
    """Return where a stretch of at most so many characters ends: at a line or a space where one is near.

    >>> boundary("one two three", 0, 9), boundary("one two three", 0, 99)
    (8, 13)
    """
    end = start + max(most, 0)
    if end >= len(text):
        return len(text)
    space = max(text.rfind(mark, max(start, end - SEARCHED_BACK), end) for mark in ("\n", " "))
    return space + 1 if space > start else end


def named_stretches(stretches: Iterable[Stretch]) -> str:
    """Name stretches, neighbours together.

    >>> whole = [Stretch(section=number, start=0, end=5, length=5) for number in (1, 2, 3)]
    >>> named_stretches([*whole, Stretch(section=5, start=0, end=5, length=9)])
    'sections 1 to 3, section 5 from character 0 to 5 of 9'
    """
    return ", ".join(_named(stretches))


def _named(stretches: Iterable[Stretch]) -> Iterator[str]:
    run: list[int] = []
    for each in stretches:
        if each.is_whole and (not run or each.section == run[-1] + 1):
            run.append(each.section)
            continue
        yield from _run(run)
        run = [each.section] if each.is_whole else []
        if not each.is_whole:
            yield f"section {each.section} from character {each.start} to {each.end} of {each.length}"
    yield from _run(run)


def _run(numbers: list[int]) -> Iterator[str]:
    if len(numbers) > 1:
        yield f"sections {numbers[0]} to {numbers[-1]}"
    elif numbers:
        yield f"section {numbers[0]}"
