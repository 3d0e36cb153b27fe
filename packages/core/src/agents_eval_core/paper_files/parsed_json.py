"""Papers that were parsed to JSON before: PeerRead's two shapes, and what science-parse writes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from agents_eval_core.datasets.human_reviews import human_reviews, repaired
from agents_eval_core.datasets.json_file import decode_json
from agents_eval_core.datasets.venues import venue_of
from agents_eval_core.errors import PaperError
from agents_eval_core.paper import Section
from agents_eval_core.paper_files.outline import Outline, outlined
from agents_eval_core.paper_files.running_text import cleaned
from agents_eval_core.review import HumanReview

MOST_REFERENCES: Final = 2000


class _Part(Struct, frozen=True):
    """A section."""

    heading: str | None = None
    text: str | None = None


class _Cited(Struct, frozen=True):
    """An entry of the list of references."""

    title: str | None = None
    author: list[Any] | None = None
    authors: list[Any] | None = None
    venue: str | None = None
    year: int | str | None = None


class _Content(Struct, frozen=True):
    """A paper, under any of the names that the shapes use."""

    title: str | None = None
    abstract: str | None = None
    abstract_text: str | None = field(name="abstractText", default=None)
    authors: str | list[Any] | None = None
    keywords: str | list[Any] | None = None
    sections: list[_Part | None] | None = None
    references: list[_Cited | None] | None = None
    reviews: list[dict[str, Any]] | None = None


class _File(_Content, frozen=True):
    """A file: the paper itself, or what was parsed of it under `metadata`."""

    metadata: _Content | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPaper:
    """A parsed paper, with the human reviews that lie beside it in PeerRead's files.

    Attributes:
        is_full_text: False where there is an abstract alone.
    """

    outline: Outline
    reviews: tuple[HumanReview, ...]
    is_full_text: bool


def read_parsed_json(content: bytes, path: Path) -> ParsedPaper:
    """Return the paper in a JSON file; reviews in it are its references and no part of its text.

    Raises:
        UnreadableError: It is not JSON, or none of these shapes.
        PaperError: It has neither an abstract nor sections with text.

    >>> content = b'{"title": "T", "abstract": "We try.", "reviews": [{"comments": "Good."}]}'
    >>> paper = read_parsed_json(content, Path("a.json"))
    >>> paper.outline.abstract, [review.text for review in paper.reviews]
    ('We try.', ['Good.'])
    """
    file = decode_json(content, _File, name=str(path))
    parts: tuple[_Content, ...] = (file,) if file.metadata is None else (file, file.metadata)
    sections = [part for content in parts for part in _sections(content.sections or ())]
    cited = [entry for content in parts for entry in _entries(content.references or ())]
    if cited and sections:
        sections.append(Section(heading="References", text="\n\n".join(cited[:MOST_REFERENCES])))
    outline = outlined(
        _first(part.title for part in parts),
        sections,
        authors=next((names for part in parts if (names := _names(part.authors))), ()),
        abstract=_first(text for part in parts for text in (part.abstract, part.abstract_text)),
    )
    if not outline.has_text:
        raise PaperError(
            f"{path} has no text to review: looked for 'abstract', 'abstractText' and 'sections', at the top or under "
            "'metadata'; give a file that has one of them"
        )
    return ParsedPaper(
        outline=outline,
        reviews=human_reviews(file.reviews or (), venue_of("")),
        is_full_text=any(section.text for section in sections),
    )


def _sections(parts: Iterable[_Part | None]) -> Iterable[Section]:
    for part in parts:
        if part is not None and (part.heading or part.text):
            yield Section(heading=_clean(part.heading), text=_clean(part.text))


def _entries(cited: Iterable[_Cited | None]) -> Iterable[str]:
    for entry in cited:
        if entry is not None and entry.title:
            names = ", ".join(_names(entry.author or entry.authors))
            parts = (names, _clean(entry.title), _clean(entry.venue), str(entry.year or ""))
            yield ". ".join(part for part in parts if part)


def _first(texts: Iterable[str | None]) -> str:
    return next((text for given in texts if (text := _clean(given))), "")


def _clean(text: str | None) -> str:
    return cleaned(repaired(text or "")).strip()


def _names(given: str | Sequence[Any] | None) -> tuple[str, ...]:
    every: Sequence[Any] = given.split(",") if isinstance(given, str) else given or ()
    return tuple(text for name in every if (text := _clean(_name(name))))


def _name(given: Any) -> str:
    """Return an author's name: science-parse puts it into an object."""
    name = given.get("name") if isinstance(given, dict) else given  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  foreign JSON
    return name if isinstance(name, str) else ""
