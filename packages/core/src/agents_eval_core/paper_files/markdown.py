"""Markdown: headings, front matter and running text, without its links, pictures and comments."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agents_eval_core.paper import Section
from agents_eval_core.paper_files.author_names import author_names
from agents_eval_core.paper_files.headings import heading_text
from agents_eval_core.paper_files.outline import Outline, outlined

FENCE: Final = re.compile(r"\s{0,3}(```+|~~~+)")
HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s")
UNDERLINE: Final = re.compile(r"\s{0,3}(=+|-{3,})\s*")
FIELD: Final = re.compile(r"(title|abstract|authors?|keywords)\s*:\s*(.*)", re.IGNORECASE)
ITEM: Final = re.compile(r"\s*-\s*(?:name\s*:\s*)?(.+)")
PICTURE: Final = re.compile(r"!\[([^\[\]\n]{0,2000})\]\([^()\n]{0,2000}\)")
LINK: Final = re.compile(r"\[([^\[\]\n]{1,2000})\]\([^()\n]{0,2000}\)")
EMPHASIS: Final = re.compile(r"(\*\*\*|\*\*|___|__)(?=\S)([^*_\n]{1,2000})\1")
BOLD_LINE: Final = re.compile(r"\s*(\*\*|__)([^*_\n]{1,200})\1\s*")
RUN_IN_ABSTRACT: Final = re.compile(
    r"\s*[*_]{0,3}abstract[*_]{0,3}\s*[.:\u2014\u2013]+\s*[*_]{0,3}\s*(?=\S)", re.IGNORECASE
)
MOST_FIELD_LINES: Final = 200


def read_markdown(text: str) -> Outline:
    r"""Return the outline of a Markdown text.

    The title is that of the front matter, else the first heading unless it is one that heads a section.

    >>> outline = read_markdown("# On Rivers\n\n## Abstract\nWe measure.\n\n## 1 Introduction\nSee [it](x).\n")
    >>> outline.title, outline.abstract, [(part.heading, part.text) for part in outline.sections]
    ('On Rivers', 'We measure.', [('1 Introduction', 'See it.')])
    """
    fields, lines = _front_matter(_without_comments(text).split("\n"))
    parts = list(_parts(lines))
    title, parts = _title(" ".join(fields.get("title", ())), parts)
    front = parts[0][1] if parts and not parts[0][0] else []
    named = author_names(_plain(line) for line in front)
    names = fields.get("author", ()) or fields.get("authors", ()) or named
    if len(parts) > 1 and named:
        parts = parts[1:]
    sections = [Section(heading=_plain(heading), text=_text(body)) for heading, body in parts]
    return outlined(title, sections, authors=names, abstract=" ".join(fields.get("abstract", ())))


def _without_comments(text: str) -> str:
    """Leave out HTML comments, in one pass; one that never ends is kept."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join((*kept, text[at:]))


def _front_matter(lines: Sequence[str]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the fields between the first lines of dashes, as far as they are simple, and what follows."""
    if not lines or lines[0].strip() != "---":
        return {}, list(lines)
    end = next((at for at, line in enumerate(lines[1:MOST_FIELD_LINES], 1) if line.strip() in ("---", "...")), None)
    if end is None:
        return {}, list(lines)
    fields: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in lines[1:end]:
        found = FIELD.fullmatch(line.strip()) if not line[:1].isspace() else None
        if found:
            name = found[1].lower()
            fields[name] = _values(found[2])
        elif name and (item := ITEM.fullmatch(line)):
            fields[name] = (*fields[name], *_values(item[1]))
        elif name and line[:1].isspace():
            fields[name] = (*fields[name], line.strip())
        else:
            name = ""
    return fields, list(lines[end + 1 :])


def _values(given: str) -> tuple[str, ...]:
    given = given.strip()
    if given in ("", "|", ">", "|-", ">-"):
        return ()
    if given.startswith("[") and given.endswith("]"):
        return tuple(value.strip(" \"'") for value in given[1:-1].split(",") if value.strip())
    return (given.strip("\"'"),)


def _parts(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading with the lines under it; what stands before the first has none."""
    heading, body = "", list[str]()
    fence = ""
    for line in lines:
        mark = FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        found = None if fence or mark else _heading(line, body)
        if found is not None:
            yield heading, body
            heading, body = found
        else:
            body.append(line)
    yield heading, body


def _heading(line: str, body: list[str]) -> tuple[str, list[str]] | None:
    """Return the heading that a line is, with what of it belongs to the text; an underlined one leaves the lines."""
    if HEADING.match(line):
        return line.strip().strip("#").strip(), []
    if run_in := RUN_IN_ABSTRACT.match(line):
        return "Abstract", [line[run_in.end() :]]
    if (bold := BOLD_LINE.fullmatch(line)) and (text := heading_text(bold[2])) and text.is_known:
        return bold[2], []
    above = body[-1].strip() if body else ""
    if UNDERLINE.fullmatch(line) and above and (len(body) == 1 or not body[-2].strip()) and "|" not in above:
        body.pop()
        return above, []
    return None


def _title(given: str, parts: list[tuple[str, list[str]]]) -> tuple[str, list[tuple[str, list[str]]]]:
    """Return the title, and the parts without the heading that gave it."""
    parts = [part for part in parts if part[0] or any(line.strip() for line in part[1])]
    if given or not parts:
        return given, parts
    first = next((at for at, part in enumerate(parts) if part[0]), None)
    if first is None:
        return "", parts
    heading, body = parts[first]
    text = heading_text(heading)
    if text is not None and (text.is_known or text.number is not None):
        return "", parts
    own = [("", body)] if any(line.strip() for line in body) else []
    return _plain(heading), [*parts[:first], *own, *parts[first + 1 :]]


def _text(lines: Sequence[str]) -> str:
    return _plain("\n".join(lines)).strip()


def _plain(text: str) -> str:
    """Return a text without the marks of pictures, links and emphasis; captions and words stay."""
    return EMPHASIS.sub(r"\2", LINK.sub(r"\1", PICTURE.sub(r"\1", text))).strip()
