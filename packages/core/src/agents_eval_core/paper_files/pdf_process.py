"""The process that reads a PDF: it runs apart, within limits, since a PDF can be made to do anything to its reader.

It is given the file as standard input and writes one JSON object a line to standard output: how many pages there are,
then each page as soon as it was read, then that it is done. So the pages before an accident are not lost.
"""

import ctypes
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, NamedTuple

HYPHENS: Final = (0x02, 0xFFFE)  # how PDFium marks a hyphen at which a word was divided; the second is older
LINE_ENDS: Final = (0x0A, 0x0D)
NEXT_LINE: Final = 0.6  # of a letter's height: further up or down is another line, less is an index or exponent
BOLD_NAMES: Final = ("bold", "black", "heavy", "medi", "cmb", "sfbx", "-bd", "demi")
NAME_BYTES: Final = 128
SOFT_HYPHEN: Final = "\u00ad"
SMALL: Final = 0.85
RAISED: Final = 0.15
SIDEWAYS: Final = 0.2


Box = tuple[float, float, float, float]


class Letter(NamedTuple):
    """A letter as the page shows it; its box is left, bottom, right, top."""

    text: str
    size: float = 0.0
    is_bold: bool = False
    is_sideways: bool = False
    box: Box = (0.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class Letters:
    """The letters of one line."""

    letters: list[Letter] = field(default_factory=list[Letter])
    box: Box | None = None

    def add(self, letter: Letter) -> None:
        """Put a letter at the end; blanks have no place of their own."""
        self.letters.append(letter)
        if not letter.text.isspace():
            old, new = self.box or letter.box, letter.box
            self.box = (min(old[0], new[0]), min(old[1], new[1]), max(old[2], new[2]), max(old[3], new[3]))

    def is_followed_by(self, letter: Letter) -> bool:
        """Whether a letter stands on this line, so far as its height tells."""
        if self.box is None or letter.text.isspace():
            return True
        height = max(self.box[3] - self.box[1], letter.box[3] - letter.box[1], 1.0)
        middle = (letter.box[1] + letter.box[3]) / 2
        return self.box[1] - NEXT_LINE * height < middle < self.box[3] + NEXT_LINE * height

    def row(self) -> list[Any] | None:
        """Return the line as it is written down: text, size, bold, sideways and place; None where nothing shows."""
        shown = [letter for letter in self.letters if not letter.text.isspace()]
        if self.box is None or not shown:
            return None
        sizes = Counter(letter.size for letter in shown)
        size = max(sizes, key=sizes.__getitem__)  # most_common() would load a module, and the doors are closed
        is_bold = sum(letter.is_bold for letter in shown) * 2 > len(shown)
        is_sideways = sum(letter.is_sideways for letter in shown) * 2 > len(shown)
        return [self._text(size), size, is_bold, is_sideways, *(round(edge, 1) for edge in self.box)]

    def _text(self, size: float) -> str:
        """Return the words; what stands small and raised begins with a caret."""
        floor = [letter.box[1] for letter in self.letters if letter.size == size and letter.text.isalnum()]
        line = sorted(floor)[len(floor) // 2] if floor else 0.0
        written: list[str] = []
        was_raised = False
        for letter in self.letters:
            is_small = 0 < letter.size < SMALL * size and letter.text.isalnum()
            is_raised = is_small and letter.box[1] > line + RAISED * size
            written += ["^", letter.text] if is_raised and not was_raised else [letter.text]
            was_raised = is_raised or (was_raised and letter.text == ",")
        return "".join(written)


def set_limits(seconds: int, memory_bytes: int, output_bytes: int) -> None:
    """Let this process use so much and no more; where the system cannot, the parent's time limit remains."""
    try:
        import resource  # noqa: PLC0415  not on Windows
    except ImportError:
        return
    wanted = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: output_bytes,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in wanted.items():
        try:
            resource.setrlimit(what, (most, most))
        except (OSError, ValueError):  # the system has a lower limit already, or does not know this one
            continue


def close_doors() -> None:
    """Give up opening anything: no file and no connection from here on."""
    try:
        import resource  # noqa: PLC0415  not on Windows

        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
    except (ImportError, OSError, ValueError):
        return


def _library(part: str = "") -> Any:
    """Return PDFium's binding; it has no types, and is loaded nowhere but in this process."""
    return import_module(f"pypdfium2{part}")


def lines_of(page: Any, most_letters: int) -> Iterator[list[Any]]:
    """Yield the lines of a page in the order in which the file draws them."""
    letters = Letters()
    for letter in _letters(page, most_letters):
        is_end = letter.text == "\n"
        if (is_end or not letters.is_followed_by(letter)) and letters.letters:
            yield from _rows(letters)
            letters = Letters()
        if not is_end:
            letters.add(letter)
        if letter.text == SOFT_HYPHEN:
            yield from _rows(letters)
            letters = Letters()
    yield from _rows(letters)


def _rows(letters: Letters) -> Iterator[list[Any]]:
    if (row := letters.row()) is not None:
        yield row


def _letters(page: Any, most_letters: int) -> Iterator[Letter]:
    pdfium = _library(".raw")
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    name, flags = ctypes.create_string_buffer(NAME_BYTES), ctypes.c_int()
    for index in range(min(page.count_chars(), most_letters)):
        code = pdfium.FPDFText_GetUnicode(page, index)
        if code in LINE_ENDS:
            yield Letter("\n")
            continue
        pdfium.FPDFText_GetCharBox(page, index, left, right, bottom, top)
        pdfium.FPDFText_GetFontInfo(page, index, name, NAME_BYTES, flags)
        font = name.value.decode("latin-1").lower()
        angle = pdfium.FPDFText_GetCharAngle(page, index) % math.pi
        size, box = pdfium.FPDFText_GetFontSize(page, index), (left.value, bottom.value, right.value, top.value)
        if all(math.isfinite(figure) for figure in (size, angle, *box)):
            is_bold = any(bold in font for bold in BOLD_NAMES)
            yield Letter(_written(code), round(size, 1), is_bold, SIDEWAYS < angle < math.pi - SIDEWAYS, box)


def _written(code: int) -> str:
    if code in HYPHENS:
        return SOFT_HYPHEN
    letter = chr(code) if code <= sys.maxunicode else "\ufffd"
    return letter if letter.isprintable() else " "


def opened(content: bytes) -> Any:
    """Return the document, or why it cannot be opened."""
    try:
        pdfium, raw = _library(), _library(".raw")
    except ModuleNotFoundError:
        return "missing"
    close_doors()
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as problem:
        is_locked = getattr(problem, "err_code", None) in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        return "encrypted" if is_locked else "damaged"


def report(document: Any, most_pages: int, most_letters: int) -> Iterator[dict[str, Any]]:
    """Yield what is written down about a document."""
    count = len(document)
    yield {"pages": count}
    for number in range(min(count, most_pages)):
        yield {"number": number + 1, **_page(document, number, most_letters)}
    yield {"done": True}


def _page(document: Any, number: int, most_letters: int) -> dict[str, Any]:
    pdfium = _library()
    try:
        page = document[number]
        text = page.get_textpage()
    except pdfium.PdfiumError:
        return {"damaged": True}
    width, height = page.get_size()
    found = {
        "width": width,
        "height": height,
        "lines": list(lines_of(text, most_letters)),
        "cut": text.count_chars() > most_letters,
    }
    text.close()
    page.close()
    return found


def main(seconds: int, memory_bytes: int, output_bytes: int, pages: int, letters: int) -> None:
    """Read the PDF on standard input within the limits."""
    set_limits(seconds, memory_bytes, output_bytes)
    document = opened(sys.stdin.buffer.read())
    parts = [{"problem": document}] if isinstance(document, str) else report(document, pages, letters)
    for part in parts:
        sys.stdout.write(json.dumps(part) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
