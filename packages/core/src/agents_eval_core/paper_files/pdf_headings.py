"""Which printed lines of a PDF are headings: by their words, their numbers and how they are set."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agents_eval_core.paper_files.headings import HeadingText, Number, heading_text
from agents_eval_core.paper_files.pdf_lines import PdfLine

LARGER: Final = 1.06
SHORTEST_CAPITALS: Final = 4
MOST_MISSED: Final = 1
MOST_HEADINGS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedLine:
    """A line and the page it is on."""

    page: int
    line: PdfLine


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfSection:
    """A heading as it is printed, and the lines under it."""

    heading: str
    lines: tuple[PlacedLine, ...]
    is_bibliography: bool = False


def body_size(lines: Sequence[PdfLine]) -> float:
    """Return the size in which most of the text is set."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def sections_of(lines: Sequence[PlacedLine]) -> list[PdfSection]:
    """Return the sections; what stands before the first heading has none."""
    finder = _Finder(lines)
    found = list(finder.headings())
    starts = [start for start, _, _ in found]
    sections = [PdfSection(heading="", lines=tuple(lines[: starts[0] if starts else len(lines)]))]
    for (start, end, text), following in zip(found, [*starts[1:], len(lines)], strict=False):
        words = " ".join(lines[at].line.text.strip() for at in range(start, end))
        sections.append(
            PdfSection(heading=words, lines=tuple(lines[end:following]), is_bibliography=text.is_bibliography)
        )
    return sections


class _Finder:
    """Goes through the lines once, with the numbers and styles of the headings found so far."""

    def __init__(self, lines: Sequence[PlacedLine]) -> None:
        self._lines = lines
        self._size = body_size([placed.line for placed in lines])
        self._last: dict[str, Number] = {}
        self._is_bibliography_over = False
        self._has_begun = False  # names of authors may be set as headings are
        self._styles = self._styles_of_known_headings()

    def headings(self) -> Iterator[tuple[int, int, HeadingText]]:
        """Yield the first line of each heading, the line after it, and what it says."""
        at, count = 0, 0
        while at < len(self._lines) and count < MOST_HEADINGS:
            text = heading_text(self._lines[at].line.text)
            if text is None or not self._is_heading(self._lines[at].line, text):
                at += 1
                continue
            end = self._end(at)
            self._note(text)
            yield at, end, text
            at, count = end, count + 1

    def _is_heading(self, line: PdfLine, text: HeadingText) -> bool:
        if text.number is not None:
            return self._is_numbered_heading(line, text, text.number)
        if text.is_known:
            return text.is_certain or self._stands_out(line)
        return self._has_begun and _style(line) in self._styles and line.size >= LARGER * self._size

    def _is_numbered_heading(self, line: PdfLine, text: HeadingText, number: Number) -> bool:
        if number.kind == "letter" and not self._is_bibliography_over and "letter" not in self._last:
            return False
        if self._stands_out(line):
            return number.follows(self._last.get(number.kind), most_missed=MOST_MISSED)
        is_next = number.follows(self._last.get(number.kind))
        return is_next and (text.is_known or (len(number.places) > 1 and text.name.istitle()))

    def _stands_out(self, line: PdfLine) -> bool:
        words = line.text.strip()
        return line.is_bold or line.size >= LARGER * self._size or (words.isupper() and len(words) >= SHORTEST_CAPITALS)

    def _note(self, text: HeadingText) -> None:
        self._has_begun = True
        if text.is_bibliography:
            self._is_bibliography_over = True
        if text.number is not None:
            self._last[text.number.kind] = text.number

    def _end(self, at: int) -> int:
        """Return the line after a heading, which may go on in the same style on the next lines."""
        first = self._lines[at]
        end = at + 1
        while end < len(self._lines) and end < at + 3 and self._goes_on(first, self._lines[end - 1], self._lines[end]):
            end += 1
        return end

    def _goes_on(self, first: PlacedLine, last: PlacedLine, line: PlacedLine) -> bool:
        gap = last.line.bottom - line.line.top
        is_near = last.page == line.page and -1 <= gap < 0.6 * line.line.size
        if not is_near or _style(line.line) != _style(first.line) or not self._stands_out(line.line):
            return False
        text = heading_text(line.line.text)
        return text is not None and text.number is None and not text.is_certain

    def _styles_of_known_headings(self) -> frozenset[tuple[float, bool]]:
        styles: set[tuple[float, bool]] = set()
        for placed in self._lines:
            text = heading_text(placed.line.text)
            if text is not None and text.is_known and self._stands_out(placed.line):
                styles.add(_style(placed.line))
        return frozenset(styles)


def _style(line: PdfLine) -> tuple[float, bool]:
    return round(line.size * 2) / 2, line.is_bold
