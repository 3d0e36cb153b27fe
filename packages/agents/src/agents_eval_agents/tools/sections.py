"""The sections of a paper: their list, one by number or heading, and their text page by page."""

import re
from difflib import get_close_matches
from typing import Final

from pydantic_ai import ToolFailed

from agents_eval_agents.reading.excerpt import Excerpt, Stretch, boundary
from agents_eval_agents.tools.quotation import quoted, shown, written
from agents_eval_core.paper import Paper, Section

PAGE_CHARACTERS: Final = 12_000
LISTED_SECTIONS: Final = 200
LINE_CHARACTERS: Final = 200
ABSTRACT: Final = "Abstract"
LIST_NUMBER: Final = re.compile(r"[0-9]{1,6}")
LEADING_NUMBER: Final = re.compile(r"^(section |appendix )?([0-9]{1,3}|[ivx]{1,5}|[a-h])(\.[0-9]{1,3}){0,4}[.:]? ")
WHITESPACE: Final = re.compile(r"\s+")


def list_of_sections(paper: Paper, start: int = 1, excerpt: Excerpt | None = None) -> str:
    """Return the numbered headings with their lengths, from a number on; of an excerpt, only what it has.

    Raises:
        ToolFailed: There are sections, but none of that number.
    """
    if not paper.sections:
        return extent_of(paper)
    count = len(paper.sections)
    if not 1 <= start <= count:
        raise ToolFailed(f"there is no section {_number(start)}: the sections are numbered 1 to {count}")
    last = min(count, start + LISTED_SECTIONS - 1)
    lines = [
        f"{number}. {heading_of(paper.sections[number - 1])} ({len(paper.sections[number - 1].text)} characters)"
        for number in range(start, last + 1)
        if excerpt is None or excerpt.of_section(number)
    ]
    answer = f"Sections {start} to {last} of {count}. The number before the dot is what read_section takes.\n"
    answer += quoted("sections", "\n".join(lines))
    if last < count:
        answer += f"\n[TRUNCATED: {count - last} more; read on with list_sections(start={last + 1})]"
    if excerpt is not None:
        answer += f"\n[TRUNCATED: the paper is too long to be read at once; listed is {excerpt.sentence}]"
    return answer


def page_of_section(
    paper: Paper, section: int | str, start: int = 0, excerpt: Excerpt | None = None, most: int = PAGE_CHARACTERS
) -> str:
    """Return a page of a section's text, with how to read on where it is longer.

    A section is named by its number in the list or by its heading; 0 is the abstract, which every excerpt has.

    Raises:
        ToolFailed: There is no such section, or it is shorter than `start`.
    """
    number = find_section(paper, section)
    found = numbered_section(paper, number)
    length = len(found.text)
    if not 0 <= start <= max(length - 1, 0):
        raise ToolFailed(f"section {number} has {length} characters, counted from 0: start={_number(start)} is not one")
    stretch = Stretch(section=number, start=0, end=length, length=length)
    if excerpt is not None and number:
        given = excerpt.of_section(number)
        if given is None or start >= given.end:
            return f"[TRUNCATED: this is not read now; you read {excerpt.sentence}]"
        stretch = given
    start = max(start, stretch.start)
    end = min(boundary(found.text, start, min(most, PAGE_CHARACTERS)), stretch.end)
    where = f"Section {number} of {len(paper.sections)}, characters {start} to {end} of {length}."
    answer = where + "\n" + quoted("section", f"{heading_of(found)}\n\n{found.text[start:end]}")
    if end < stretch.end:
        answer += f"\n[TRUNCATED: {length - end} characters left; read on with read_section({number}, start={end})]"
    elif end < length:
        answer += f"\n[TRUNCATED: {length - end} characters left, which are not read now]"
    return answer


def find_section(paper: Paper, section: int | str) -> int:
    """Return the number of the section that is meant; 0 is the abstract.

    A number, also as text, is a number of the list. Else the heading is compared without regard to case and spaces,
    then without the numbering of the paper ("Method" finds "3 Method"). The first that fits is taken.

    >>> paper = Paper(id="1", dataset="d", title="T", sections=(Section(heading="3 Method", text="B."),))
    >>> find_section(paper, 1), find_section(paper, "method"), find_section(paper, "abstract")
    (1, 1, 0)

    Raises:
        ToolFailed: None fits.
    """
    count = len(paper.sections)
    if isinstance(section, str) and not LIST_NUMBER.fullmatch(section.strip()):
        return _by_heading(paper, section)
    number = int(section)
    if not 0 <= number <= count:
        raise ToolFailed(
            f"there is no section {_number(number)}: the sections are numbered 1 to {count}, 0 is the abstract"
        )
    return number


def heading_of(section: Section) -> str:
    """Return a heading as one line; a section without one says so.

    >>> heading_of(Section(heading=" 3  Method", text=""))
    '3 Method'
    """
    return line_of(section.heading) or "(no heading)"


def numbered_section(paper: Paper, number: int) -> Section:
    """Return the section of a number that exists; 0 is the abstract."""
    return Section(heading=ABSTRACT, text=paper.abstract) if number == 0 else paper.sections[number - 1]


def extent_of(paper: Paper) -> str:
    """Say how much text there is.

    >>> extent_of(Paper(id="1", dataset="d", title="T"))
    'There is no full text: only the abstract can be judged.'
    """
    if not paper.sections:
        return "There is no full text: only the abstract can be judged."
    return f"Full text: {len(paper.sections)} sections; list_sections names them."


def line_of(text: str, longest: int = LINE_CHARACTERS) -> str:
    r"""Return a text as one line of limited length.

    >>> line_of(" two\nlines ")
    'two lines'
    """
    return WHITESPACE.sub(" ", written(text[: longest * 2])).strip()[:longest]


def _by_heading(paper: Paper, wanted: str) -> int:
    wanted = line_of(wanted).casefold()
    headings = [heading_of(numbered_section(paper, number)).casefold() for number in range(len(paper.sections) + 1)]
    for candidates in (headings, [LEADING_NUMBER.sub("", heading) for heading in headings]):
        if wanted in candidates:
            return candidates.index(wanted)
    near = get_close_matches(wanted, headings, n=1)
    advice = f"did you mean {shown(near[0])}? " if near else ""
    raise ToolFailed(f"no section is headed {shown(wanted)}; {advice}list_sections tells the numbers and headings")


def _number(number: int) -> str:
    return str(number) if abs(number) < 10**9 else "that large"
