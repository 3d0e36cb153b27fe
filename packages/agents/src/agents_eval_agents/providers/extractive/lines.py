"""The sentences of a paper with the place each stands in."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from agents_eval_agents.providers.extractive.sentences import is_instruction, sentences

Role = Literal[
    "abstract", "introduction", "related", "method", "experiments", "conclusion", "limitations", "appendix", "unread"
]

ABSTRACT: Final = "Abstract"
LABEL: Final = re.compile(
    r"\b(?:Table|Tab\.|Figure|Fig\.|Theorem|Thm\.|Corollary|Proposition|Lemma|Algorithm) \d{1,2}(?![\d.]*\d)"
)
_NUMBER = re.compile(r"^\s*(\d+|[A-Z])(?:\.\d+)*\.?\s+(?=\S)")
_ROLES: tuple[tuple[Role, str], ...] = (
    ("unread", r"(?i)^(?:references|bibliography|acknowledge?ments?\b|author contrib|affiliation|anonymous author)"),
    ("unread", r"(?i)paper checklist|reproducibility checklist"),
    ("appendix", r"(?i)^(?:appendix|appendices|supplement)"),
    ("limitations", r"(?i)\blimitations?\b"),
    ("abstract", r"(?i)^abstract$"),
    ("introduction", r"(?i)^introduction|\bcontributions?$"),
    ("related", r"(?i)related works?|prior work|literature|previous work"),
    ("conclusion", r"(?i)^conclu|^discussion|^summary|future (?:work|directions)|remarks|outlook"),
    (
        "experiments",
        r"(?i)experiment|evaluation|result|empirical|ablation|benchmark|comparison|case stud|simulat|perform",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A sentence, the heading it stands under (None where there is none) and what kind of section that is."""

    text: str
    anchor: str | None
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """What was read of a paper, and the headings of what was left out."""

    read: tuple[Line, ...]
    unread: tuple[str, ...]

    @property
    def is_full_text(self) -> bool:
        """Whether anything but the abstract was read."""
        return any(line.role != "abstract" for line in self.read)

    def of(self, *roles: Role) -> Iterator[Line]:
        """Yield the lines of some kinds of section, kind by kind."""
        return (line for role in roles for line in self.read if line.role == role)

    def says(self, pattern: str, *roles: Role) -> bool:
        """Whether some words occur in some kinds of section."""
        cue = re.compile(pattern)
        return any(cue.search(line.text) for line in self.of(*roles))

    def heading(self, *preferred: Role) -> str | None:
        """Return the heading of the longest section of the first kind there is, in the order preferred."""
        for role in preferred:
            anchors = Counter(line.anchor for line in self.of(role) if line.anchor)
            if anchors:
                return anchors.most_common(1)[0][0]
        return next((line.anchor for line in self.read if line.anchor), None)

    def labels(self, *kinds: str) -> list[str]:
        """Return the tables, theorems and the like that are referred to, as written, the most mentioned first."""
        counts = Counter(label for line in self.read for label in LABEL.findall(line.text) if label.startswith(kinds))
        return [label for label, _ in counts.most_common()]


def read_lines(title: str, abstract: str, sections: Sequence[tuple[str, str]]) -> Lines:
    """Take a paper apart into lines; references, checklists and the front page are left out.

    Where both an abstract and a section of that name are given, the section is not read again. A section without a
    telling heading has the role of its chapter.

    >>> lines = read_lines("T", "We try.", [("1 Introduction", "Why? Because."), ("References", "[1] A. Author.")])
    >>> [(line.text, line.anchor, line.role) for line in lines.read][:2]
    [('We try.', 'Abstract', 'abstract'), ('Why?', '1 Introduction', 'introduction')]
    >>> lines.unread
    ('References',)
    """
    read = [Line(text=text, anchor=ABSTRACT, role="abstract") for text in sentences(abstract)]
    unread: list[str] = []
    has_abstract = bool(read)
    for heading, text, role in _with_roles(title, sections):
        if role == "unread":
            unread += [heading] if heading.strip() and text.strip() else []
        elif role != "abstract" or not has_abstract:
            anchor = heading if heading.strip() and not is_instruction(heading) else None
            read += [Line(text=sentence, anchor=anchor, role=role) for sentence in sentences(text)]
    return Lines(read=tuple(read), unread=tuple(unread))


def _with_roles(title: str, sections: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, Role]]:
    by_chapter: dict[str, Role] = {}
    is_over = False
    for heading, text in sections:
        number = _NUMBER.match(heading)
        name = heading[number.end() if number else 0 :].strip()
        role: Role | None = next((role for role, pattern in _ROLES if re.search(pattern, name)), None)
        is_over = is_over or "checklist" in name.lower()
        if is_over or text.startswith("Question:") or (title and name == title.strip()):
            role = "unread"
        chapter = number[1] if number else ""
        if chapter and role:
            by_chapter.setdefault(chapter, role)
        yield heading, text, role or by_chapter.get(chapter, "method")
