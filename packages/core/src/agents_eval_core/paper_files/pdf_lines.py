"""The printed lines of a PDF: fragments put together, and what is printed on every page left out."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MARGIN: Final = 0.09
REPEATED_PAGES: Final = 3
REPEATED_SHARE: Final = 0.25
LONG_LINE: Final = 25
NUMBERED_LINES: Final = 15
OUTER_NUMBER: Final = re.compile(r"^\d{1,4}\b|\b\d{1,4}$")
PAGE_NUMBER: Final = re.compile(r"(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of)\s*\d{1,4})?", re.IGNORECASE)
LINE_NUMBER: Final = re.compile(r"(\d{1,4})\s+(?=\S)")
EQUATION_NUMBER: Final = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}[a-z]?\)")


class PdfLine(Struct, frozen=True, array_like=True):
    """A line as it is printed; distances are in points, from the lower left corner of the page."""

    text: str
    size: float
    is_bold: bool
    is_sideways: bool
    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """From its left to its right end."""
        return self.right - self.left

    def is_level_with(self, other: "PdfLine") -> bool:
        """Whether both stand at the same height of the page."""
        shared = min(self.top, other.top) - max(self.bottom, other.bottom)
        return shared > 0.5 * min(self.top - self.bottom, other.top - other.bottom)


class PdfPage(Struct, frozen=True):
    """A page with its lines in the order in which the file draws them."""

    number: int
    width: float
    height: float
    lines: tuple[PdfLine, ...]


def text_pages(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Return the pages without running heads, page and line numbers and stamps on the margin."""
    without = [_without_line_numbers(_upright(page)) for page in pages]
    whole = [replace(page, lines=tuple(_whole_lines(page.lines))) for page in without]
    repeated = _repeated(whole)
    return [replace(page, lines=tuple(_own_lines(page, repeated))) for page in whole]


def _upright(page: PdfPage) -> PdfPage:
    """Leave out what is printed sideways, such as a stamp, unless that is most of the page."""
    upright = tuple(line for line in page.lines if not line.is_sideways)
    return replace(page, lines=upright) if len(upright) * 2 > len(page.lines) else page


def _whole_lines(lines: Sequence[PdfLine]) -> Iterator[PdfLine]:
    """Yield lines; fragments that follow one another at the same height are one."""
    last: PdfLine | None = None
    for line in lines:
        if last is not None and _continues(last, line):
            last = _together(last, line)
            continue
        if last is not None:
            yield last
        last = line
    if last is not None:
        yield last


def _continues(last: PdfLine, line: PdfLine) -> bool:
    if not last.is_level_with(line) or line.left < last.right - 0.3 * last.size:
        return False
    return line.left - last.right < 1.5 * last.size or EQUATION_NUMBER.fullmatch(line.text.strip()) is not None


def _together(last: PdfLine, line: PdfLine) -> PdfLine:
    gap = " " if line.left - last.right > 0.15 * last.size else ""
    longer = last if len(last.text) >= len(line.text) else line
    return PdfLine(
        text=f"{last.text.rstrip()}{gap}{line.text.lstrip()}",
        size=longer.size,
        is_bold=longer.is_bold,
        is_sideways=False,
        left=last.left,
        bottom=min(last.bottom, line.bottom),
        right=max(last.right, line.right),
        top=max(last.top, line.top),
    )


def _without_line_numbers(page: PdfPage) -> PdfPage:
    """Leave out the numbers beside the lines of a manuscript, on the margin or before each line."""
    long_lines = [line for line in page.lines if len(line.text) >= LONG_LINE]
    left = min((line.left for line in long_lines), default=0.0)
    right = max((line.right for line in long_lines), default=page.width)
    lines = tuple(
        line
        for line in page.lines
        if not line.text.strip().isdigit() or (line.right > left - 2 and line.left < right + 2)
    )
    numbers = [int(found[1]) for line in lines if (found := LINE_NUMBER.match(line.text))]
    steps = sum(second - first == 1 for first, second in pairwise(numbers))
    if steps < NUMBERED_LINES or steps * 2 < len(lines):
        return replace(page, lines=lines)
    return replace(page, lines=tuple(replace(line, text=LINE_NUMBER.sub("", line.text, count=1)) for line in lines))


def _repeated(pages: Sequence[PdfPage]) -> frozenset[tuple[str, float]]:
    """Return what stands on the margin of several pages, but for the number of the page."""
    counts = Counter(words for page in pages for words in {_words(line) for line in _on_margin(page)})
    least = max(min(REPEATED_PAGES, len(pages)), REPEATED_SHARE * len(pages), 2)
    return frozenset(words for words, count in counts.items() if count >= least)


def _own_lines(page: PdfPage, repeated: frozenset[tuple[str, float]]) -> Iterator[PdfLine]:
    margin = set(_on_margin(page))
    for line in page.lines:
        text = line.text.strip()
        if line in margin and (_words(line) in repeated or PAGE_NUMBER.fullmatch(text)):
            continue
        if text:
            yield line


def _on_margin(page: PdfPage) -> Iterator[PdfLine]:
    for line in page.lines:
        if line.bottom < MARGIN * page.height or line.top > (1 - MARGIN) * page.height:
            yield line


def _words(line: PdfLine) -> tuple[str, float]:
    """Return what is compared between pages: the words without a page number, and their size; a title is larger."""
    return OUTER_NUMBER.sub("", line.text.strip()).strip(), round(line.size)
