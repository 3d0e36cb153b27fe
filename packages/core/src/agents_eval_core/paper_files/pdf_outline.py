"""The outline of a paper from the printed lines of its PDF."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from agents_eval_core.paper import Section
from agents_eval_core.paper_files.author_names import author_names
from agents_eval_core.paper_files.headings import heading_text
from agents_eval_core.paper_files.outline import Outline, outlined
from agents_eval_core.paper_files.pdf_headings import PlacedLine, body_size, sections_of
from agents_eval_core.paper_files.pdf_lines import PdfLine, PdfPage, text_pages
from agents_eval_core.paper_files.pdf_paragraphs import Paragraphs, entries_of
from agents_eval_core.paper_files.running_text import Vocabulary, cleaned, joined_lines

TITLE_LINES: Final = 5
SHORTEST_TITLE: Final = 4
UPPER: Final = 0.45
RUN_IN_ABSTRACT: Final = re.compile(r"\s*abstract\s*[.:\u2014\u2013-]+\s*", re.IGNORECASE)
LONG_ENOUGH: Final = 200


def outline_of_pages(pages: Sequence[PdfPage]) -> Outline:
    """Return title, authors, abstract and sections, so far as the type and place of the lines show them."""
    lines = [PlacedLine(page=page.number, line=_cleaned(line)) for page in text_pages(pages) for line in page.lines]
    title = _title(lines, pages)
    rest = [placed for placed in lines if placed not in title]
    vocabulary = Vocabulary(placed.line.text.rstrip("\u00ad-") for placed in lines)
    front, *sections = sections_of(_with_abstract_heading(rest))
    parts = [
        Section(
            heading=joined_lines([section.heading], vocabulary),
            text=entries_of(section.lines, vocabulary)
            if section.is_bibliography
            else Paragraphs(section.lines, vocabulary).text,
        )
        for section in sections
    ]
    before = Paragraphs(front.lines, vocabulary).text
    if not sections or len(before) > len(" ".join(part.text for part in parts)):  # no headings: all text is kept
        parts.insert(0, Section(heading="", text=before))
    names = author_names([placed.line.text for placed in front.lines])
    return outlined(joined_lines([placed.line.text for placed in title], vocabulary), parts, authors=names)


def _cleaned(line: PdfLine) -> PdfLine:
    return replace(line, text=cleaned(line.text).replace("\n", " "))


def _title(lines: Sequence[PlacedLine], pages: Sequence[PdfPage]) -> list[PlacedLine]:
    """Return the largest lines of the upper part of the first page; none where nothing is larger than the text."""
    if not pages:
        return []
    upper = [
        placed
        for placed in lines
        if placed.page == pages[0].number
        and placed.line.bottom > UPPER * pages[0].height
        and sum(letter.isalpha() for letter in placed.line.text) >= SHORTEST_TITLE
    ]
    size = max((placed.line.size for placed in upper), default=0.0)
    if size <= 1.05 * body_size([placed.line for placed in lines]):
        return []
    first = next(at for at, placed in enumerate(upper) if placed.line.size >= 0.97 * size)
    found: list[PlacedLine] = []
    for placed in upper[first : first + TITLE_LINES]:
        text = heading_text(placed.line.text)
        if placed.line.size < 0.97 * size or (text is not None and text.is_certain):
            break
        found.append(placed)
    return found


def _with_abstract_heading(lines: Sequence[PlacedLine]) -> list[PlacedLine]:
    """Return the lines with "Abstract—We show" as a heading and a line; journals set it so."""
    for at, placed in enumerate(lines[:LONG_ENOUGH]):
        found = RUN_IN_ABSTRACT.match(placed.line.text)
        if found and found.end() < len(placed.line.text):
            plain = replace(placed.line, text=placed.line.text[found.end() :], is_bold=False, is_sideways=False)
            heading = replace(plain, text="Abstract", is_bold=True)
            two = [PlacedLine(page=placed.page, line=line) for line in (heading, plain)]
            return [*lines[:at], *two, *lines[at + 1 :]]
    return list(lines)
