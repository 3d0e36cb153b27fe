"""The words of a LaTeX source, without its commands. Nothing is run: a macro of the user's is only a name."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from agents_eval_core.paper_files import latex_commands as known
from agents_eval_core.paper_files.author_names import author_names
from agents_eval_core.paper_files.latex_numbers import Numbers

TOKEN: Final = re.compile(r"\\([A-Za-z@]+\*?)[ \t]*|\\(.)|([{}$&~])|(``|''|---?)", re.DOTALL)
BRACE: Final = re.compile(r"\\.|[{}]", re.DOTALL)
LABEL: Final = re.compile(r"\\label\s*\{([^{}]{0,300})\}")
UNNUMBERED: Final = re.compile(r"\\(?:nonumber|notag)\b")
ROW_END: Final = re.compile(r"\\\\(?:\[[^\]]{0,30}\])?")
TYPED: Final = {"``": "“", "''": "”", "--": "–", "---": "—", "~": " ", "{": "", "}": ""}  # noqa: RUF001
LINE: Final = "\ue000"  # a line end that stays one; the source has no such letter
DEEPEST: Final = 12
LONGEST_OPTION: Final = 1000
BLANK_LINES: Final = re.compile(r"\n[ \t]*\n\s*")


@dataclass(slots=True, kw_only=True)
class LatexText:
    """What a LaTeX source says."""

    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    sections: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


class LatexWriter:
    """Goes through a source once and writes its words down."""

    def __init__(self, source: str, numbers: Numbers | None = None, depth: int = 0) -> None:
        self._source = source
        self._numbers = numbers or Numbers()
        self._depth = depth
        self._ends = _matching_braces(source)
        self._missing: set[str] = set()
        self._at = 0
        self._text = LatexText()
        self._heading = ""
        self._words: list[str] = []
        self._within: list[str] = []
        self._is_over = False

    def written(self) -> LatexText:
        """Return the title, authors, abstract and sections."""
        self._write()
        self._begin_section("")
        text, shown = self._text, self._numbers.resolved
        text.title, text.abstract = shown(text.title), shown(text.abstract)
        text.sections = [(shown(heading), shown(words)) for heading, words in text.sections]
        return text

    def words(self) -> str:
        """Return the words of a part of a source, such as a caption."""
        self._write()
        return _paragraphs("".join(self._words))

    def _write(self) -> None:
        while not self._is_over:
            token = TOKEN.search(self._source, self._at)
            if token is None:
                break
            self._words.append(self._source[self._at : token.start()])
            self._at = token.end()
            self._token(token)
        if not self._is_over:
            self._words.append(self._source[self._at :])

    def _token(self, token: re.Match[str]) -> None:
        name, sign, mark, typed = token.groups()
        if name is not None:
            self._command(name.rstrip("*"), is_starred=name.endswith("*"))
        elif sign is not None:
            self._sign(sign)
        elif mark == "$":
            self._formula("$$" if self._source.startswith("$", self._at) else "$", token.start())
        elif mark == "&":
            self._words.append(" | ")
        else:
            self._words.append(TYPED[mark or typed])

    def _sign(self, sign: str) -> None:
        if sign in "([":
            self._formula("\\)" if sign == "(" else "\\]", self._at - 2)
        elif sign == "\\":
            self._words.append(LINE)
            self._option()
        elif sign in known.ACCENTS:
            self._words.append(known.accented(sign, self._letter()))
        else:
            self._words.append(sign if sign in "%&_#${} " else "")

    def _formula(self, end: str, start: int) -> None:
        """Keep a formula as it is typed."""
        begin = self._at + (1 if end == "$$" else 0)
        close = self._find(end, begin)
        if close < 0:
            self._words.append(end[-1] if end == "$" else "")
            return
        self._at = close + len(end)
        self._words.append(" ".join(self._source[start : self._at].split()))

    def _find(self, what: str, start: int) -> int:
        """Return where something is next; what is nowhere is looked for once, so that the time stays linear."""
        if what in self._missing:
            return -1
        found = self._source.find(what, start)
        if found < 0:
            self._missing.add(what)
        return found

    def _command(self, name: str, *, is_starred: bool) -> None:
        special = self._special(name)
        if special is not None:
            special()
        elif name in known.SECTIONS:
            self._section(name, is_starred=is_starred)
        elif name in known.PARAGRAPHS:
            self._words.append(f"\n\n{self._rendered(self._argument()).rstrip('.')}. ")
        elif name in known.CITES:
            self._words.append(f"[{', '.join(key.strip() for key in self._argument().split(','))}]")
        elif name in known.REFERENCES:
            self._words.append(self._numbers.mark(name, self._argument()))
        elif name in known.LETTERS:
            self._words.append(known.LETTERS[name])
        elif name in known.ACCENTS:
            self._words.append(known.accented(name, self._letter()))
        else:
            self._other(name)

    def _special(self, name: str) -> Callable[[], None] | None:
        return {
            "begin": self._begin,
            "end": self._end,
            "title": self._title,
            "author": self._author,
            "abstract": self._abstract,
            "caption": self._caption,
            "captionof": self._argument_then_caption,
            "label": lambda: self._numbers.label(self._argument()),
            "footnote": lambda: self._words.append(f" ({self._rendered(self._argument())})"),
            "appendix": self._numbers.begin_appendix,
            "item": self._item,
            "bibitem": self._bibliography_item,
            "def": self._definition,
        }.get(name)

    def _other(self, name: str) -> None:
        """Pass over a command that sets; of any other, its argument stays, or its name where it has none."""
        if name in known.SILENT or name in known.LAYOUT:
            for _ in range(known.SILENT.get(name, 0)):
                self._argument()
        elif self._source.startswith("{}", self._at):
            self._words.append(name)
        elif not self._source.startswith(("{", "["), self._at):
            is_followed = self._source[self._at : self._at + 1].isalnum()
            self._words.append(f"{name} " if is_followed else name)
        else:
            self._option()

    def _option(self) -> None:
        """Pass over an argument in brackets."""
        if self._source.startswith("[", self._at):
            end = self._source.find("]", self._at, self._at + LONGEST_OPTION)
            self._at = end + 1 if end >= 0 else self._at

    def _argument(self) -> str:
        """Return the next argument in braces, without running it; empty where there is none."""
        while self._at < len(self._source):
            before = self._at
            self._option()
            if self._source.startswith((" ", "\n", "\t"), self._at):
                self._at += 1
            if self._at == before:
                break
        if self._source.startswith("\\", self._at):  # \newcommand\name{…}
            token = TOKEN.match(self._source, self._at)
            self._at = token.end() if token else self._at + 1
            return ""
        end = self._ends.get(self._at)
        if end is None:
            return ""
        start, self._at = self._at + 1, end + 1
        return self._source[start:end]

    def _letter(self) -> str:
        """Return what an accent is put on."""
        if self._source.startswith("{", self._at):
            return self._rendered(self._argument()) or " "
        if self._source.startswith("\\", self._at) and (token := TOKEN.match(self._source, self._at)):
            self._at = token.end()
            return known.LETTERS.get(token[1] or "", " ")
        self._at += 1
        return self._source[self._at - 1 : self._at] or " "

    def _rendered(self, part: str) -> str:
        if self._depth >= DEEPEST:
            return part
        return LatexWriter(part, self._numbers, self._depth + 1).words()

    def _begin_section(self, heading: str) -> None:
        words = _paragraphs("".join(self._words))
        if self._heading == "Abstract" and not self._text.abstract:
            self._text.abstract = words
        elif words or self._heading:
            self._text.sections.append((self._heading, words))
        self._heading, self._words = heading, []

    def _section(self, name: str, *, is_starred: bool) -> None:
        words = " ".join(self._rendered(self._argument()).split())
        number = "" if is_starred else self._numbers.next_section(known.SECTIONS[name])
        self._begin_section(f"{number} {words}".strip())

    def _title(self) -> None:
        self._text.title = self._text.title or self._rendered(self._argument()).replace("\n", " ")

    def _author(self) -> None:
        raw = re.sub(r"\\(?:and|And|AND|qquad|quad)\b", r"\\\\", self._argument())
        self._text.authors = (*self._text.authors, *author_names(self._rendered(raw).split("\n")))

    def _abstract(self) -> None:
        self._text.abstract = self._text.abstract or self._rendered(self._argument())

    def _argument_then_caption(self) -> None:
        kind = self._argument()
        self._within.append(kind)
        self._caption()
        self._within.pop()

    def _caption(self) -> None:
        innermost = next((name for name in reversed(self._within) if name in known.FLOATS), None)
        is_part = bool(self._within) and self._within[-1] in known.WITHIN_FLOATS - {"minipage"}
        label = ""
        if innermost is not None and not is_part:  # counted before the caption is read: a label in it means this number
            kind = known.FLOATS[innermost]
            label = f"{kind} {self._numbers.next(kind)}: "
        self._words.append(f"\n\n{label}{self._rendered(self._argument())}\n\n")

    def _item(self) -> None:
        self._words.append(f"{LINE}- ")

    def _bibliography_item(self) -> None:
        self._words.append(f"\n\n[{' '.join(self._argument().split())}] ")

    def _definition(self) -> None:
        """Pass over a definition of TeX's: its name, what stands before the brace, and the brace."""
        opening = self._source.find("{", self._at, self._at + LONGEST_OPTION)
        if opening >= 0:
            self._at = opening
            self._argument()

    def _begin(self) -> None:
        name = self._argument()
        plain = name.rstrip("*")
        if plain == "document":
            self._words = []
        elif plain == "abstract":
            self._begin_section("Abstract")
        elif plain == "thebibliography":
            self._argument()
            self._begin_section("References")
        elif plain in known.FORMULAS:
            self._numbered_formula(name)
        elif plain in known.WORD_FOR_WORD:
            self._word_for_word(name)
        else:
            self._environment(plain)

    def _environment(self, name: str) -> None:
        self._option()
        if name in ("tabular", "tabularx", "array", "minipage", "subfigure", "subtable", "multicols"):
            self._argument()
        if name in ("tabularx", "tabular*"):
            self._argument()
        if name in known.THEOREMS:
            self._words.append(f"\n\n{name.capitalize()} {self._numbers.next(name.capitalize())}. ")
        self._within.append(name)

    def _end(self) -> None:
        name = self._argument().rstrip("*")
        if name == "document":
            self._is_over = True
        elif name == "abstract":
            self._begin_section("")
        elif name in self._within[-50:]:
            while self._within.pop() != name:
                pass
        self._words.append("\n\n" if name in known.FLOATS or name in known.THEOREMS else "")

    def _word_for_word(self, name: str) -> None:
        close = self._find(f"\\end{{{name}}}", self._at)
        if close >= 0:
            self._words.append("\n\n" + self._source[self._at : close].strip().replace("\n", LINE) + "\n\n")
            self._at = close

    def _numbered_formula(self, name: str) -> None:
        close = self._find(f"\\end{{{name}}}", self._at)
        if close < 0:
            return
        formula, self._at = self._source[self._at : close], close + len(name) + 6
        is_numbered = not name.endswith("*") and name != "displaymath"
        rows = ROW_END.split(formula) if name.rstrip("*") in known.ROWS else [formula]
        shown = [self._row(row, is_numbered=is_numbered) for row in rows if row.strip()]
        self._words.append(LINE + LINE.join(shown) + LINE)

    def _row(self, row: str, *, is_numbered: bool) -> str:
        number = f" ({self._numbers.next('Equation')})" if is_numbered and not UNNUMBERED.search(row) else ""
        for label in LABEL.findall(row):
            self._numbers.label(label)
        return f"$${' '.join(UNNUMBERED.sub('', LABEL.sub('', row)).split())}$${number}"


def _matching_braces(source: str) -> dict[int, int]:
    """Return where each opening brace is closed."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for found in BRACE.finditer(source):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            ends[opened.pop()] = found.start()
    return ends


def _paragraphs(words: str) -> str:
    """Return words with single spaces; empty lines and the line ends that stay are kept."""
    paragraphs = (
        "\n".join(line for part in paragraph.split(LINE) if (line := " ".join(part.split())))
        for paragraph in BLANK_LINES.split(words)
    )
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
