"""Paragraphs of a section of a PDF: running text, and what floats in between put after the paragraph it interrupts."""

import re
from collections.abc import Sequence
from statistics import median
from typing import Final

from agents_eval_core.paper_files.pdf_headings import PlacedLine, body_size
from agents_eval_core.paper_files.pdf_lines import PdfLine
from agents_eval_core.paper_files.running_text import SOFT_HYPHEN, Vocabulary, joined_lines

CAPTION: Final = re.compile(
    r"(?:Table|Figure|Fig\.|Algorithm|Listing|Tab\.)\s+(?:[A-Z]\.?)?\d{1,3}\s*[:.|\u2013\u2014-]", re.IGNORECASE
)
BULLET: Final = re.compile(r"[•◦▪‣·]\s|[-\u2013]\s")
NUMERAL: Final = re.compile(r"(?<![\w.])[-+]?\d[\d.,]*%?(?!\w)")
ENTRY: Final = re.compile(r"\[[^\]]{1,30}\]\s|\d{1,3}\.\s")
ENDS: Final = re.compile(r"[.!?:;][\"'\u201d\u2019)\]]*(?:\^[\d,]+)?$")
SAME_SIZE: Final = 0.5
OTHER_SIZE: Final = 0.06
SHORT: Final = 0.75
HANGING: Final = 3.0
COLUMN: Final = 60.0


class Paragraphs:
    """Takes lines one after the other; blocks that float are held back until the paragraph is over."""

    def __init__(self, lines: Sequence[PlacedLine], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._size = body_size([placed.line for placed in lines])
        widths = [placed.line.width for placed in lines if not self._is_aside(placed.line)]
        self._width = median(widths) if widths else 0.0
        self._blocks: list[str] = []
        self._text: list[PlacedLine] = []
        self._float: list[PlacedLine] = []
        self._floated: list[str] = []
        self._last: PlacedLine | None = None
        for placed in lines:
            self._take(placed)
            self._last = placed
        self._end_float()
        self._end_text()

    @property
    def text(self) -> str:
        """The paragraphs, with an empty line between them."""
        return "\n\n".join(self._blocks)

    def _take(self, placed: PlacedLine) -> None:
        if CAPTION.match(placed.line.text):
            self._end_float()
            self._float = [*self._rows_above(), placed]
        elif self._float and self._is_close(placed) and abs(self._float[-1].line.size - placed.line.size) < SAME_SIZE:
            self._float.append(placed)
        elif self._is_aside(placed.line):
            self._end_float()
            self._float = [placed]
        else:
            self._end_float()
            self._take_text(placed)

    def _rows_above(self) -> list[PlacedLine]:
        """Take back the lines right above a caption that are the rows of its table."""
        first = len(self._text)
        while first and (first == len(self._text) or self._is_row_after(first)):
            first -= 1
        rows = self._text[first:]
        if sum(self._is_row(row) for row in rows) * 2 < len(rows):
            return []
        del self._text[first:]
        return rows

    def _is_row(self, placed: PlacedLine) -> bool:
        """Whether a line looks like the row of a table: several numbers, or one on a short line."""
        numerals = len(NUMERAL.findall(placed.line.text))
        is_short = placed.line.width < SHORT * self._width
        return (numerals > 1 or (numerals == 1 and is_short)) and not ENDS.search(placed.line.text.strip())

    def _is_row_after(self, at: int) -> bool:
        above, row = self._text[at - 1], self._text[at]
        return _is_below(above, row) and self._is_gap_small(above, row)

    def _take_text(self, placed: PlacedLine) -> None:
        if self._text and self._begins_paragraph(self._text[-1], placed):
            self._end_text()
        self._text.append(placed)

    def _begins_paragraph(self, last: PlacedLine, placed: PlacedLine) -> bool:
        if BULLET.match(placed.line.text):
            return True
        if not ENDS.search(last.line.text.strip()):
            return False
        if not _is_below(last, placed):
            return last.line.width < SHORT * self._width
        indent = placed.line.left - last.line.left
        is_indented = 0.6 * self._size < indent < 4 * self._size
        return is_indented or not self._is_gap_small(last, placed) or last.line.width < SHORT * self._width

    def _is_aside(self, line: PdfLine) -> bool:
        return abs(line.size - self._size) > OTHER_SIZE * self._size

    def _is_close(self, placed: PlacedLine) -> bool:
        return self._last is not None and _is_below(self._last, placed) and self._is_gap_small(self._last, placed)

    def _is_gap_small(self, last: PlacedLine, placed: PlacedLine) -> bool:
        return last.line.bottom - placed.line.top < 0.75 * max(last.line.size, placed.line.size)

    def _end_float(self) -> None:
        if self._float:
            self._floated.append(self._joined(self._float, has_rows=True))
            self._float = []
        last = self._text[-1].line.text.strip() if self._text else "."
        if ENDS.search(last) and self._floated:
            self._end_text()

    def _end_text(self) -> None:
        blocks = [self._joined(self._text), *self._floated]
        self._blocks += [block for block in blocks if block]
        self._text, self._floated = [], []

    def _joined(self, lines: Sequence[PlacedLine], *, has_rows: bool = False) -> str:
        """Return lines as running text; after a short one, such as a row or a formula, the next begins a new line."""
        parts: list[list[str]] = [[]]
        for placed in lines:
            if CAPTION.match(placed.line.text) or (has_rows and self._is_row(placed)):
                parts.append([])
            parts[-1].append(placed.line.text)
            if placed.line.width < SHORT * self._width and not placed.line.text.endswith(SOFT_HYPHEN):
                parts.append([])
        return "\n".join(text for part in parts if (text := joined_lines(part, self._vocabulary)))


def entries_of(lines: Sequence[PlacedLine], vocabulary: Vocabulary) -> str:
    """Return a list of references, each entry a paragraph, so far as indents or numbers show where one begins."""
    middle = median(placed.line.left for placed in lines) if lines else 0.0
    columns: dict[tuple[int, bool], list[float]] = {}
    for placed in lines:
        columns.setdefault(_column(placed, middle), []).append(placed.line.left)
    hanging = {column: min(lefts) for column, lefts in columns.items() if max(lefts) - min(lefts) > HANGING}
    is_numbered = bool(lines) and ENTRY.match(lines[0].line.text) is not None
    entries: list[list[str]] = []
    for placed in lines:
        margin = hanging.get(_column(placed, middle))
        is_at_margin = margin is not None and placed.line.left - margin <= HANGING
        goes_on = bool(entries) and entries[-1][-1].endswith(SOFT_HYPHEN)
        if not entries or (not goes_on and (ENTRY.match(placed.line.text) if is_numbered else is_at_margin)):
            entries.append([])
        entries[-1].append(placed.line.text)
    return "\n\n".join(joined_lines(entry, vocabulary) for entry in entries)


def _column(placed: PlacedLine, middle: float) -> tuple[int, bool]:
    return placed.page, placed.line.left > middle + COLUMN


def _is_below(last: PlacedLine, placed: PlacedLine) -> bool:
    """Whether a line stands under another in the same column."""
    is_lower = last.page == placed.page and placed.line.top < last.line.top + 1
    return is_lower and placed.line.left < last.line.right and placed.line.right > last.line.left
