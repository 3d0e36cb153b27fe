"""What a reader of a file found: title, abstract, authors and sections, whatever the kind of file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agents_eval_core.paper import Section

LONGEST_TITLE: Final = 400
LONGEST_HEADING: Final = 200
ABSTRACT: Final = "abstract"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A paper's parts.

    Attributes:
        notes: What a reader should know of the reading, such as pages that were left out.
    """

    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def has_text(self) -> bool:
        """Whether there is anything to review beside title and headings."""
        return bool(self.abstract.strip() or any(section.text.strip() for section in self.sections))

    def with_notes(self, *notes: str) -> "Outline":
        """Return the outline with more notes."""
        return replace(self, notes=(*self.notes, *notes))


def outlined(title: str, parts: Iterable[Section], *, authors: Sequence[str] = (), abstract: str = "") -> Outline:
    """Return an outline of sections in their order; one headed Abstract becomes the abstract.

    >>> parts = [Section(heading="Abstract", text="A."), Section(heading="1 Introduction", text="B.")]
    >>> outline = outlined(" The  title ", parts)
    >>> outline.title, outline.abstract, [section.heading for section in outline.sections]
    ('The title', 'A.', ['1 Introduction'])
    """
    kept: list[Section] = []
    for part in parts:
        heading, text = one_line(part.heading)[:LONGEST_HEADING], part.text.strip()
        is_abstract = heading.casefold().strip(" .:-—") == ABSTRACT
        if is_abstract and not abstract:
            abstract = text
        elif (heading or text) and not (is_abstract and text.split() == abstract.split()):
            kept.append(Section(heading=heading, text=text))
    return Outline(
        title=one_line(title)[:LONGEST_TITLE],
        abstract=abstract.strip(),
        authors=tuple(name for author in authors if (name := one_line(author)[:LONGEST_HEADING])),
        sections=tuple(kept),
    )


def one_line(text: str) -> str:
    r"""Return a text with single spaces.

    >>> one_line(" two\n  lines ")
    'two lines'
    """
    return " ".join(text.split())
