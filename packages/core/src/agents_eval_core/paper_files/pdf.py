"""PDF files: read by a process of their own, since a PDF can be made to do anything to its reader."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct, field

from agents_eval_core.errors import PaperError
from agents_eval_core.paper_files.interruption import is_interrupted
from agents_eval_core.paper_files.opened_file import LARGEST_BYTES, opened_file
from agents_eval_core.paper_files.outline import Outline
from agents_eval_core.paper_files.pdf_lines import PdfLine, PdfPage
from agents_eval_core.paper_files.pdf_outline import outline_of_pages

READER: Final = "agents_eval_core.paper_files.pdf_process"
TICK_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLimits:
    """What reading one PDF may take; the pages that were read within it are kept.

    Attributes:
        seconds: On the clock, and of computing.
        letters: On one page.
    """

    seconds: float = 30.0
    memory_bytes: int = 1024 * 1024 * 1024
    output_bytes: int = 32 * 1024 * 1024
    file_bytes: int = LARGEST_BYTES
    pages: int = 200
    letters: int = 50_000


DEFAULT_LIMITS: Final = PdfLimits()


class _Part(Struct, frozen=True):
    """One line of what the process writes."""

    problem: str | None = None
    pages: int | None = None
    number: int | None = None
    width: float = 0.0
    height: float = 0.0
    lines: tuple[PdfLine, ...] = ()
    is_damaged: bool = field(name="damaged", default=False)
    is_cut: bool = field(name="cut", default=False)
    is_done: bool = field(name="done", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """What the process wrote, and how it ended."""

    parts: tuple[_Part, ...]
    was_too_slow: bool

    @property
    def pages(self) -> tuple[PdfPage, ...]:
        """The pages that were read."""
        return tuple(
            PdfPage(number=part.number, width=part.width, height=part.height, lines=part.lines)
            for part in self.parts
            if part.number is not None and not part.is_damaged
        )

    @property
    def page_count(self) -> int | None:
        """How many pages the document says it has."""
        return next((part.pages for part in self.parts if part.pages is not None), None)


def read_pdf(path: Path, limits: PdfLimits = DEFAULT_LIMITS) -> Outline:
    """Return the outline of the paper in a PDF; what could not be read is said in its notes.

    The file is read by another process with limits of time, memory and output, which can open nothing else; it is
    ended, with whatever it started, when the time is over or when this call is.

    Raises:
        PaperError: It cannot be opened, is no PDF, is encrypted, is damaged, has no text, or took more than allowed
            before a page was read.
    """
    with opened_file(path, largest_bytes=limits.file_bytes) as file:
        reading = _read(file, limits)
    _refuse_unreadable(path, reading, limits)
    outline = outline_of_pages(reading.pages)
    if not outline.has_text:
        raise PaperError(
            f"{path} has no text that can be read: its {reading.page_count} pages are pictures, as of a scan; "
            "give a PDF with text, made by the word processor or by text recognition (OCR)"
        )
    return outline.with_notes(*_notes(reading, limits))


def _read(file: BinaryIO, limits: PdfLimits) -> _Reading:
    arguments = (int(limits.seconds) + 1, limits.memory_bytes, limits.output_bytes, limits.pages, limits.letters)
    command = [sys.executable, "-I", "-m", READER, *map(str, arguments)]
    with tempfile.TemporaryFile() as output:
        was_too_slow = _run(command, file, output, limits.seconds)
        output.seek(0)
        written = output.read(limits.output_bytes)
    return _Reading(parts=tuple(_parts(written)), was_too_slow=was_too_slow)


def _run(command: list[str], file: BinaryIO, output: BinaryIO, seconds: float) -> bool:
    """Run the process to its end and return whether it had to be ended."""
    give_up_at = time.monotonic() + seconds
    process = subprocess.Popen(  # noqa: S603  our own module; the file is its standard input
        command,
        stdin=file,
        stdout=output,
        stderr=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
        env={name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ},
        start_new_session=True,
    )
    try:
        while process.poll() is None:
            if is_interrupted():
                raise PaperError("reading the PDF was interrupted")
            if time.monotonic() > give_up_at:
                return True
            time.sleep(TICK_SECONDS)
        return False
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process with everything that it started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _parts(written: bytes) -> Iterator[_Part]:
    """Yield what was written whole; a line that an accident cut short is left out."""
    decoder = msgspec.json.Decoder(_Part)
    for line in written.split(b"\n"):
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return


def _refuse_unreadable(path: Path, reading: _Reading, limits: PdfLimits) -> None:
    problem = reading.parts[0].problem if reading.parts else None
    if problem == "encrypted":
        raise PaperError(f"{path} is encrypted and needs a password; give a copy without one")
    if problem == "missing":
        raise PaperError(f"{path} cannot be read: pypdfium2, which reads PDFs, is not installed; reinstall Agents-eval")
    if problem is not None:
        raise PaperError(f"{path} is damaged: it cannot be opened as a PDF; give an undamaged copy")
    if reading.pages:
        return
    if reading.was_too_slow:
        raise PaperError(
            f"{path} could not be read in {limits.seconds:g} seconds; give another copy of it, or its text as Markdown"
        )
    is_done = any(part.is_done for part in reading.parts)
    most = f"{limits.memory_bytes / 2**20:,.0f} MiB of memory"
    what = "no page of it could be read" if is_done else f"reading it broke off or took more than {most}"
    raise PaperError(f"{path} is damaged or made to harm: {what}; give another copy of it, or its text as Markdown")


def _notes(reading: _Reading, limits: PdfLimits) -> Iterator[str]:
    count, read = reading.page_count or 0, len(reading.pages)
    damaged = [part.number for part in reading.parts if part.is_damaged]
    if damaged:
        yield f"of the PDF's {count} pages, {len(damaged)} are damaged and were not read (the first: {damaged[0]})"
    if not any(part.is_done for part in reading.parts):
        why = f"{limits.seconds:g} seconds were over" if reading.was_too_slow else "reading the next one broke off"
        yield f"only the first {read} of the PDF's {count} pages were read: {why}"
    elif count > limits.pages:
        yield f"only the first {limits.pages} of the PDF's {count:,} pages were read: that is the limit"
    if any(part.is_cut for part in reading.parts):
        yield f"pages with more than {limits.letters:,} letters were read only so far"
    empty = [page.number for page in reading.pages if not page.lines]
    if empty:
        yield f"{len(empty)} of the PDF's {count} pages have no text, as of a scan (the first: {empty[0]})"
