"""Plain text: the title is the first paragraph, headings stand alone on their line."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agents_eval_core.paper import Section
from agents_eval_core.paper_files.author_names import author_names
from agents_eval_core.paper_files.headings import HeadingText, Number, heading_text
from agents_eval_core.paper_files.outline import Outline, outlined
from agents_eval_core.paper_files.running_text import Vocabulary, joined_lines

PAGE_NUMBER: Final = re.compile(r"\s*(?:-\s*)?\d{1,4}(?:\s*-)?\s*")
RUN_IN_ABSTRACT: Final = re.compile(r"\s*abstract\s*[.:\u2014\u2013-]+\s*(?=\S)", re.IGNORECASE)
LONGEST_TITLE: Final = 300
TITLE_LINES: Final = 4
FRONT_LINES: Final = 60


def read_plain_text(text: str) -> Outline:
    r"""Return the outline of a plain text, such as a PDF converter writes.

    >>> outline = read_plain_text("On Rivers\n\nAbstract\nWe meas-\nure.\n\n1 Introduction\nWhy?\n")
    >>> outline.title, outline.abstract, [(part.heading, part.text) for part in outline.sections]
    ('On Rivers', 'We measure.', [('1 Introduction', 'Why?')])
    """
    lines = [line for line in text.split("\n") if not PAGE_NUMBER.fullmatch(line)]
    title, rest = _title(lines)
    vocabulary = Vocabulary(rest)
    parts = list(_parts(rest))
    front = parts[0][1] if len(parts) > 1 else []
    kept = parts[1:] if len(parts) > 1 and len(front) < FRONT_LINES else parts
    sections = [Section(heading=heading, text=_paragraphs(body, vocabulary)) for heading, body in kept]
    return outlined(title, sections, authors=author_names(front))


def _title(lines: Sequence[str]) -> tuple[str, list[str]]:
    """Return the first paragraph, where it is as short as a title, and what follows it."""
    start = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    end = start
    while end < len(lines) and lines[end].strip() and not _is_abstract(lines[end]):
        end += 1
    if end - start > TITLE_LINES:
        end = start + 1
    title = " ".join(lines[start:end])
    if len(title) > LONGEST_TITLE or (end == len(lines) and end - start > 1):
        return "", list(lines)
    return title, list(lines[end:])


def _is_abstract(line: str) -> bool:
    found = heading_text(line)
    return (found is not None and found.is_certain) or RUN_IN_ABSTRACT.match(line) is not None


def _parts(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading with its lines; what stands before the first heading has none."""
    heading, body = "", list[str]()
    last: dict[str, Number] = {}
    for at, line in enumerate(lines):
        found = heading_text(line)
        run_in = RUN_IN_ABSTRACT.match(line)
        if run_in or (found is not None and _is_heading(found, line, lines[at - 1] if at else "", last)):
            yield heading, body
            heading, body = ("Abstract", [line[run_in.end() :]]) if run_in else (line.strip(), [])
            if found is not None and found.number is not None and not run_in:
                last[found.number.kind] = found.number
        else:
            body.append(line)
    yield heading, body


def _is_heading(found: HeadingText, line: str, above: str, last: dict[str, Number]) -> bool:
    if line[:1].isspace() and not found.is_known:
        return False
    if found.number is not None:
        is_next = found.number.follows(last.get(found.number.kind), most_missed=1)
        stands_alone = not above.strip() or found.is_known
        is_appendix = found.number.kind != "letter" or "digit" in last or found.is_known
        return is_next and stands_alone and is_appendix
    return found.is_known and (found.is_certain or not above.strip())


def _paragraphs(lines: Sequence[str], vocabulary: Vocabulary) -> str:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            paragraphs[-1].append(line)
        else:
            paragraphs.append([])
    return "\n\n".join(text for part in paragraphs if (text := joined_lines(part, vocabulary)))
